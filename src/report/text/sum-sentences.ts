/** Why what was found by fetch-and-add can not be, in plain sentences. */
import { show } from '../../base/index.js';
import type { FamilyCause } from '../../check/index.js';
import type { History } from '../../history/index.js';
import { count } from './number.js';

type SumCause = Extract<FamilyCause, { kind: 'overlap' | 'backwards' | 'unreached' }>;

/** `named`: an operation, by id, in words. */
export function sumSentences(cause: SumCause, history: History, named: (id: number) => string): string[] {
  const own = actOf(history, cause.operation);
  if (cause.kind === 'unreached') {
    const { sum, open, each } = cause;
    return [
      open.length === 0
        ? `All that was added before it makes ${show(sum)}.`
        : `All that was added before it makes ${show(sum)}; ${count(open.length, 'call')} that never returned could add ${show(each)} each, which does not make it ${show(own.found)}.`,
    ];
  }
  const other = actOf(history, cause.other);
  const who = named(cause.other);
  if (cause.kind === 'backwards')
    return [`Before that was called, ${who} had found ${show(other.found)}, and no add leads back.`];
  if (own.found === other.found && own.adds !== 0 && other.adds !== 0)
    return [`So did ${who}, but the first of the two changed it, and no add leads back.`];
  const [passes, passed] = isBetween(own.found, other) ? [other, own] : [own, other];
  return [
    `${passes === own ? `${who} found ${show(passed.found)}, but this` : who} went from ${show(passes.found)} to ${show(passes.found + passes.adds)} at once: ${show(passed.found)} was never there.`,
  ];
}

interface Act {
  readonly adds: number;
  readonly found: number;
}

function actOf(history: History, id: number): Act {
  const { args, outcome } = history.at(history.positionsById()[id]);
  const found = outcome.kind === 'returned' ? (outcome.value as number) : Number.NaN;
  return { adds: (args[0] as number | undefined) ?? 0, found };
}

const isBetween = (value: number, { found, adds }: Act): boolean =>
  (value - found) * (found + adds - value) > 0;
