/** Expects a verdict together with its evidence: the witness replays, or the core is a violation by itself. */
import { expect } from 'vitest';
import { type CheckOptions, check } from '../../../src/check/check.js';
import type { Counterexample } from '../../../src/check/model/verdict.js';
import { verifyWitness } from '../../../src/check/verify-witness.js';
import { draw } from '../../../src/history/drawing/sketch.js';
import type { History } from '../../../src/history/history.js';
import type { Methods } from '../../../src/history/model/operation.js';
import type { Spec } from '../../../src/spec/spec.js';
import { isLinearizable } from './oracle.js';

/** The largest core that the brute-force oracle decides. */
const SMALL = 12;

export function expectLinearizable<T extends Methods<T>>(history: History<T>, spec: Spec<T>): Int32Array {
  const verdict = check(history, spec);
  if (verdict.kind !== 'linearizable')
    throw new Error(`expected a linearization, got: ${verdict.kind}\n${draw(history as unknown as History)}`);
  expect(
    verifyWitness(history as unknown as History, spec as unknown as Spec, verdict.witness),
  ).toBeUndefined();
  return verdict.witness.order;
}

export function expectViolation<T extends Methods<T>>(
  history: History<T>,
  spec: Spec<T>,
  options: CheckOptions = {},
): Counterexample<T> {
  const verdict = check(history, spec, options);
  if (verdict.kind !== 'violation')
    throw new Error(`expected a violation, got: ${verdict.kind}\n${draw(history as unknown as History)}`);
  const { counterexample } = verdict;
  const core = counterexample.core as unknown as History;
  expect(check(core, spec as unknown as Spec).kind).toBe('violation');
  if (core.length <= SMALL) expect(isLinearizable(core, spec as unknown as Spec)).toBe(false);
  return counterexample;
}
