/** The fast monitor of a kind of object, found by `spec.family`. */
import type { ConfigurationLimits } from '../configurations.js';
import type { CreateFamilyMonitor, FamilyMonitor } from '../family-monitor.js';
import type { Steps } from '../steps.js';
import { counter } from './counter.js';
import { queue } from './queue.js';
import { keyOfMap, register } from './register.js';
import { stack } from './stack/stack.js';
import { keyOfMultiset, semaphore } from './supply.js';
import { keyOfSet, mutex } from './switch.js';

const KINDS: Readonly<Record<string, CreateFamilyMonitor>> = {
  queue,
  stack,
  register,
  'cas-register': register,
  map: keyOfMap,
  set: keyOfSet,
  multiset: keyOfMultiset,
  counter,
  mutex,
  semaphore,
};

/** `args`: those of the first call, for objects that are watched key by key. */
export function createFamilyMonitor(
  steps: Steps,
  args: readonly unknown[],
  limits: ConfigurationLimits,
): FamilyMonitor | undefined {
  const { family } = steps.spec;
  return family && Object.hasOwn(KINDS, family.kind) ? KINDS[family.kind](steps, args, limits) : undefined;
}
