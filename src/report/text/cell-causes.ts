/** Why operations on a register, or on one key of a map, are in each other's way, in plain sentences. */
import { show } from '../../base/index.js';
import type { FamilyCause, Run } from '../../check/index.js';

/** How operations are named. */
export interface Naming {
  operation(id: number): string;
  strong(text: string): string;
}

export type CellCause = Extract<
  FamilyCause,
  { kind: 'never written' | 'swapped twice' | 'out of turn' | 'in turns' }
>;

const MOST = 4;

export function cellSentences(cause: CellCause, words: Naming): string[] {
  switch (cause.kind) {
    case 'never written':
      return [neverWritten(cause.links, words)];
    case 'swapped twice': {
      const [one, other] = cause.swaps.map((id) => words.operation(id));
      return [
        `${one} and ${other} both replaced ${words.strong(show(cause.value))}; after one of them it was not there any more.`,
      ];
    }
    case 'out of turn':
      return [
        `By the values, ${words.operation(cause.first)} comes before ${words.operation(cause.second)}; but it was called only after that had returned.`,
      ];
    case 'in turns': {
      const [one, other] = cause.runs;
      return [`${isBefore(one, other, words)}.`, `But ${isBefore(other, one, words)}.`];
    }
  }
}

function neverWritten(links: readonly number[], words: Naming): string {
  if (links.length === 0) return 'Nobody wrote that.';
  const told = links.slice(0, MOST).map((id) => words.operation(id));
  const rest = links.length > MOST ? ` and ${links.length - MOST} more` : '';
  return `That was written only by ${told.join(', ')}${rest}, and what these replaced was never there before.`;
}

/** Why one run comes first: it was seen before the other was asked for the last time. */
function isBefore(one: Run, other: Run, words: Naming): string {
  const [earlier, later] = [one, other].map(({ values }) => words.strong(valuesInWords(values)));
  const so = `so ${earlier} was there before ${later}`;
  const since =
    one.first === undefined ? `${earlier} was there at first` : `${words.operation(one.first)} had returned`;
  if (other.last === undefined)
    return `${since}, and nobody took ${later} away, so ${earlier} was there before`;
  return one.first === undefined
    ? `${since}, before ${later}`
    : `${since} before ${words.operation(other.last)} was called, ${so}`;
}

/** The values at both ends of a run, of which the second came from the first by swaps. */
const valuesInWords = (values: readonly unknown[]): string => values.map(show).join(' and then ');
