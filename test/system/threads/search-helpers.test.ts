/**
 * Checks with search helpers, against one thread: the verdicts are equal. Threads need built files, so this test imports
 * the built package.
 */
import { check, HistoryBuilder, verifyWitness } from 'straightedge';
import { stack } from 'straightedge/objects';
import { describe, expect, test } from 'vitest';

const SPECS = new URL('../../support/fixtures/helper-specs.mjs', import.meta.url);
const done = { kind: 'returned', value: undefined } as const;

/** For each object: pushes that all overlap, then pops that return these values. */
function pushesAndPops(pops: Readonly<Record<string, readonly number[]>>) {
  const builder = new HistoryBuilder();
  for (const [object, values] of Object.entries(pops)) {
    const calls = values.map((_, i) =>
      builder.call({ process: `${object}${i}`, object, method: 'push', args: [i] }),
    );
    for (const call of calls) builder.end(call, done);
    for (const value of values)
      builder.end(builder.call({ process: `${object}0`, object, method: 'pop' }), {
        kind: 'returned',
        value,
      });
  }
  return builder.finish();
}

const FINE = [3, 0, 6, 2, 5, 1, 4];
const WRONG = [3, 0, 6, 2, 5, 1, 9];
/** Competing searches start at once, and so do the helpers. */
const together = (data: unknown, module: URL = SPECS) => ({
  algorithm: 'jit-graph+wg-graph' as const,
  parallel: { jobs: 3, specModule: module, specData: data },
});

describe('a check with search helpers', () => {
  test('finds a witness that replays, for all parts together', () => {
    const history = pushesAndPops({ a: FINE, b: FINE, c: FINE, d: FINE });
    const verdict = check(history, stack(), together('stack'));
    if (verdict.kind !== 'linearizable') throw new Error(verdict.kind);
    expect(verifyWitness(history, stack(), verdict.witness)).toBeUndefined();
    expect(verdict.stats).toMatchObject({ parts: 4, decided: 4 });
  });

  test.each(['a', 'd'])('finds the violation in part %s, with its core, and ends', (wrong) => {
    const history = pushesAndPops({ a: FINE, b: FINE, c: FINE, d: FINE, [wrong]: WRONG });
    const verdict = check(history, stack(), together('stack'));
    if (verdict.kind !== 'violation') throw new Error(verdict.kind);
    const { part, core, cause } = verdict.counterexample;
    expect(part).toBe(wrong);
    expect(check(core, stack()).kind).toBe('violation');
    expect(history.at(cause.operation)).toMatchObject({ method: 'pop', object: wrong });
    expect(verdict.undecided).not.toContain(wrong);
  });

  test.each([
    ['whose module is not there', 'stack', new URL('../../support/fixtures/nowhere.mjs', import.meta.url)],
    ['whose module fails', 'fails', SPECS],
  ])('%s is no loss', (_, data, module) => {
    const history = pushesAndPops({ a: FINE, b: WRONG });
    expect(check(history, stack(), together(data, module)).kind).toBe('violation');
  });

  test('is undecided at its limits, and reports the progress of each part', () => {
    const history = pushesAndPops({ a: WRONG, b: WRONG });
    const verdict = check(history, stack(), { ...together('stack'), maxSteps: 3_000 });
    expect(verdict).toMatchObject({
      kind: 'undecided',
      reason: 'steps',
      unfinished: [{ part: 'a' }, { part: 'b' }],
    });
  });
});
