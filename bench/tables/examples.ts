/** The scenarios of a module in examples/, transformed unless they are asynchronous, by the names of their exports. */
import { fileURLToPath } from 'node:url';
import * as straightedge from 'straightedge';
import * as explorer from 'straightedge/explore';
import { loadTransformed, type Scenario } from 'straightedge/explore';
import * as objects from 'straightedge/objects';

export function scenariosIn(
  path: string,
  isAsync: boolean = path.includes('/async/'),
): Readonly<Record<string, Scenario>> {
  return loadTransformed(fileURLToPath(new URL(`../../examples/${path}`, import.meta.url)), {
    globs: isAsync ? [] : undefined,
    modules: { straightedge, 'straightedge/explore': explorer, 'straightedge/objects': objects },
  }) as Record<string, Scenario>;
}
