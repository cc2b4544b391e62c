/**
 * The primitives as transformed code uses them. They announce by themselves, in twins under their methods'
 * names with a `$` before (execution/program.ts).
 */
import { AtomicRef } from '../../execution/primitives/atomic-ref.js';
import { Monitor } from '../../execution/primitives/monitor.js';
import { Mutex } from '../../execution/primitives/mutex.js';
import { Semaphore } from '../../execution/primitives/semaphore.js';
import { $yieldNow, yieldNow } from '../../execution/primitives/yield-now.js';
import { type AnyFunction, NOWHERE, pair, type Twin } from '../model/twins.js';

const classes: ReadonlySet<unknown> = new Set([AtomicRef, Monitor, Mutex, Semaphore]);
const twins = new Set<unknown>();

for (const { prototype } of [AtomicRef, Monitor, Mutex, Semaphore]) {
  const members = prototype as unknown as Record<string, AnyFunction | undefined>;
  for (const name of Object.getOwnPropertyNames(prototype)) {
    const twin = members[`$${name}`];
    if (twin === undefined) continue;
    twins.add(twin);
    pair(members[name]!, twin as Twin, { site: NOWHERE });
  }
}

twins.add($yieldNow);
pair(yieldNow, $yieldNow as Twin, { site: NOWHERE });

export function isPrimitiveClass(made: unknown): boolean {
  return classes.has(made);
}

/** Is it a method of a primitive, or one itself? */
export function isPrimitiveTwin(twin: Twin): boolean {
  return twins.has(twin);
}
