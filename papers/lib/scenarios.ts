/** Modules in examples/, transformed unless they are asynchronous, or as they are. */
import { resolve } from 'node:path';
import * as explorer from '../../src/api/explore.js';
import * as straightedge from '../../src/api/index.js';
import * as objects from '../../src/api/objects.js';
import type { Scenario } from '../../src/explore/scenario/scenario.js';
import { loadInstrumented } from '../../src/instrument/load.js';

/** The scenarios of a module, by the names of their exports. */
export const scenariosIn = (
  path: string,
  isAsync: boolean = path.includes('/async/'),
): Readonly<Record<string, Scenario>> => moduleIn(path, isAsync ? [] : undefined) as Record<string, Scenario>;

function moduleIn(path: string, globs: readonly string[] | undefined): unknown {
  return loadInstrumented(resolve('examples', path), {
    globs,
    modules: { straightedge, 'straightedge/explore': explorer, 'straightedge/objects': objects },
  });
}
