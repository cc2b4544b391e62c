/** "Exhaustive" is a conclusion from assumptions: all combinations of what can happen to an exploration. */
import { expect, test } from 'vitest';
import { assumptionsOf, conclusionOf, type Explored, isExhaustive, type TestResult } from './result.js';

const place = { file: 'jobs.ts', line: 3, column: 1, name: 'f' };
const called = { ...place, isGivenShared: false };

const flags = [true, false];
/** All values of some fields, combined. */
function* combined(): Generator<{ readonly [name: string]: boolean }> {
  const names = [
    'interrupted',
    'abandoned',
    'cut',
    'uncovered',
    'endless',
    'hidden',
    'random',
    'bounded',
    'required',
    'missing',
    'uncompared',
  ];
  for (let bits = 0; bits < 1 << names.length; bits++)
    yield Object.fromEntries(names.map((name, i) => [name, (bits & (1 << i)) !== 0]));
}

const resultOf = (
  isCovered: boolean,
  isEndless: boolean,
  isBounded: boolean,
  isCompared: boolean,
): TestResult =>
  ({
    coverage:
      isCovered && !isEndless ? [isBounded ? { kind: 'bound', preemptions: 2 } : { kind: 'all' }] : [],
    violation: undefined,
    isCompared,
    unfinished: isEndless ? 4 : 0,
    unfinishedAt: isEndless ? [place] : [],
    races: [],
    replaced: [],
  }) as unknown as TestResult;

function exploredOf(facts: { readonly [name: string]: boolean }): Explored {
  const { interrupted, abandoned, cut, uncovered, endless, hidden, random, bounded, required, missing } =
    facts;
  const batch = {
    choice: random ? 'random' : 'all',
    threads: 2,
    callsPerThread: 2,
    isRequired: required,
    tests: missing ? [{}, {}] : [{}],
    results: [resultOf(!uncovered, endless, bounded, !facts.uncompared)],
  };
  return {
    scenario: { backend: 'instrumented' },
    batches: [batch] as unknown as Explored['batches'],
    isInterrupted: interrupted,
    hasAbandoned: abandoned,
    isCut: cut,
    hasTooManyTests: cut,
    limit: 'time',
    maxPreemptions: bounded ? 2 : undefined,
    maxSteps: 2_000,
    notes: { atomic: [{ ...called, isObserved: !hidden }], controlled: [] },
  };
}

/** The first test has a violation, so its other schedules were not run. */
function withViolation(facts: { readonly [name: string]: boolean }): Explored {
  const explored = exploredOf(facts);
  const violation = { kind: 'outcome', operation: 0, schedule: [] } as const;
  const batches = explored.batches.map((batch) => ({
    ...batch,
    results: batch.results.map((result) => ({ ...result, violation })),
  }));
  return { ...explored, batches };
}

test('nothing is exhaustive unless all that was asked for was explored and observed', () => {
  let exhaustive = 0;
  for (const facts of combined()) {
    const { interrupted, cut, uncovered, endless, hidden, random, bounded, required, missing } = facts;
    const assumptions = assumptionsOf(exploredOf(facts));
    const { verdict, reason } = conclusionOf(assumptions, [{ violation: undefined }]);
    const isWhole = !cut && (!required || !(uncovered || endless || missing));
    // a test that was not covered need not be compared
    const isUnknown = facts.uncompared && !uncovered && !endless;
    expect(verdict, JSON.stringify(facts)).toBe(
      isWhole && !interrupted && !hidden && !isUnknown ? 'holds' : 'undecided',
    );
    const isLess = bounded || (random && required);
    expect(isExhaustive(assumptions), JSON.stringify(facts)).toBe(verdict === 'holds' && !isLess);
    if (isExhaustive(assumptions)) exhaustive++;
    const failed = assumptions.filter(({ status }) => status === 'failed');
    expect(reason).toBe(failed[0]?.reason);
    for (const { name, reason: why, places } of failed) {
      expect(why).toBeDefined();
      if (name === 'steps' || name === 'accesses') expect(places).toEqual([place]);
    }
    if (hidden) expect(failed.map(({ name }) => name)).toContain('accesses');
    if (isUnknown) expect(failed.map(({ name }) => name)).toContain('instrumentation');
    expect(isExhaustive(assumptionsOf(withViolation(facts))), JSON.stringify(facts)).toBe(false);
  }
  expect(exhaustive).toBeGreaterThan(10);
});

test.each(flags)('a violation is reported whatever failed (interrupted: %s)', (isInterrupted) => {
  const [facts] = [...combined()];
  const assumptions = assumptionsOf({ ...exploredOf(facts), isInterrupted });
  const violation = { kind: 'outcome', operation: 0, schedule: [] } as const;
  expect(conclusionOf(assumptions, [{ violation }])).toEqual({ verdict: 'violation' });
  const [batch] = exploredOf(facts).batches;
  const results = [{ ...batch.results[0], violation }];
  const found = assumptionsOf({
    ...exploredOf(facts),
    batches: [{ ...batch, isRequired: true, tests: [...batch.tests, ...batch.tests], results }],
  });
  expect(found.find(({ status }) => status === 'failed')).toMatchObject({
    name: 'tests',
    reason: 'violation',
  });
});

test('no assumption at all is not exhaustive', () => {
  expect(isExhaustive([])).toBe(false);
});
