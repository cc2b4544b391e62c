/**
 * The clock decides nothing but time limits: a check gives the same report, byte for byte, whether the clock runs fast,
 * slowly, or jumps at every look. With a time limit of the user, the report may be shorter, and says so.
 */
import { afterEach, describe, expect, test } from 'vitest';
import { clock } from '../../../src/base/clock.js';
import { Random } from '../../../src/base/random.js';
import type { Algorithm } from '../../../src/check/algorithms.js';
import { check } from '../../../src/check/check.js';
import { Budget } from '../../../src/check/model/budget.js';
import type { Verdict } from '../../../src/check/model/verdict.js';
import { OnlineMonitor } from '../../../src/check/online/monitor.js';
import { AlgorithmError } from '../../../src/check/search/choose-search.js';
import { measureConsistency } from '../../../src/consistency/measure.js';
import type { History } from '../../../src/history/history.js';
import { queue } from '../../../src/objects/collections/container.js';
import { jsonReport } from '../../../src/report/json/json.js';
import { textReport } from '../../../src/report/text/report.js';
import { styleOf } from '../../../src/report/text/style.js';
import { runMethod } from '../../../src/spec/machine/state-space.js';
import type { AnySpec } from '../../../src/spec/rendezvous/sync-spec.js';
import type { Spec } from '../../../src/spec/spec.js';
import { EVIDENCE_SUBJECTS } from '../../support/fixtures/evidence-subjects.js';
import { rendezvousSubjects } from '../../support/fixtures/rendezvous-subjects.js';
import { randomHistory } from '../../support/generators/random-history.js';
import { randomRendezvous } from '../../support/generators/random-rendezvous.js';
import { simulate, withCorruptedResult } from '../../support/generators/simulated.js';
import { share } from '../../support/share.js';

const real = clock.now;
afterEach(() => {
  clock.now = real;
});

/** Each function makes a clock. */
const CLOCKS: Readonly<Record<string, () => () => number>> = {
  'a minute at each look': () => {
    let looks = 0;
    return () => 60_000 * looks++;
  },
  stopped: () => () => 0,
  ...share({ fast: () => () => 1_000 * real(), slow: () => () => real() / 1_000 }, {}),
};
const ALGORITHMS: readonly Algorithm[] = ['auto', 'search', 'competition', 'jit-breadth', 'wg-graph'];

/** All that is reported of a history by an algorithm; undefined if the algorithm is not for it. */
function reportOf(history: History, spec: AnySpec, algorithm: Algorithm): string | undefined {
  let verdict: Verdict;
  try {
    verdict = check(history, spec, { algorithm, maxSteps: 200_000 });
  } catch (error) {
    if (error instanceof AlgorithmError) return undefined;
    throw error;
  }
  const consistency =
    verdict.kind === 'violation' ? measureConsistency(history, () => spec, { brief: true }) : undefined;
  const ms = { read: 0, check: 0 };
  const checked = { file: 'h.jsonl', spec: spec.name, history, verdict, ms, consistency };
  const { steps, configurations } = verdict.stats;
  const json = JSON.stringify(jsonReport(checked, { witness: true }));
  return `${steps} ${configurations}\n${json}\n${textReport(checked, styleOf({}))}`;
}

let violations = 0;

/** Compares the reports under all clocks; returns whether the history is a violation. */
function expectSame(history: History, spec: AnySpec, algorithms: readonly Algorithm[]): boolean {
  let isViolation = false;
  for (const algorithm of algorithms) {
    const report = reportOf(history, spec, algorithm);
    if (report === undefined) continue;
    isViolation ||= report.includes('"verdict":"violation"');
    for (const [name, make] of Object.entries(CLOCKS)) {
      clock.now = make();
      expect(reportOf(history, spec, algorithm), `${algorithm}, clock: ${name}`).toBe(report);
      clock.now = real;
    }
  }
  if (isViolation) violations++;
  return isViolation;
}

/** Compares a few violations, if the generator finds them. */
function expectSameOfSome(make: () => History, spec: AnySpec, algorithms: readonly Algorithm[]): void {
  for (let i = 0, left = share(40, 1); i < 10 * share(40, 1) && left > 0; i++) {
    const history = make();
    if (check(history, spec).kind === 'violation' && expectSame(history, spec, algorithms)) left--;
  }
}

describe('the same report with every clock', () => {
  test('small histories', { timeout: 60_000 }, () => {
    const random = new Random(2101);
    const subjects = EVIDENCE_SUBJECTS.filter((_, i) => i % share(1, 5) === 0);
    for (const [, subject] of subjects)
      expectSameOfSome(() => randomHistory(subject, random, 7), subject.spec, ALGORITHMS);
  });

  test('rendezvous', { timeout: 60_000 }, () => {
    const random = new Random(2102);
    for (const subject of rendezvousSubjects)
      expectSameOfSome(() => randomRendezvous(subject, random, 8), subject.spec, ['auto']);
  });

  test('long histories, in which searches take turns', { timeout: 60_000 }, () => {
    const random = new Random(2103);
    const draw = (own: Random) => own.pick(CALLS);
    const run = () => simulate({ spec: opaque, draw, operations: 150, processes: 5, crashes: 10 }, random);
    expectSameOfSome(() => withCorruptedResult(run(), random), opaque, ['auto', 'competition']);
  });

  test('slices of a search, on which the turns of competing searches depend', () => {
    const slicesOf = (): number[] => {
      const search = endless(() => {});
      new Budget({ maxSteps: 100_000 }).run(search);
      return search.slices;
    };
    const expected = slicesOf();
    expect(expected.length).toBeGreaterThan(20);
    for (const make of Object.values(CLOCKS)) {
      clock.now = make();
      expect(slicesOf()).toEqual(expected);
    }
  });

  test('enough of these histories are violations', () => {
    expect(violations).toBeGreaterThan(30);
  });

  test('events of a stream', () => {
    const violationOf = (): unknown => {
      const monitor = new OnlineMonitor(queue());
      const events = [
        { type: 'call', process: 'A', method: 'enqueue', args: [1] },
        { type: 'return', process: 'A' },
        { type: 'call', process: 'A', method: 'enqueue', args: [2] },
        { type: 'return', process: 'A' },
        { type: 'call', process: 'B', method: 'dequeue', args: [] },
        { type: 'return', process: 'B', result: 2 },
      ] as const;
      const [violation] = events.flatMap((event) => monitor.push(event) ?? []);
      const { shown: _, ...rest } = violation;
      return rest;
    };
    const expected = violationOf();
    expect(expected).toMatchObject({ reason: { kind: 'overtaken' } });
    for (const make of Object.values(CLOCKS)) {
      clock.now = make();
      expect(violationOf()).toEqual(expected);
    }
  });
});

/** A register that no monitor knows. */
const opaque: Spec = {
  name: 'opaque register',
  initial: 0,
  methods: {
    write: (_state: number, value: number) => [value, undefined],
    read: (state: number) => [state, state],
  },
};

const CALLS = [['write', 1], ['write', 2], ['write', 3], ['read'], ['read']] as const;

/** A search that does something at each step, and notes the steps of each slice. */
const endless = (step: () => void) => ({
  name: 'endless',
  steps: 0,
  configurations: 0,
  bytes: 0,
  explained: 0,
  returns: 1,
  slices: [] as number[],
  advance(steps: number): undefined {
    for (let i = 0; i < steps; i++) step();
    this.steps += steps;
    this.slices.push(steps);
  },
});

describe('limits of the user', () => {
  const random = new Random(2104);
  const histories = Array.from({ length: 10 }, () =>
    withCorruptedResult(
      simulate({ spec: opaque, draw: (own) => own.pick(CALLS), operations: 200, processes: 4 }, random),
      random,
    ),
  );
  const history = histories.find((own) => check(own, opaque).kind === 'violation') as History;
  const violated = (verdict: Verdict) => {
    if (verdict.kind !== 'violation') throw new Error(`expected a violation, got ${verdict.kind}`);
    return verdict.counterexample;
  };

  test('a violation that is found in time is reported, and an explanation that is not says so', () => {
    const whole = violated(check(history, opaque));
    expect(whole).toMatchObject({ isFirst: true, allowedIsComplete: true });
    expect(whole).not.toHaveProperty('cutBy');
    let [now, step] = [0, 0];
    clock.now = () => {
      now += step;
      return now;
    };
    const cut = check(history, opaque, { timeout: 1_000, onViolation: () => (step = 3_000) });
    expect(violated(cut).cutBy).toBe('time');
    expect(violated(cut).cause.operation).toBe(whole.cause.operation);
    const ms = { read: 0, check: 0 };
    const checked = { file: 'h.jsonl', spec: opaque.name, history, verdict: cut, ms };
    expect(textReport(checked, styleOf({}))).toContain('The explanation ended early: time limit reached.');
    expect(jsonReport(checked)).toMatchObject({ counterexample: { cutBy: 'time' } });
  });

  test('shouldStop ends an explanation, too', () => {
    let isFound = false;
    const onViolation = () => {
      isFound = true;
    };
    const cut = check(history, opaque, { shouldStop: () => isFound, onViolation });
    expect(violated(cut).cutBy).toBe('interrupted');
  });

  test('an explanation counts calls of the spec as several steps, so slow methods do not multiply its time', () => {
    let calls = 0;
    const spec = { ...opaque, methods: { read: (state: number) => [++calls && state, state] as const } };
    const budget = new Budget({}).explanation({ maxSteps: 9_000 });
    const search = endless(() => runMethod(spec, 0, 'read', []));
    expect(budget.run(search)).toBe('steps');
    expect(calls).toBeGreaterThan(500);
    expect(calls).toBeLessThan(1_500);
  });
});
