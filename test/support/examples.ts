/** The scenarios of a module in examples/, transformed unless they are asynchronous, by the names of their exports. */
import { fileURLToPath } from 'node:url';
import * as explorer from '../../src/api/explore.js';
import * as straightedge from '../../src/api/index.js';
import * as objects from '../../src/api/objects.js';

const MODULES = { straightedge, 'straightedge/explore': explorer, 'straightedge/objects': objects };
const loaded = new Map<string, Readonly<Record<string, explorer.Scenario>>>();

export function scenariosIn(path: string): Readonly<Record<string, explorer.Scenario>> {
  const known = loaded.get(path);
  if (known !== undefined) return known;
  const file = fileURLToPath(new URL(`../../examples/${path}`, import.meta.url));
  const globs = path.includes('/async/') ? [] : undefined;
  const scenarios = explorer.loadInstrumented(file, { globs, modules: MODULES }) as Record<
    string,
    explorer.Scenario
  >;
  loaded.set(path, scenarios);
  return scenarios;
}
