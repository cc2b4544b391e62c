/** What a task names is not here, or not the same: this worker does not do it, another one may. No code is run to find out. */
import { codeOf } from './code-hash.js';
import { isInsideHere } from './contained-path.js';

export class OtherCode extends Error {
  override readonly name = 'OtherCode';
}

/** Throws `OtherCode` unless the modules are here, as they are where the task comes from. */
export function checkCode(modules: readonly string[], code: string): void {
  const outside = modules.find((path) => !isInsideHere(path));
  if (outside !== undefined) throw new OtherCode(`${outside} is outside of the folder of this worker`);
  const what = modules[0] ?? 'straightedge itself';
  const here = readable(() => codeOf(modules), what);
  if (here !== code)
    throw new OtherCode(`${what} is another one here (${here}, not ${code}): bring the checkout up to date`);
}

export function readable<T>(read: () => T, what: string): T {
  try {
    return read();
  } catch {
    throw new OtherCode(`${what} is not here`);
  }
}
