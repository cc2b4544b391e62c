/**
 * Generates every history of n operations: every order of calls and returns, with every choice of operations.
 *
 * Operations are numbered in the order of their calls, so histories that differ only in names occur once.
 */
import { HistoryBuilder } from '../../../src/history/builder/builder.js';
import type { History } from '../../../src/history/history.js';
import type { Outcome } from '../../../src/history/model/operation.js';

/** A possible operation; if it is pending, it has no return. */
export interface Kind {
  readonly method: string;
  readonly args: readonly unknown[];
  readonly outcome: Outcome;
}

/** Yields every nth history, where n is `share`. */
export function* allHistories(kinds: readonly Kind[], length: number, share: number): Generator<History> {
  /** The orders of operations, by which of them return. */
  const known = new Map<string, readonly (readonly number[])[]>();
  let next = 0;
  for (const chosen of choose(kinds, length)) {
    const returns = chosen.map(({ outcome }) => outcome.kind !== 'pending');
    const all = known.get(`${returns}`) ?? [...orders(returns)];
    known.set(`${returns}`, all);
    for (; next < all.length; next += share) {
      const events = all[next];
      const builder = new HistoryBuilder();
      for (const event of events) {
        if (event >= 0) builder.call({ process: String(event), ...chosen[event] });
        else builder.end(~event, chosen[~event].outcome);
      }
      yield builder.finish();
    }
    next -= all.length;
  }
}

function* choose(kinds: readonly Kind[], length: number): Generator<Kind[]> {
  if (length === 0) yield [];
  else for (const rest of choose(kinds, length - 1)) for (const kind of kinds) yield [...rest, kind];
}

/** All orders of the calls 0, 1, … and the returns ~k of those that return. */
function* orders(returns: readonly boolean[], called = 0, open: readonly number[] = []): Generator<number[]> {
  if (called === returns.length && open.length === 0) yield [];
  if (called < returns.length)
    for (const rest of orders(returns, called + 1, returns[called] ? [...open, called] : open))
      yield [called, ...rest];
  for (const k of open)
    for (const rest of orders(
      returns,
      called,
      open.filter((other) => other !== k),
    ))
      yield [~k, ...rest];
}
