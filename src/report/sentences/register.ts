/** Why operations on a register, or on one key of a map, are in each other's way, in plain sentences. */
import { show } from '../../base/values/show.js';
import type { FamilyCause, Run } from '../../check/model/monitor-causes.js';
import { join, type Phrase, type Sentence, say } from './sentence.js';
import { strong, type Words } from './words.js';

export type CellCause = Extract<
  FamilyCause,
  { kind: 'never written' | 'swapped twice' | 'out of turn' | 'in turns' }
>;

const MOST = 4;

export function cellSentences(cause: CellCause, words: Words): Sentence[] {
  switch (cause.kind) {
    case 'never written':
      return [neverWritten(cause.links, words)];
    case 'swapped twice': {
      const [one, other] = cause.swaps.map((id) => words.operation(id));
      return [
        say`${one} and ${other} both replaced ${strong(show(cause.value))}; after one of them it was not there any more.`,
      ];
    }
    case 'out of turn':
      return [
        say`By the values, ${words.operation(cause.first)} comes before ${words.operation(cause.second)}; but it was called only after that had returned.`,
      ];
    case 'in turns': {
      const [one, other] = cause.runs;
      return [say`${isBefore(one, other, words)}.`, say`But ${isBefore(other, one, words)}.`];
    }
  }
}

function neverWritten(links: readonly number[], words: Words): Sentence {
  if (links.length === 0) return say`Nobody wrote that.`;
  const told = links.slice(0, MOST).map((id) => words.operation(id));
  const rest = links.length > MOST ? ` and ${links.length - MOST} more` : '';
  return say`That was written only by ${join(told, ', ')}${rest}, and what these replaced was never there before.`;
}

/** Why one run comes first: it was seen before the other was asked for the last time. */
function isBefore(one: Run, other: Run, words: Words): Sentence {
  const [earlier, later] = [one, other].map(values);
  const so = say`so ${earlier} was there before ${later}`;
  const since =
    one.first === undefined
      ? say`${earlier} was there at first`
      : say`${words.operation(one.first)} had returned`;
  if (other.last === undefined)
    return say`${since}, and nobody took ${later} away, so ${earlier} was there before`;
  return one.first === undefined
    ? say`${since}, before ${later}`
    : say`${since} before ${words.operation(other.last)} was called, ${so}`;
}

/** The values at both ends of a run, of which the second came from the first by swaps. */
const values = ({ values, first, last }: Run): Phrase => ({
  text: values.map(show).join(' and then '),
  tone: 'strong',
  operations: [first, last].filter((id) => id !== undefined),
});
