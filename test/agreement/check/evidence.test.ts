/**
 * Verdicts and their evidence agree with brute force: every object × algorithm × initial value, with values that are
 * easily confused, pending and failed operations, equal time stamps and "after".
 *
 * For each algorithm that applies to a history, five claims are compared: the verdict, the faulty operation, the
 * allowed results, the reasons of refusals, and that the core is minimal if it claims to be.
 *
 * `AGREE=all` compares more than a million times; a plain run takes a share.
 */
import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/base/random.js';
import { show } from '../../../src/base/values/show.js';
import type { Algorithm } from '../../../src/check/algorithms.js';
import { check } from '../../../src/check/check.js';
import type { Counterexample, Longest, Verdict } from '../../../src/check/model/verdict.js';
import { AlgorithmError } from '../../../src/check/search/choose-search.js';
import { verifyWitness } from '../../../src/check/verify-witness.js';
import { draw } from '../../../src/history/drawing/sketch.js';
import type { History } from '../../../src/history/history.js';
import type { Operation } from '../../../src/history/model/operation.js';
import type { Spec } from '../../../src/spec/spec.js';
import { EVIDENCE_SUBJECTS } from '../../support/fixtures/evidence-subjects.js';
import { randomHistory, type Subject } from '../../support/generators/random-history.js';
import { simulate, withCorruptedResult } from '../../support/generators/simulated.js';
import {
  faultOf,
  needlessWaitOf,
  outcomeText,
  partOf,
  saidOf,
  superfluousIn,
} from '../../support/oracles/brute-force-evidence.js';
import { choices, isLinearizable, textOf } from '../../support/oracles/oracle.js';
import { share } from '../../support/share.js';

const HISTORIES = Number(process.env.EVIDENCE ?? share(400, 3));
const OPERATIONS = 7;
const ALGORITHMS: readonly Algorithm[] = [
  'auto',
  'monitor',
  'search',
  'jit-graph',
  'jit-breadth',
  'jit-tree',
  'wg-graph',
  'wg-tree',
  'queue',
  'stack',
  'competition',
];

type Complain = (what: string) => Error;

/** The verdict; undefined if the algorithm does not apply. */
function verdictOf(history: History, spec: Spec, algorithm: Algorithm): Verdict | undefined {
  try {
    return check(history, spec, { algorithm });
  } catch (error) {
    if (error instanceof AlgorithmError) return undefined;
    throw error;
  }
}

/** The evidence of a safety violation is what brute force finds. */
function expectEvidence(history: History, spec: Spec, found: Counterexample, complain: Complain): void {
  const { cause, core, isFirst, allowedIsComplete, failure } = found;
  if (failure !== undefined) throw complain(`the explanation failed: ${failure}`);
  if (!isFirst || !allowedIsComplete) throw complain('a small history exceeds the limits');
  const expected = faultOf(partOf(history, spec, cause.operation), spec);
  if (expected?.operation !== cause.operation)
    throw complain(`the faulty operation is ${cause.operation}, not ${expected?.operation}`);
  const allowed = cause.allowed.map((outcome) => outcomeText(outcome, history)).sort();
  if (allowed.join() !== expected.allowed.join())
    throw complain(`allowed: ${allowed.join()}, not ${expected.allowed.join()}`);
  if ([...cause.refused].sort().join() !== expected.refused.join())
    throw complain(`refused: ${cause.refused.join()}, not ${expected.refused.join()}`);
  const own = faultOf(core, spec);
  // two additions that exclude each other name sums that others have made
  const isWhole = cause.kind === 'stuck' || spec.family?.kind !== 'fetch-and-add';
  if (!own || (isWhole && own.operation !== cause.operation))
    throw complain(`the core is at fault at ${own?.operation}`);
  if (cause.kind === 'late') throw complain('a small violation is not explained');
  const end = history.at(history.positionsById()[cause.operation]).return;
  const later = [...core].filter(({ id }) => history.at(history.positionsById()[id]).call > end);
  if (later.length > 0 && found.minimal) throw complain(`the core has a later call, ${later[0].id}`);
  if (cause.kind === 'stuck')
    for (const longest of cause.longest) expectOrder(longest, cause.operation, core, spec, complain);
  if (cause.kind === 'unreached') {
    const { found, sum } = sumBefore(history, spec, cause.operation, end);
    if (cause.sum !== sum || found === sum) throw complain(`the sum is ${cause.sum}, not ${sum}`);
  }
  if (found.minimal) expectMinimal(found, history, spec, complain);
}

/** An order that a report prints: it includes all earlier returns, and gives the state and the results that it names. */
function expectOrder(
  { order, state, answers }: Longest,
  fault: number,
  core: History,
  spec: Spec,
  complain: Complain,
): void {
  const rows = new Map([...core].map((row) => [row.id, row]));
  const end = (rows.get(fault) as Operation).return;
  const done = new Set<number>();
  let states: unknown[] = [spec.initial];
  for (const id of order) {
    const row = rows.get(id) as Operation;
    for (const other of rows.values())
      if (other.return < row.call && !done.has(other.id)) throw complain(`${id} comes before ${other.id}`);
    done.add(id);
    states = states.flatMap((own) =>
      choices(spec, own, row)
        .filter(
          ({ outcome }) =>
            row.outcome.kind === 'pending' || outcomeText(outcome, core) === outcomeText(row.outcome, core),
        )
        .map(({ next }) => next),
    );
  }
  const missing = [...rows.values()].find(({ id, return: own }) => own < end && !done.has(id));
  if (missing || done.has(fault))
    throw complain(`the order has not just the earlier returns: ${order.join()}`);
  // equal maps and sets may list their entries in another order
  const sorted = (text: string) =>
    text
      .split(/([,{}[\]])/)
      .map((piece) => piece.trim())
      .sort()
      .join();
  const setOf = (texts: readonly string[]) => [...new Set(texts.map(sorted))].sort().join('\n');
  const texts = states.map((own) => spec.describeState?.(own) ?? show(own));
  if (setOf(texts) !== setOf(state.split(' or ')))
    throw complain(`the state is ${texts.join(' or ')}, not ${state}`);
  const last = rows.get(fault) as Operation;
  const would = states.flatMap((own) => choices(spec, own, last));
  const results = new Set(would.map(({ outcome }) => outcomeText(outcome, core)));
  // only "after" excludes a result that the state allows
  const expected = results.has(outcomeText(last.outcome, core)) ? new Set<string>() : results;
  const given = new Set(answers.map((outcome) => outcomeText(outcome, core)));
  if (setOf([...given]) !== setOf([...expected]))
    throw complain(`it would give ${[...expected].join()} after ${order.join()}, not ${[...given].join()}`);
}

/** The sum of the additions that gave less than an operation found, up to its return. */
function sumBefore(history: History, spec: Spec, operation: number, end: number) {
  const { add } = spec.family?.roles ?? {};
  const resultOf = ({ outcome }: Operation) =>
    outcome.kind === 'returned' ? (outcome.value as number) : Number.NaN;
  const adds = [...history].filter(({ method, call }) => method === add && call < end);
  const sign = Math.sign(adds.find(({ args }) => args[0] !== 0)?.args[0] as number) || 1;
  const found = resultOf(history.at(history.positionsById()[operation]));
  const before = adds.filter((row) => sign * resultOf(row) < sign * found);
  const initial = spec.family?.initial as number;
  return { found, sum: before.reduce((sum, { args }) => sum + (args[0] as number), initial) };
}

/**
 * No operation can be left out: the same would be said of the faulty one. Without any unit of the core, the rest is
 * linearizable; or allows other results, if the core shows the results.
 */
function expectMinimal(
  { core, cause }: Counterexample,
  history: History,
  spec: Spec,
  complain: Complain,
): void {
  const single = superfluousIn(core, cause.operation, (some) => saidOf(some, spec));
  if (single !== undefined) throw complain(`operation ${single} can be left out of\n${draw(core)}`);
  const whole = faultOf(core, spec);
  for (const unit of unitsOf(core, history, spec, cause.operation)) {
    const rest = faultOf(
      core.select((k) => !unit.includes(core.columns.id[k])),
      spec,
    );
    if (!rest || rest.operation !== cause.operation) continue;
    const showsResults = cause.kind === 'stuck';
    const isSame =
      rest.allowed.join() === whole?.allowed.join() && rest.refused.join() === whole?.refused.join();
    if (isSame || !showsResults)
      throw complain(`operations ${unit.join()} can be left out of\n${draw(core)}`);
  }
}

/** What can be left out soundly: an operation that changes no state; all operations on a value of a container. */
function unitsOf(core: History, history: History, spec: Spec, fault: number): number[][] {
  const calls = [...history].map(({ method, args }) => [method, ...args.map(textOf)]);
  const isCalled = (method: string, ...args: unknown[]) =>
    calls.some((call) => [method, ...args.map(textOf)].every((own, i) => own === call[i]));
  const reads = [...core]
    .filter(
      ({ id, method, args, outcome }) => id !== fault && spec.readOnly?.(method, args, outcome, isCalled),
    )
    .map(({ id }) => [id]);
  const { kind, roles = {}, initial, empty } = spec.family ?? {};
  if (!['queue', 'stack', 'priority-queue'].includes(kind as string)) return reads;
  const touched = ({ method, args, outcome }: Operation): string | undefined =>
    method === roles.add
      ? textOf(args[0])
      : outcome.kind === 'returned' && outcomeText(outcome, core) !== textOf(empty)
        ? textOf(outcome.value)
        : undefined;
  const values = new Map<string, number[]>();
  for (const row of core) {
    const value = touched(row);
    if (value !== undefined) values.set(value, [...(values.get(value) ?? []), row.id]);
  }
  // neither initial values, nor one that equals the result of an empty container
  for (const value of [...((initial ?? []) as unknown[]), empty])
    values.delete(outcomeText({ kind: 'returned', value }, core));
  return [...reads, ...[...values.values()].filter((unit) => !unit.includes(fault))];
}

const counts = { compared: 0, violations: 0, witnesses: 0, minimal: 0, minimalWaits: 0, longViolations: 0 };

function expectAgreement(history: History, spec: Spec): void {
  const expected = isLinearizable(history, spec);
  for (const algorithm of ALGORITHMS) {
    const complain: Complain = (what) =>
      new Error(`${algorithm}: ${what} (brute force: ${expected}); ${spec.name}\n${draw(history)}`);
    const verdict = verdictOf(history, spec, algorithm);
    if (!verdict) continue;
    counts.compared++;
    if (verdict.kind !== (expected ? 'linearizable' : 'violation')) throw complain(`says ${verdict.kind}`);
    if (verdict.kind === 'linearizable') {
      counts.witnesses++;
      const fault = verifyWitness(history, spec, verdict.witness);
      if (fault) throw complain(`the witness breaks ${fault.rule}`);
    } else if (verdict.kind === 'violation' && verdict.counterexample.property === 'safety') {
      counts.violations++;
      counts.compared += 4;
      expectEvidence(history, spec, verdict.counterexample, complain);
      if (verdict.counterexample.minimal) counts.minimal++;
    } else if (verdict.kind === 'violation' && verdict.counterexample.minimal) {
      const { core, cause } = verdict.counterexample;
      const single = superfluousIn(core, cause.operation, (some) =>
        needlessWaitOf(some, spec, cause.operation),
      );
      if (single !== undefined) throw complain(`operation ${single} can be left out of\n${draw(core)}`);
      counts.minimalWaits++;
    }
  }
}

/** Plain histories suit monitors; the others have pending, failed and "after". */
const variants = (subject: Subject): Subject[] =>
  [true, false].filter((plain) => plain || !subject.sequential).map((plain) => ({ ...subject, plain }));

describe.each(EVIDENCE_SUBJECTS)('%s', (_, subject) => {
  test('verdicts and evidence agree with brute force', () => {
    const random = new Random(2027);
    for (const variant of variants(subject))
      for (let i = 0; i < HISTORIES; i++)
        expectAgreement(
          randomHistory({ ...variant, fromFile: i % 2 === 0 }, random, OPERATIONS),
          subject.spec,
        );
  });
});

const LONG_HISTORIES = Number(process.env.EVIDENCE_LONG ?? share(20, 1));
/** Steps of a check: one that exceeds them says nothing. Its evidence is examined with more. */
const CHECK_STEPS = share(100_000, 20_000);
const LIMITS = { maxSteps: share(1_000_000, 20_000) };

/** Operations of a core that brute force decides in milliseconds. */
const LONGEST_CORE = 9;

/** Longer than any search for the faulty operation may take: the evidence is exact or says that it is not. */
function expectLongEvidence(history: History, spec: Spec): boolean {
  const verdict = check(history, spec, { maxSteps: CHECK_STEPS });
  if (verdict.kind !== 'violation') return false;
  const { cause, isFirst, failure } = verdict.counterexample;
  expect(failure).toBeUndefined();
  const part = partOf(history, spec, cause.operation);
  const moment = part.columns.return[part.positionsById()[cause.operation]];
  const upTo = (last: number) => check(part.prefix(last), spec, LIMITS).kind;
  if (isFirst) expect(upTo(moment - 1)).not.toBe('violation');
  const { core, minimal } = verdict.counterexample;
  if (minimal && core.length <= LONGEST_CORE)
    expect(superfluousIn(core, cause.operation, (some) => saidOf(some, spec))).toBeUndefined();
  expect(upTo(moment)).not.toBe('linearizable');
  return true;
}

test.each(EVIDENCE_SUBJECTS)('long histories of %s', (_, { spec, calls }) => {
  const random = new Random(2028);
  const draw = (own: Random) => own.pick(calls);
  for (let i = 0; i < LONG_HISTORIES; i++) {
    const run = simulate(
      { spec, draw, operations: share(300, 60), processes: share(8, 4), crashes: 10 },
      random,
    );
    if (expectLongEvidence(withCorruptedResult(run, random), spec)) counts.longViolations++;
  }
});

describe('a violation survives the failure of its explanation', () => {
  test.each(EVIDENCE_SUBJECTS)('of %s', (_, subject) => {
    const random = new Random(2029);
    let isArmed = false;
    const guarded = <T>(value: T): T => {
      if (isArmed) throw new TypeError('planted');
      return value;
    };
    const { family, readOnly, ...rest } = subject.spec;
    const fragile = {
      ...rest,
      ...(readOnly && { readOnly: (...given: Parameters<typeof readOnly>) => guarded(readOnly(...given)) }),
      get name() {
        return guarded(rest.name);
      },
      get family() {
        return guarded(family);
      },
      get methods() {
        return guarded(rest.methods);
      },
    } as Spec;
    for (let i = 0; i < HISTORIES; i++) {
      const history = randomHistory(
        { ...subject, plain: i % 2 === 0 || subject.sequential === true },
        random,
        OPERATIONS,
      );
      for (const algorithm of ['auto', 'search', 'jit-graph'] as const) {
        const expected = check(history, subject.spec, { algorithm }).kind;
        isArmed = false;
        const onViolation = () => {
          isArmed = true;
        };
        const verdict = check(history, fragile, { algorithm, onViolation });
        isArmed = false;
        expect(verdict.kind).toBe(expected);
        if (verdict.kind === 'violation') expect(verdict.counterexample.failure).toContain('planted');
      }
    }
  });
});

test('the matrix compares verdicts of both kinds', () => {
  expect(counts.violations).toBeGreaterThan(HISTORIES * 20);
  expect(counts.witnesses).toBeGreaterThan(HISTORIES * 20);
  expect(counts.minimal).toBeGreaterThan(HISTORIES * 20);
  expect(counts.minimalWaits).toBeGreaterThan(0);
  expect(counts.longViolations).toBeGreaterThan((EVIDENCE_SUBJECTS.length * LONG_HISTORIES) / 6);
  if (process.env.AGREE === 'all') expect(counts.compared).toBeGreaterThan(1_000_000);
});
