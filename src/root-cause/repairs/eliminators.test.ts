import { describe, expect, test } from 'vitest';
import { drawnTrace, linePlace, lines, randomTrace } from '../../../test/support/generators/traces.js';
import { eliminatorsByBruteForce } from '../../../test/support/oracles/decompositions.js';
import { share } from '../../../test/support/share.js';
import { Random } from '../../base/random.js';
import { type AccessTrace, operationsOf } from './access-trace.js';
import { eliminatorsOf, type Segment } from './causes.js';
import { forbids } from './forbids.js';
import { merged } from './repair.js';

const setsOf = (sets: readonly (readonly Segment[])[]): string[] =>
  sets
    .map((set) =>
      set
        .map(({ operation, from, to }) => `${operation}[${from},${to}]`)
        .sort()
        .join(' '),
    )
    .sort();
const eliminators = (trace: AccessTrace): string[] => setsOf(eliminatorsOf(trace).sets);

describe('the figures of the paper', () => {
  test('3: one segment of three cycles is enough', () => {
    // e1 … e4 are of operation 0; e5, e6 of 1 and e7, e8 of 2, which are of one thread
    const trace = drawnTrace([
      'A0 w x', // e1
      'B1 r z', // e5
      'B1 r x', // e6
      'B2 r z', // e7
      'B2 w y', // e8
      'A0 r z', // e2
      'A0 r y', // e3
      'A0 r y', // e4
    ]);
    expect(eliminators(trace)).toEqual(['0[0,2]']);
  });

  test('4: as many repairs as there are ways to go around', () => {
    const [threads, edges] = [3, 3];
    const lines: string[] = [];
    const name = (thread: number) => 'ABC'[thread % threads] + (thread % threads);
    for (let t = 0; t < threads; t++) for (let k = 0; k < edges; k++) lines.push(`${name(t)} w v${t}${k}`);
    for (let t = 0; t < threads; t++)
      for (let k = 0; k < edges; k++) lines.push(`${name(t + 1)} r v${t}${k}`);
    const { sets, isCut } = eliminatorsOf(drawnTrace(lines));
    expect(isCut).toBe(false);
    expect(sets).toHaveLength(edges ** threads);
    expect(sets.every((set) => set.length === threads)).toBe(true);
  });

  test('2: the stack, of which either method may be repaired', () => {
    const trace = drawnTrace([
      'B1 w range',
      'B1 w items0',
      'A0 w range',
      'B2 r range',
      'B2 r items1',
      'B2 w items1',
      'B2 r items0',
      'C3 r range',
      'C3 r items1',
      'C3 w items1',
      'A0 w items1',
      'C3 r items0',
      'B2 w items0',
      'C3 w items0',
    ]);
    // both lines of push; in pop, from the cell above to the one that both take, or that cell alone
    expect(eliminators(trace)).toEqual(['0[0,1]', '2[2,4]', '3[3,4]']);
  });
});

test('an order in real time closes a cycle that no conflict closes', () => {
  const lines = ['C2 r x', 'A0 w x', 'B1 w y', 'C2 r y'];
  expect(eliminators(drawnTrace(lines))).toEqual(['2[0,1]']);
  expect(eliminators(drawnTrace(lines, { isTimed: false }))).toEqual([]);
});

test('an enumeration that is cut off says so', () => {
  const trace = drawnTrace(['A0 r x', 'B1 w x', 'A0 w x']);
  expect(eliminatorsOf(trace)).toEqual({ sets: [[{ operation: 0, from: 0, to: 1 }]], isCut: false });
  expect(eliminatorsOf(trace, 0).isCut).toBe(true);
});

test('the same as by all decompositions, on random traces', () => {
  const random = new Random(9);
  const sizes = new Set<number>();
  for (let i = 0; i < share(20_000, 500); i++) {
    const trace = randomTrace(random);
    const found = eliminators(trace);
    expect(found).toEqual(setsOf(eliminatorsByBruteForce(trace)));
    for (const set of eliminatorsOf(trace).sets) sizes.add(set.length);
  }
  expect([...sizes].sort()).toEqual([1, 2]);
});

describe('events of one turn are atomic without a block', () => {
  /** Neighbouring events of one operation are one turn. */
  const withTurns = ({ events, returnedBefore }: AccessTrace): AccessTrace => {
    let turn = 0;
    return {
      returnedBefore,
      events: events.map((event, i) => {
        if (i > 0 && events[i - 1].operation !== event.operation) turn++;
        return { ...event, turn };
      }),
    };
  };
  /** In source: the events of operation k have the lines 100k + 1, … */
  const blockOf = ({ operation, from, to }: Segment) =>
    lines(100 * operation + from + 1, 100 * operation + to + 1);
  const turnsOf = (trace: AccessTrace): Segment[] =>
    operationsOf(trace).flatMap((events, operation) =>
      events.flatMap(({ turn }, from) => {
        const to = events.findLastIndex((event) => event.turn === turn);
        return to > from && events.findIndex((event) => event.turn === turn) === from
          ? [{ operation, from, to }]
          : [];
      }),
    );
  const contains = (a: Segment, b: Segment): boolean =>
    a.operation === b.operation && a.from <= b.from && b.to <= a.to;

  test('so only the interrupted call has to be atomic', () => {
    const trace = drawnTrace(['A0 r x', 'A0 r y', 'B1 w x', 'B1 w y', 'A0 w x', 'A0 w y']);
    expect(eliminators(trace).length).toBeGreaterThan(1);
    expect(eliminators(withTurns(trace))).toEqual(['0[1,2]']);
  });

  test('the same as with a block around each turn, on random traces', () => {
    const random = new Random(10);
    let [found, omitted] = [0, 0];
    for (let i = 0; i < share(20_000, 500); i++) {
      const plain = randomTrace(random);
      const trace = withTurns(plain);
      const turns = turnsOf(trace);
      const { sets } = eliminatorsOf(trace);
      for (const set of sets) {
        found++;
        expect(set.some((segment) => turns.some((turn) => contains(turn, segment)))).toBe(false);
        expect(forbids(merged(set.map(blockOf)), trace, linePlace)).toBe(true);
        expect(forbids(merged([...set, ...turns].map(blockOf)), plain, linePlace)).toBe(true);
      }
      for (const set of eliminatorsOf(plain).sets) {
        const needed = set.filter((segment) => !turns.some((turn) => contains(turn, segment)));
        if (needed.length < set.length) omitted++;
        const isFound = sets.some((other) => other.every((one) => needed.some((two) => contains(two, one))));
        expect(isFound).toBe(true);
      }
    }
    expect(Math.min(found, omitted)).toBeGreaterThan(9);
  });
});
