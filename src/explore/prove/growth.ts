/**
 * Why a search has not closed: what has grown since the start in the states that were found last, and what to try.
 *
 * Contents may grow: values inside, elements of a container, objects that can be reached, a number. Otherwise the parts of states are compared with those at half of
 * the search: heaps, local states of threads, and sets of configurations. A part that has hardly grown is finite as far as the search shows.
 */
import { reach } from '../../instrument/model/reach.js';
import type { ClientRun } from './client.js';
import { FreshValue } from './fresh-values.js';
import type { Search } from './search.js';

/** The states that are compared with the first one, and what is no growth. */
const LAST_STATES = 16;
const LEAST_GROWTH = 1;
/** A part of states has grown if this many times as many are known as at half of the search. */
const LEAST_FACTOR = 1.1;

/** What can be reached in a state: the objects by class, the largest container and number, and the values. */
function contentsOf(run: ClientRun) {
  const counts = new Map<string, number>();
  let largest = { value: 0, field: '' };
  let longest = { size: 0, name: '' };
  const seen = new Set<object>();
  const visit = (value: unknown, field: string): void => {
    if (typeof value === 'number' && Math.abs(value) > largest.value)
      largest = { value: Math.abs(value), field };
    if (value !== null && typeof value === 'object') seen.add(value);
  };
  visit(run.subject, '');
  for (const object of seen) {
    if (FreshValue.numberOf(object) >= 0) continue;
    const name = (Object.getPrototypeOf(object) as object | null)?.constructor.name ?? 'Object';
    counts.set(name, (counts.get(name) ?? 0) + 1);
    const size = sizeOf(object);
    if (size > longest.size) longest = { size, name };
    let key: unknown;
    reach(object, (part) => {
      // the length of a container is no number of its own
      if (part === size) return;
      // after a symbol come attributes, which are no state
      if (typeof key !== 'symbol') visit(part, typeof key === 'string' ? `${name}.${key}` : name);
      key = part;
    });
  }
  const values = [...seen].filter((object) => FreshValue.numberOf(object) >= 0).length;
  return { counts, largest, longest, values };
}

/** The number of elements of a container; -1 of another object. */
function sizeOf(object: object): number {
  if (Array.isArray(object)) return object.length;
  return object instanceof Map || object instanceof Set ? object.size : -1;
}

/** What has grown since the start in the states that were found last, and what to try. */
export function growthOf(
  search: Search,
  run: ClientRun,
  maxElements: number | undefined,
): { readonly advice: string } {
  run.reset();
  const first = contentsOf(run);
  const bound = maxElements === undefined ? '--max-elements 2, or ' : '';
  let grown = { by: LEAST_GROWTH, advice: growthOfParts(search) };
  const compare = (from: number, to: number, advice: string): void => {
    if (to - from > grown.by) grown = { by: to - from, advice };
  };
  for (let state = Math.max(0, search.size - LAST_STATES); state < search.size; state++) {
    search.goTo(state);
    const { counts, largest, longest, values } = contentsOf(run);
    // an array of values grows as they do: the values come first
    if (maxElements === undefined)
      compare(
        first.values,
        values,
        `The contents grow: one of the last states holds ${values} values. Try --max-elements 2.`,
      );
    compare(
      first.longest.size,
      longest.size,
      maxElements === undefined
        ? `The contents grow: one ${longest.name} has ${longest.size} elements. Try --max-elements 2.`
        : `One ${longest.name} has grown to ${longest.size} elements. Let the object remove those that it does not need.`,
    );
    for (const [name, count] of counts) {
      const from = first.counts.get(name) ?? 0;
      compare(
        from,
        count,
        `From ${from} to ${count} objects of ${name} can be reached. Try ${bound}nodes that are used again (a free list), so that removed ones cannot be reached.`,
      );
    }
    compare(
      first.largest.value,
      largest.value,
      `A number has grown from ${first.largest.value} to ${largest.value} (${largest.field}). Let the counter wrap around, such as (n + 1) % 8, or compare new objects instead of numbers.`,
    );
  }
  return { advice: grown.advice };
}

/** Which part of the states has grown most since about half of the search. */
function growthOfParts({ size, halves: { half }, parts }: Search): string {
  const factor = (part: 'heaps' | 'locals' | 'sets'): number => parts[part] / Math.max(1, half[part]);
  const [most] = (['heaps', 'locals', 'sets'] as const).toSorted((one, other) => factor(other) - factor(one));
  const counts = `After ${half.states} and after ${size} states there were ${half.heaps} and ${parts.heaps} heaps, ${half.locals} and ${parts.locals} local states of a thread, ${half.sets} and ${parts.sets} sets of results that calls may have.`;
  return `No object, number or value was found to grow. ${counts} ${factor(most) < LEAST_FACTOR ? NOTHING_GROWS : ADVICE[most]}`;
}

const NOTHING_GROWS =
  'Mostly their combinations are new, and these are finitely many. Try a larger --timeout, or fewer --threads.';
const ADVICE = {
  heaps: 'Heaps grow fastest. Try a smaller object: fewer nodes, slots or values.',
  locals:
    'Local states grow fastest. Try fewer calls to choose from, or shorter methods: each value that a call has read counts while its code can still use it.',
  sets: 'Sets of results grow fastest. Try a `spec`, fewer values, or a smaller --max-elements.',
};
