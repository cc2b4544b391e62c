import { expect, test } from 'vitest';
import type { Search, SearchResult } from '../model/search.js';
import { Competition } from './choose-search.js';

/** A search that finds a result after `length` steps. */
function runner(name: string, length: number): Search & { steps: number } {
  const answer: SearchResult = { kind: 'linearizable', witness: new Int32Array() };
  return {
    name,
    steps: 0,
    configurations: 1,
    bytes: 10,
    explained: 3,
    returns: 5,
    advance(stepBudget) {
      const spent = Math.min(stepBudget, length - this.steps);
      this.steps += spent;
      return this.steps === length ? answer : undefined;
    },
  };
}

function finish(search: Search): number {
  let calls = 1;
  while (!search.advance(10_000)) calls++;
  return calls;
}

test('an easy history is decided by the first search alone', () => {
  let started = 0;
  const search = new Competition([
    () => runner('first', 15_000),
    () => {
      started++;
      return runner('second', 1);
    },
  ]);
  finish(search);
  expect([search.name, started]).toEqual(['first', 0]);
});

test('the first result wins and costs at most twice its steps plus the head start', () => {
  const search = new Competition([() => runner('slow', 10_000_000), () => runner('quick', 50_000)]);
  finish(search);
  expect(search.name).toBe('quick');
  expect(search.steps).toBeLessThan(2 * 50_000 + 30_000);
  expect([search.configurations, search.bytes, search.explained, search.returns]).toEqual([2, 20, 3, 5]);
});

test('the step budget bounds the steps of one call', () => {
  const search = new Competition([() => runner('a', 1_000_000), () => runner('b', 1_000_000)]);
  for (let total = 0; total < 100_000; total += 7_000) {
    const before = search.steps;
    search.advance(7_000);
    expect(search.steps - before).toBeLessThan(7_000 + 2);
  }
});
