/**
 * Prefixes of containers, decided by their monitors, agree with brute force: each prefix of random histories, with
 * removals that it cuts off, initial values, duplicates and pending operations. In longer histories, the evidence of
 * violations agrees with decisions of each prefix and each result.
 */
import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/base/random.js';
import { check } from '../../../src/check/check.js';
import { decideByMonitor, decidePrefix, isContainer } from '../../../src/check/counterexample/prefixes.js';
import { Budget } from '../../../src/check/model/budget.js';
import type { Part } from '../../../src/check/parts/parts.js';
import { partsOf } from '../../../src/check/parts/parts.js';
import { verifyWitness } from '../../../src/check/verify-witness.js';
import { draw } from '../../../src/history/drawing/sketch.js';
import type { History } from '../../../src/history/history.js';
import { NEVER, RETURNED } from '../../../src/history/model/columns.js';
import type { Spec } from '../../../src/spec/spec.js';
import { EVIDENCE_SUBJECTS } from '../../support/fixtures/evidence-subjects.js';
import { randomHistory } from '../../support/generators/random-history.js';
import { simulate, withCorruptedResult } from '../../support/generators/simulated.js';
import { outcomeText } from '../../support/oracles/brute-force-evidence.js';
import { isLinearizable } from '../../support/oracles/oracle.js';
import { share } from '../../support/share.js';

const HISTORIES = share(2_000, 12);
const LONG_HISTORIES = share(20, 1);
const OPERATIONS = 8;
const LIMITS = { maxSteps: 1_000_000, timeout: 60_000, maxMemory: 2 ** 29 };
const KINDS = ['queue', 'stack', 'priority-queue'];
const CONTAINERS = EVIDENCE_SUBJECTS.filter(([, { spec }]) => KINDS.includes(spec.family?.kind ?? ''));

/** Those of which monitors decide most histories. */
const DISTINCT = CONTAINERS.filter(
  ([, { fresh = [], freshFirst = [] }]) => fresh.length + freshFirst.length > 0,
);

const counts = { linearizable: 0, violations: 0, claims: 0 };

/** Whether the prefix cuts operations off. */
const cutsOff = ({ columns, length }: History): boolean =>
  Array.from({ length }).some((_, k) => columns.return[k] === NEVER && columns.status[k] === RETURNED);

function expectDecision(part: Part, prefix: History): void {
  const expected = isLinearizable(prefix, part.spec);
  const complain = (by: string, what: string) =>
    new Error(`${by}: ${what} (brute force: ${expected}); ${part.spec.name}\n${draw(prefix)}`);
  const decisions = {
    'the monitor': decideByMonitor(part, prefix, new Budget(LIMITS)),
    both: decidePrefix(part, prefix, () => part.machine, new Budget(LIMITS)),
  };
  for (const [by, decision] of Object.entries(decisions)) {
    if (decision === 'unknown') continue;
    if (decision instanceof Int32Array !== expected) throw complain(by, 'says the opposite');
    if (decision instanceof Int32Array && verifyWitness(prefix, part.spec, { order: decision }))
      throw complain(by, `the linearization ${decision.join()} is none`);
    if (by === 'both' || !cutsOff(prefix)) continue;
    counts[expected ? 'linearizable' : 'violations']++;
  }
}

describe.each(CONTAINERS)('%s', (_, subject) => {
  test('all prefixes agree', () => {
    const random = new Random(2030);
    const isDistinct = DISTINCT.some(([, own]) => own === subject);
    for (let i = 0; i < (isDistinct ? 4 : 1) * HISTORIES; i++) {
      const history = randomHistory({ ...subject, plain: true, fromFile: i % 2 === 0 }, random, OPERATIONS);
      const [part] = partsOf(history, () => subject.spec, { monitors: true });
      expect(isContainer(part)).toBe(true);
      history.columns.events.forEach((event, moment) => {
        if (event < 0) expectDecision(part, history.prefix(moment));
      });
    }
  });
});

/** What the evidence of a history claims, decided for each value by itself. */
function expectClaims(history: History, spec: Spec): void {
  const isPossible = (prefix: History) => check(prefix, spec, { maxSteps: 5_000 }).kind;
  const verdict = check(history, spec, { maxSteps: 20_000 });
  if (verdict.kind !== 'violation') return;
  const { cause, isFirst, allowedIsComplete } = verdict.counterexample;
  const k = history.positionsById()[cause.operation];
  const moment = history.columns.return[k];
  const prefix = history.prefix(moment);
  if (isFirst && moment > 0) expect(isPossible(history.prefix(moment - 1))).not.toBe('violation');
  expect(isPossible(prefix)).not.toBe('linearizable');
  const { add } = spec.family?.roles ?? {};
  if (!allowedIsComplete || history.tables.methods[history.columns.method[k]] === add) return;
  const known = new Set(cause.allowed.map((outcome) => outcomeText(outcome, history)));
  const values = [...prefix].flatMap(({ method, args }) => (method === add ? [args[0]] : []));
  for (const value of [
    spec.family?.empty,
    ...((spec.family?.initial ?? []) as unknown[]),
    ...values.slice(-20),
  ]) {
    const outcome = { kind: 'returned', value } as const;
    const isAllowed = known.has(outcomeText(outcome, history));
    expect(isPossible(prefix.withOutcome(k, outcome))).not.toBe(isAllowed ? 'violation' : 'linearizable');
    counts.claims++;
  }
}

test.each(DISTINCT)(
  'the evidence of longer histories of %s',
  (_, { spec, calls, fresh = [], freshFirst = [] }) => {
    const random = new Random(2031);
    for (let i = 0; i < LONG_HISTORIES; i++) {
      let next = 0;
      const draw = (own: Random) => {
        const [method, ...args] = own.pick(calls);
        if (fresh.includes(method)) args[args.length - 1] = ++next;
        if (freshFirst.includes(method)) args[0] = ++next;
        return [method, ...args] as (typeof calls)[number];
      };
      const run = simulate({ spec, draw, operations: 60, processes: 6, crashes: i % 2 }, random);
      expectClaims(withCorruptedResult(run, random), spec);
    }
  },
);

test('monitors decide prefixes of both kinds that cut operations off', () => {
  expect(counts.linearizable).toBeGreaterThan(10 * HISTORIES);
  expect(counts.violations).toBeGreaterThan(HISTORIES);
  expect(counts.claims).toBeGreaterThan(50 * LONG_HISTORIES);
});
