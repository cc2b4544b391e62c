import { describe, expect, test } from 'vitest';
import { drawnTrace, linePlace, lines, randomTrace } from '../../../test/support/generators/traces.js';
import { eliminatorsByBruteForce } from '../../../test/support/oracles/decompositions.js';
import { Random } from '../../base/random.js';
import type { Block } from '../../execution/atomic-blocks.js';
import type { AccessEvent } from './access-trace.js';
import { operationsOf } from './access-trace.js';
import { sourceBlock } from './causes.js';
import { forbids, ranked } from './forbids.js';
import { combine, merged, type Repair } from './repair.js';

const blockOf = (events: readonly AccessEvent[]): Block => sourceBlock(events, linePlace)!;
const textOf = (repairs: readonly Repair[]): string[] =>
  repairs.map((repair) => repair.map(({ start, end }) => `${start.line}-${end.line}`).join(' ')).sort();

/** All operations, each in one block. */
const whole = (operations: number): Repair =>
  Array.from({ length: operations }, (_, k) => lines(100 * k + 1, 100 * k + 99));

test('blocks that overlap are one', () => {
  expect(textOf([merged([lines(8, 9), lines(1, 4), lines(3, 6)])])).toEqual(['1-6 8-9']);
  expect(merged([lines(1, 2), { ...lines(2, 3), file: 'other' }])).toHaveLength(2);
});

describe('repairs of several traces', () => {
  test('one of each trace, together, and the smallest only', () => {
    const one = [[lines(1, 2)], [lines(5, 6)]];
    const other = [[lines(1, 3)], [lines(8, 9)]];
    expect(textOf(combine([one, other]).repairs)).toEqual(['1-2 8-9', '1-3', '5-6 8-9']);
    expect(textOf(combine([one, [...other, [lines(5, 6)]]]).repairs)).toEqual(['1-2 8-9', '1-3', '5-6']);
  });

  test('a trace without repairs has no combined repair', () => {
    expect(combine([[[lines(1, 2)]], []]).repairs).toEqual([]);
  });

  test('a combination that is cut off says so', () => {
    const traces = [0, 10, 20].map((n) => [[lines(n, n + 1)], [lines(n + 3, n + 4)]]);
    expect(combine(traces)).toMatchObject({ isCut: false, repairs: { length: 8 } });
    expect(combine(traces, 3)).toMatchObject({ isCut: true, repairs: { length: 3 } });
  });
});

test('a repair forbids what it is an eliminator of, and nothing that it is not', () => {
  const random = new Random(4);
  let some = 0;
  for (let i = 0; i < 300; i++) {
    const trace = randomTrace(random);
    const operations = operationsOf(trace);
    const sets = eliminatorsByBruteForce(trace);
    for (const own of sets) {
      const repair = own.map(({ operation, from, to }) => blockOf(operations[operation].slice(from, to + 1)));
      expect(forbids(repair, trace, linePlace)).toBe(true);
      some++;
      // one event less, and it is none
      const { operation, from, to } = own[0];
      const less = [...repair.slice(1)];
      if (to - from > 1) less.push(blockOf(operations[operation].slice(from + 1, to + 1)));
      expect(forbids(less, trace, linePlace)).toBe(false);
    }
    if (sets.length === 0) expect(forbids(whole(operations.length), trace, linePlace)).toBe(false);
  }
  expect(some).toBeGreaterThan(50);
});

test('repairs that forbid less of what was right come first, then smaller ones', () => {
  const passing = [
    drawnTrace(['A0 r x', 'B1 w x', 'A0 w x'], { isTimed: false }),
    drawnTrace(['A0 r y', 'A0 r x', 'B1 w x'], { isTimed: false }),
  ];
  const repairs = [[lines(1, 3)], [lines(7, 9)], [lines(5, 6)]];
  expect(
    ranked(repairs, passing, linePlace).map(({ repair, ...rest }) => [textOf([repair])[0], rest]),
  ).toEqual([
    ['5-6', { forbidden: 0, rank: 1 }],
    ['7-9', { forbidden: 0, rank: 1 }],
    ['1-3', { forbidden: 1, rank: 3 }],
  ]);
});

describe('the block of a segment', () => {
  const event = (levels: AccessEvent['levels']): AccessEvent => ({
    thread: 0,
    operation: 0,
    location: 0,
    isChange: false,
    levels,
  });
  const at = (frame: number, site: number, rounds?: number) => ({
    frame,
    site,
    loops: rounds === undefined ? [] : [{ loop: 3, body: 5, rounds }],
  });
  const linesOf = (...levels: AccessEvent['levels'][]): string => textOf([[blockOf(levels.map(event))]])[0];

  test('lies in the innermost function that all of it happened in', () => {
    expect(linesOf([at(0, 8)], [at(0, 9)])).toBe('8-9');
    expect(linesOf([at(0, 8), at(1, 20)], [at(0, 8), at(1, 22)])).toBe('20-22');
    expect(linesOf([at(0, 8), at(1, 20)], [at(0, 8), at(2, 22)])).toBe('8-8');
    expect(linesOf([at(0, 8), at(1, 20)], [at(0, 11)])).toBe('8-11');
  });

  test('lies in the innermost function of all accesses, not only of the first and the last', () => {
    expect(linesOf([at(0, 8), at(1, 20)], [at(0, 8)], [at(0, 8), at(1, 22)])).toBe('8-8');
    expect(linesOf([at(0, 8), at(1, 20)], [], [at(0, 8), at(1, 22)])).toBe('20-22');
    expect(sourceBlock([event([]), event([])], linePlace)).toBeUndefined();
  });

  test('is as wide as its accesses, in whatever order these come', () => {
    expect(linesOf([at(0, 9)], [at(0, 8)])).toBe('8-9');
    expect(linesOf([at(0, 8)], [at(0, 2)], [at(0, 9)])).toBe('2-9');
  });

  test('begins with a loop that it goes around in', () => {
    expect(linesOf([at(0, 6, 1)], [at(0, 7, 1)])).toBe('6-7');
    expect(linesOf([at(0, 6, 1)], [at(0, 7, 2)])).toBe('3-7');
    // line 4 is the test of the loop
    expect(linesOf([at(0, 4, 1)], [at(0, 6, 2)])).toBe('4-6');
    expect(linesOf([at(0, 6, 1)], [at(0, 4, 1)])).toBe('3-6');
    expect(linesOf([at(0, 1)], [at(0, 6, 1)])).toBe('1-6');
  });
});
