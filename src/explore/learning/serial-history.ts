/** A serial history as one that can be drawn. */
import { OPEN, type Outcomes } from '../../execution/outcomes.js';
import { HistoryBuilder } from '../../history/builder/builder.js';
import type { History } from '../../history/history.js';
import type { SerialHistory } from './serial-trie.js';

interface Called {
  readonly process: string;
  readonly method: string;
  readonly args: readonly unknown[];
}

export function drawnHistory(
  serial: SerialHistory,
  callOf: (operation: number) => Called,
  outcomes: Outcomes,
): History {
  const builder = new HistoryBuilder();
  for (const { operation, outcome } of serial) {
    const entry = builder.call(callOf(operation));
    if (outcome === OPEN) builder.markStuck();
    else builder.end(entry, outcomes.at(outcome));
  }
  return builder.finish();
}
