import { expect, test } from 'vitest';
import { type Coverage, type Engine, type Finding, noEffort } from '../model/engine.js';
import { Competition } from './competition.js';

/** Is done after so many sips. */
function engine(sips: number, coverage: Coverage | undefined, found?: Finding): Engine & { fuel: number } {
  let left = sips;
  const own = {
    name: String(sips),
    fuel: 0,
    effort: noEffort(),
    advance,
    coverage: undefined as Coverage | undefined,
  };
  function advance(fuel: number): Finding | 'done' | undefined {
    own.fuel += fuel;
    own.effort.executions++;
    if (--left > 0) return undefined;
    own.coverage = coverage;
    return found ?? 'done';
  }
  return own;
}
const ALL: Coverage = { kind: 'all' };

test('whoever is done first is done for both', () => {
  const [slow, fast] = [engine(9, ALL), engine(3, ALL)];
  const both = new Competition([() => slow, () => fast]);
  expect([both.advance(100), both.advance(100), both.advance(100)]).toEqual([undefined, undefined, 'done']);
  expect(both.coverage).toEqual(ALL);
  expect([slow.fuel, fast.fuel]).toEqual([150, 150]);
  expect(both.effort.executions).toBe(6);
});

test('one that knows less than all drops out, and the other goes on alone', () => {
  const [blind, other] = [engine(1, undefined), engine(3, ALL)];
  const both = new Competition([() => blind, () => other]);
  expect([both.advance(100), both.advance(100), both.advance(100)]).toEqual([undefined, undefined, 'done']);
  expect([blind.fuel, other.fuel]).toEqual([50, 250]);
});

test('where none knows all, it is done without saying so', () => {
  const [one, two] = [engine(1, undefined), engine(2, undefined)];
  const both = new Competition([() => one, () => two]);
  expect([both.advance(100), both.advance(100)]).toEqual([undefined, 'done']);
  expect(both.coverage).toBeUndefined();
});

test('what one finds is found', () => {
  const finding: Finding = { kind: 'wait', operation: 1, schedule: [0] };
  const [slow, fast] = [engine(5, ALL), engine(1, undefined, finding)];
  expect(new Competition([() => slow, () => fast]).advance(100)).toBe(finding);
});

test('where the first is done at once, the second never begins', () => {
  const never = (): Engine => {
    throw new Error('begun');
  };
  expect(new Competition([() => engine(1, ALL), never]).advance(100)).toBe('done');
});
