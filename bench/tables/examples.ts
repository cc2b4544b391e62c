/** Modules in examples/, transformed unless they are asynchronous, or as they are. */
import { fileURLToPath } from 'node:url';
import * as straightedge from 'straightedge';
import * as explorer from 'straightedge/explore';
import { loadInstrumented, type Scenario } from 'straightedge/explore';
import * as objects from 'straightedge/objects';

/** The scenarios of a module, by the names of their exports. */
export const scenariosIn = (
  path: string,
  isAsync: boolean = path.includes('/async/'),
): Readonly<Record<string, Scenario>> => moduleIn(path, isAsync ? [] : undefined) as Record<string, Scenario>;

function moduleIn(path: string, globs: readonly string[] | undefined): unknown {
  return loadInstrumented(fileURLToPath(new URL(`../../examples/${path}`, import.meta.url)), {
    globs,
    modules: { straightedge, 'straightedge/explore': explorer, 'straightedge/objects': objects },
  });
}
