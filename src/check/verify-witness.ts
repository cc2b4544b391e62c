/**
 * Verifies a witness in one pass. This is a trust boundary: it uses no search and no monitor, only the code that runs specs
 * and splits histories.
 *
 * Every returned operation is in the order exactly once; none is after one that was called only after it had
 * returned; the order respects "after"; and the methods of the spec, run along the order, give the recorded results.
 * `check/rendezvous/verify.ts` does the same for rendezvous.
 */

import type { History } from '../history/history.js';
import { NEVER } from '../history/model/columns.js';
import { DEAD } from '../spec/machine/machine.js';
import { SpecRun } from '../spec/machine/spec-run.js';
import type { AnySpec } from '../spec/rendezvous/sync-spec.js';
import type { Fault, Wait, Witness } from './model/verdict.js';
import type { Part } from './parts/parts.js';
import { partsOf, type SpecOf } from './parts/parts.js';
import { type AnySpecOf, splitObjects } from './rendezvous/split-objects.js';
import { verifyRendezvous } from './rendezvous/verify.js';

/**
 * Returns the first fault of a witness, or undefined if it proves the history linearizable.
 *
 * @example
 * const verdict = check(history, queue());
 * if (verdict.kind === 'linearizable') assert.equal(verifyWitness(history, queue(), verdict.witness), undefined);
 */
export function verifyWitness(
  history: History,
  spec: AnySpec | AnySpecOf,
  witness: Witness,
): Fault | undefined {
  const { plain, specOf, rendezvous } = splitObjects(history, typeof spec === 'function' ? spec : () => spec);
  const fault = verifyRendezvous(rendezvous, witness.rendezvous ?? []);
  if (fault || !plain) return fault;
  return verify(plain, specOf, () => partsOf(plain, specOf, { monitors: false }), witness);
}

/** The same for a history of plain objects; `partsOf` is called if it is stuck. */
export function verify(
  history: History,
  specOf: SpecOf,
  partsOf: () => readonly Part[],
  witness: Witness,
): Fault | undefined {
  return (
    verifyOrder(history.withoutFailed(), witness.order) ??
    verifyResults(history, specOf, witness.order) ??
    (history.stuck ? verifyWaits(partsOf(), witness.waits ?? []) : undefined)
  );
}

/** Each operation that must be in the order is there once, and not too late. Failed operations are not in the history. */
export function verifyOrder(history: History, order: Int32Array): Fault | undefined {
  const { id, call, return: returned, after } = history.columns;
  const position = history.positionsById();
  const placed = new Uint8Array(history.length);
  let latestCall = 0;
  for (let i = 0; i < order.length; i++) {
    const operation = order[i];
    const k = position[operation] ?? -1;
    if (k < 0) return { operation, rule: 'unknown' };
    if (placed[k]) return { operation, rule: 'twice' };
    if (returned[k] < latestCall) return { operation, rule: 'real-time' };
    if (after)
      for (let j = after.start[k]; j < after.start[k + 1]; j++)
        if (!placed[after.items[j]]) return { operation, rule: 'after' };
    placed[k] = 1;
    latestCall = Math.max(latestCall, call[k]);
  }
  for (let k = 0; k < placed.length; k++)
    if (!placed[k] && returned[k] !== NEVER) return { operation: id[k], rule: 'missing' };
  return undefined;
}

/** The methods of the spec of each object, run along the order, give the recorded results. */
function verifyResults(history: History, specOf: SpecOf, order: Int32Array): Fault | undefined {
  const runs = history.tables.objects.map((): SpecRun | undefined => undefined);
  const position = history.positionsById();
  const { object } = history.columns;
  for (let i = 0; i < order.length; i++) {
    const k = position[order[i]];
    const own = object[k];
    // the history of one object: operations of others may be none of its spec
    runs[own] ??= new SpecRun(history, specOf(history.tables.objects[own]), (other) => object[other] === own);
    if (!runs[own].step(k)) return { operation: order[i], rule: 'spec' };
  }
  return undefined;
}

/** Each pending operation of a stuck part has a linearization of all returned operations after which it blocks. */
function verifyWaits(parts: readonly Part[], waits: readonly Wait[]): Fault | undefined {
  for (const part of parts) {
    const { history } = part;
    if (!history.stuck) continue;
    const { machine } = part;
    const { id, return: returned } = history.columns;
    const complete = history.complete();
    for (const operation of id.filter((_, k) => returned[k] === NEVER)) {
      const order = waits.find((wait) => wait.operation === operation)?.order;
      if (!order) return { operation, rule: 'waits' };
      const fault = verifyOrder(complete, order);
      if (fault) return fault;
      let state = machine.initial;
      for (const earlier of order) if (state !== DEAD) state = machine.step(state, machine.letterOf(earlier));
      if (state === DEAD || !machine.mayBlock(state, machine.letterOf(operation)))
        return { operation, rule: 'waits' };
    }
  }
  return undefined;
}
