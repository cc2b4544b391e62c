/** Loads scenarios of papers/: instrumented for threads; asynchronous ones as they are, or traced. */
import { fileURLToPath } from 'node:url';
import * as explorer from '../../src/api/explore.js';
import * as straightedge from '../../src/api/index.js';
import * as objects from '../../src/api/objects.js';
import type { Scenario } from '../../src/explore/scenario/scenario.js';
import { loadInstrumented } from '../../src/instrument/load.js';
import { rewriteForTracing } from '../../src/instrument/tracing-rewrite/rewrite.js';

const MODULES = { straightedge, 'straightedge/explore': explorer, 'straightedge/objects': objects };

/** The folder papers/ of the source tree; this file runs compiled, in `.bench/papers/lib`. */
export const PAPERS: string = fileURLToPath(new URL('../../../papers/', import.meta.url));

/** The scenarios of a module, by the names of their exports. */
export const scenariosIn = (
  path: string,
  isAsync: boolean = path.includes('/async/'),
): Readonly<Record<string, Scenario>> =>
  loadInstrumented(`${PAPERS}${path}`, {
    globs: isAsync ? [] : undefined,
    modules: MODULES,
  }) as Record<string, Scenario>;

/** Asynchronous scenarios of a module. `isTraced`: do they record what they read and write? */
export const asyncScenariosIn = (path: string, isTraced: boolean): Readonly<Record<string, Scenario>> =>
  loadInstrumented(`${PAPERS}${path}`, {
    globs: [],
    modules: MODULES,
    rewrite: isTraced ? rewriteForTracing : (_file, text) => text,
  }) as Record<string, Scenario>;
