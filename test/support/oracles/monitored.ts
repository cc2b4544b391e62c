/** Compares the verdict of a monitor with the brute-force oracle, and verifies its evidence. */
import { check } from '../../../src/check/check.js';
import { isRendezvousCause } from '../../../src/check/model/causes.js';
import { verifyCause } from '../../../src/check/monitors/registry.js';
import { AlgorithmError } from '../../../src/check/search/choose-search.js';
import { verifyWitness } from '../../../src/check/verify-witness.js';
import { draw } from '../../../src/history/drawing/sketch.js';
import type { History } from '../../../src/history/history.js';
import type { Spec } from '../../../src/spec/spec.js';
import { choices, isLinearizable } from './oracle.js';

/** Returns the verdict of the oracle, which the monitor must give too; 'declined' if the monitor does not support the history. */
export function expectOracleVerdict(history: History, spec: Spec): boolean | 'declined' {
  const verdict = monitorVerdict(history, spec);
  if (!verdict) return 'declined';
  const expected = isLinearizable(history, spec);
  const complain = (what: string) =>
    new Error(`${what} (oracle: ${expected}): ${spec.name}\n${draw(history)}\n${JSON.stringify(verdict)}`);
  if (verdict.kind === 'undecided' || (verdict.kind === 'linearizable') !== expected)
    throw complain(`says ${verdict.kind}`);
  if (verdict.kind === 'linearizable') {
    const fault = verifyWitness(history, spec, verdict.witness);
    if (fault) throw complain(`its linearization breaks ${fault.rule} at ${fault.operation}`);
    if (!replaysOnSpec(history, spec, verdict.witness.order))
      throw complain('the spec does not give its results');
    return true;
  }
  const { core, cause, cuts } = verdict.counterexample;
  if (isLinearizable(core, spec)) throw complain(`its core is linearizable:\n${draw(core)}\n`);
  if (cause.kind === 'late') throw complain('a small violation has no cause');
  if (
    cuts.includes('values') &&
    cause.kind !== 'stuck' &&
    cause.kind !== 'waits' &&
    !isRendezvousCause(cause) &&
    !verifyCause(history, spec, cause)
  )
    throw complain('its cause is not confirmed');
  return false;
}

function monitorVerdict(history: History, spec: Spec) {
  try {
    return check(history, spec, { algorithm: 'monitor' });
  } catch (error) {
    if (error instanceof AlgorithmError) return undefined;
    throw error;
  }
}

/** Does the spec, run along a linearization, give the recorded outcomes for some choice of steps? */
function replaysOnSpec(history: History, spec: Spec, order: Int32Array): boolean {
  const position = history.positionsById();
  let states: unknown[] = [spec.initial];
  for (const id of order) {
    const operation = history.at(position[id]);
    states = states.flatMap((state) =>
      choices(spec, state, operation)
        .filter(({ outcome }) => isSame(history, outcome, operation.outcome))
        .map(({ next }) => next),
    );
  }
  return states.length > 0;
}

function isSame({ tables }: History, given: unknown, recorded: { readonly kind: string }): boolean {
  if (recorded.kind === 'pending') return true;
  const number = (outcome: unknown): string =>
    JSON.stringify(outcome, (_, value) =>
      value === undefined && tables.undefinedIsNull ? null : value === undefined ? '$undefined' : value,
    ) as string;
  return number(given) === number(recorded);
}
