/**
 * Gate 3: a claim becomes a verified witness, in one pass.
 *
 * Every operation that returned stands in the order exactly once; none stands
 * after one that was called only after it had returned; what comes "after"
 * others does; and the spec, run along the order, gives the recorded results.
 */
import { type History, NEVER } from '../history/index.js';
import { DEAD, type Spec } from '../spec/index.js';
import type { Part } from './part.js';
import { partsOf, type SpecOf } from './parts.js';
import type { Wait, Witness } from './verdict.js';

/** Where a witness fails, and which of the rules above it breaks there. */
export interface Fault {
  readonly operation: number;
  readonly rule: 'unknown' | 'twice' | 'missing' | 'real-time' | 'after' | 'spec' | 'waits';
}

/** Undefined when the witness proves the history linearizable. */
export function replay(history: History, spec: Spec | SpecOf, witness: Witness): Fault | undefined {
  const parts = partsOf(history, typeof spec === 'function' ? spec : () => spec, { monitors: true });
  return verify(history, parts, witness);
}

/** The same for a history already taken apart. */
export function verify(history: History, parts: readonly Part[], witness: Witness): Fault | undefined {
  return (
    verifyOrder(history.happened(), witness.order) ??
    verifyResults(history, parts, witness.order) ??
    verifyWaits(parts, witness.waits ?? [])
  );
}

/** Each operation that must stand in the order does so once, and not too late. */
function verifyOrder(history: History, order: Int32Array): Fault | undefined {
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
  const missing = placed.findIndex((done, k) => !done && returned[k] !== NEVER);
  return missing < 0 ? undefined : { operation: id[missing], rule: 'missing' };
}

/** The spec of each part, run along the order, gives the recorded results. */
function verifyResults(history: History, parts: readonly Part[], order: Int32Array): Fault | undefined {
  const partOf = new Int32Array(history.positionsById().length);
  parts.forEach((part, number) => {
    const { id } = part.history.columns;
    for (let k = 0; k < id.length; k++) partOf[id[k]] = number;
  });
  const models = parts.map(modelOf);
  for (let i = 0; i < order.length; i++)
    if (!models[partOf[order[i]]](order[i])) return { operation: order[i], rule: 'spec' };
  return undefined;
}

/** A part's object, given one operation after another: is what each answered right? */
function modelOf(part: Part): (operation: number) => boolean {
  if (part.monitored && 'reading' in part.monitored) {
    const position = part.history.positionsById();
    const model = part.monitored.reading.model();
    return (operation) => model(position[operation]);
  }
  const { machine } = part;
  let state = machine.initial;
  return (operation) => {
    state = machine.step(state, machine.letterOf(operation));
    return state !== DEAD;
  };
}

/** Each pending operation of a stuck part has an order of all that returned there, after which it has to wait. */
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
      if (state === DEAD || !machine.blocks(state, machine.letterOf(operation)))
        return { operation, rule: 'waits' };
    }
  }
  return undefined;
}
