/** Expects a verdict on rendezvous together with its evidence; small histories are compared with the oracle. */
import { expect } from 'vitest';
import { check } from '../../../src/check/check.js';
import type { Counterexample } from '../../../src/check/model/verdict.js';
import { verifyWitness } from '../../../src/check/verify-witness.js';
import { draw } from '../../../src/history/drawing/sketch.js';
import type { History } from '../../../src/history/history.js';
import type { SyncSpec } from '../../../src/spec/rendezvous/sync-spec.js';
import { truthOf } from './rendezvous-oracle.js';

/** The largest history that the oracle decides. */
const SMALL = 10;

export function expectRendezvous(history: History, spec: SyncSpec): readonly Int32Array[] {
  const verdict = check(history, spec);
  if (verdict.kind !== 'linearizable')
    throw new Error(`expected rendezvous, got: ${verdict.kind}\n${draw(history)}`);
  expect(verifyWitness(history, spec, verdict.witness)).toBeUndefined();
  if (history.length <= SMALL) expect(truthOf(history, spec)).toEqual({ safety: true, progress: true });
  return verdict.witness.rendezvous ?? [];
}

export function expectNoRendezvous(
  history: History,
  spec: SyncSpec,
  property: 'safety' | 'progress' = 'safety',
): Counterexample {
  const verdict = check(history, spec);
  if (verdict.kind !== 'violation')
    throw new Error(`expected a violation, got: ${verdict.kind}\n${draw(history)}`);
  const { counterexample } = verdict;
  expect(counterexample.property).toBe(property);
  const { core } = counterexample;
  expect(check(core, spec).kind).toBe('violation');
  if (core.length <= SMALL) expect(truthOf(core, spec)[property]).toBe(false);
  return counterexample;
}
