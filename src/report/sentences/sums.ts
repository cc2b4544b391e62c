/** Why what was found by fetch-and-add can not be, in plain sentences. */
import { show } from '../../base/values/show.js';
import type { FamilyCause } from '../../check/model/monitor-causes.js';
import { count } from '../common/format-number.js';
import { type Sentence, say } from './sentence.js';
import type { Words } from './words.js';

type SumCause = Extract<FamilyCause, { kind: 'overlap' | 'backwards' | 'unreached' }>;

export function sumSentences(cause: SumCause, words: Words): Sentence[] {
  const own = actOf(words, cause.operation);
  if (cause.kind === 'unreached') {
    const { sum, open, each } = cause;
    const calls = { text: count(open.length, 'call'), operations: open };
    return [
      open.length === 0
        ? say`All that was added before it makes ${show(sum)}.`
        : say`All that was added before it makes ${show(sum)}; ${calls} that never returned could add ${show(each)} each, which does not make it ${show(own.found)}.`,
    ];
  }
  const other = actOf(words, cause.other);
  const who = words.operation(cause.other);
  if (cause.kind === 'backwards')
    return [say`Before that was called, ${who} had found ${show(other.found)}, and no add leads back.`];
  if (own.found === other.found && own.adds !== 0 && other.adds !== 0)
    return [say`So did ${who}, but the first of the two changed it, and no add leads back.`];
  const [passes, passed] = isBetween(own.found, other) ? [other, own] : [own, other];
  return [
    say`${passes === own ? say`${who} found ${show(passed.found)}, but this` : who} went from ${show(passes.found)} to ${show(passes.found + passes.adds)} at once: ${show(passed.found)} was never there.`,
  ];
}

interface Act {
  readonly adds: number;
  readonly found: number;
}

function actOf(words: Words, id: number): Act {
  const { args, outcome } = words.history.at(words.position(id));
  const found = outcome.kind === 'returned' ? (outcome.value as number) : Number.NaN;
  return { adds: (args[0] as number | undefined) ?? 0, found };
}

const isBetween = (value: number, { found, adds }: Act): boolean =>
  (value - found) * (found + adds - value) > 0;
