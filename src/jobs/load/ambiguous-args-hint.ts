/**
 * A call whose one argument is a list, in a history that was read without a spec: Jepsen writes several arguments so, and
 * only the object knows whether it means them. What is written would be refused there, so that it is said here.
 */
import { printable, show } from '../../base/values/show.js';
import type { History } from '../../history/history.js';

export function loneListHint(history: History): string | undefined {
  const { argumentStart } = history.columns;
  for (let k = 0; k < history.length; k++) {
    if (argumentStart[k + 1] - argumentStart[k] !== 1) continue;
    const [only] = history.args(k);
    // a list of lists is a transaction, and one argument
    if (!Array.isArray(only) || only.length < 2 || only.every(Array.isArray)) continue;
    const call = printable(`${history.at(k).method}(${show(only)})`);
    return `${call} has one argument, a list. If it means several, as cas does, name the object: --spec cas-register`;
  }
  return undefined;
}
