/**
 * Checks of rendezvous objects on random histories, against the rendezvous oracle: safety, progress, and the evidence
 * for each. `npm run test:nightly` checks over 100,000 histories; a plain test run a share.
 */
import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/base/random.js';
import type { Algorithm } from '../../../src/check/algorithms.js';
import { check } from '../../../src/check/check.js';
import type { Counterexample, Verdict } from '../../../src/check/model/verdict.js';
import { AlgorithmError } from '../../../src/check/search/choose-search.js';
import { verifyWitness } from '../../../src/check/verify-witness.js';
import { draw } from '../../../src/history/drawing/sketch.js';
import type { History } from '../../../src/history/history.js';
import type { SyncSpec } from '../../../src/spec/rendezvous/sync-spec.js';
import { exoticRendezvous, rendezvousSubjects } from '../../support/fixtures/rendezvous-subjects.js';
import { randomRendezvous } from '../../support/generators/random-rendezvous.js';
import { outcomeText, superfluousIn } from '../../support/oracles/brute-force-evidence.js';
import { type RendezvousFault, rendezvousFaultOf, truthOf } from '../../support/oracles/rendezvous-oracle.js';
import { share } from '../../support/share.js';

const HISTORIES = Number(process.env.RV ?? share(5_000, 25));
/** The two-step algorithm is slow: it decides every nth history. */
const TWO_STEPS_EVERY = 8;
const ALGORITHMS: readonly Algorithm[] = ['auto', 'rendezvous-jit', 'rendezvous-asap', 'matching', 'cover'];

/** The verdict of an algorithm; undefined if it does not support this object. */
function verdictOf(history: History, spec: SyncSpec, algorithm: Algorithm): Verdict | undefined {
  try {
    return check(history, spec, { algorithm });
  } catch (error) {
    if (error instanceof AlgorithmError) return undefined;
    throw error;
  }
}

/** The faulty operation and the allowed results are those of brute force; the core is a violation by itself. */
function expectTruth(
  history: History,
  { core, cause, property, isFirst, allowedIsComplete, failure, minimal }: Counterexample,
  spec: SyncSpec,
  expected: RendezvousFault | undefined,
  complain: Complain,
): void {
  if (failure !== undefined) throw complain(`the explanation failed: ${failure}`);
  const truth = truthOf(core, spec);
  if (property === 'safety' ? truth.safety : !truth.safety || truth.progress)
    throw complain(`the core is no violation of ${property}:\n${draw(core)}`);
  if (!core.positionsById().some((k, id) => k >= 0 && id === cause.operation))
    throw complain('the operation at fault is not in the core');
  if (property === 'safety') {
    if (!isFirst || !allowedIsComplete) throw complain('a small history exceeds the limits');
    if (cause.operation !== expected?.operation)
      throw complain(`the faulty operation is ${cause.operation}, not ${expected?.operation}`);
    const allowed = cause.allowed.map((outcome) => outcomeText(outcome, history)).sort();
    if (allowed.join() !== expected.allowed.join())
      throw complain(`allowed: ${allowed.join()}, not ${expected.allowed.join()}`);
  }
  if (minimal && property === 'safety') {
    const single = superfluousIn(core, cause.operation, (some) => rendezvousFaultOf(some, spec));
    if (single !== undefined) throw complain(`operation ${single} can be left out of\n${draw(core)}`);
  }
  if (cause.kind === 'unmatched') {
    const before = core.prefix(core.columns.events.length - 2);
    const rendezvous = cause.longest.rendezvous.map((members) => Int32Array.from(members));
    const fault = verifyWitness(before, spec, { order: new Int32Array(0), rendezvous });
    if (fault) throw complain(`the longest rendezvous break ${fault.rule}`);
  }
}

type Complain = (what: string) => Error;

function expectAgreement(history: History, spec: SyncSpec, algorithms: readonly Algorithm[]): string {
  const truth = truthOf(history, spec);
  const fault = truth.safety ? undefined : rendezvousFaultOf(history, spec);
  const expected = !truth.safety ? 'safety' : truth.progress ? 'holds' : 'progress';
  for (const algorithm of algorithms) {
    const verdict = verdictOf(history, spec, algorithm);
    if (!verdict) continue;
    const complain: Complain = (what) =>
      new Error(
        `${algorithm}: ${what} (oracle: ${expected}); ${spec.name}${history.stuck ? ', stuck' : ''}\n${draw(history)}`,
      );
    const actual =
      verdict.kind === 'violation'
        ? verdict.counterexample.property
        : verdict.kind === 'linearizable'
          ? 'holds'
          : 'undecided';
    if (actual !== expected) throw complain(`says ${actual}`);
    if (verdict.kind === 'linearizable') {
      const fault = verifyWitness(history, spec, verdict.witness);
      if (fault) throw complain(`its rendezvous break ${fault.rule}`);
    }
    if (verdict.kind === 'violation') expectTruth(history, verdict.counterexample, spec, fault, complain);
  }
  return expected;
}

const SUBJECTS = [
  ...rendezvousSubjects.map((subject) => [subject.spec.name, subject] as const),
  ...exoticRendezvous.map((subject) => [`${subject.spec.name} of exotic values`, subject] as const),
];

describe.each(SUBJECTS)('random histories of %s', (_, subject) => {
  test('agree with the oracle', () => {
    const random = new Random(2026);
    const counts = { holds: 0, safety: 0, progress: 0 };
    for (let i = 0; i < HISTORIES; i++) {
      const history = randomRendezvous(subject, random, 6);
      const algorithms: readonly Algorithm[] =
        i % TWO_STEPS_EVERY === 0 ? [...ALGORITHMS, 'two-step'] : ALGORITHMS;
      counts[expectAgreement(history, subject.spec, algorithms) as keyof typeof counts]++;
    }
    expect(Math.min(counts.holds, counts.safety)).toBeGreaterThan(0);
    expect(counts.progress).toBeGreaterThan(0);
  });
});
