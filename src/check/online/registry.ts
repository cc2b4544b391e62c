/** The fast monitor of a kind of object, found by `spec.family`. */
import { counter } from '../monitors/counting/online-counter.js';
import { keyOfMultiset, semaphore } from '../monitors/counting/online-permits.js';
import { keyOfSet, mutex } from '../monitors/flag/online.js';
import { queue } from '../monitors/queue/online.js';
import { keyOfMap, register } from '../monitors/register/online.js';
import { stack } from '../monitors/stack/online.js';
import type { ConfigurationLimits } from '../stream/configurations.js';
import type { Steps } from '../stream/steps.js';
import type { CreateStreamMonitor, StreamMonitor } from '../stream/stream-monitor.js';

const KINDS: Readonly<Record<string, CreateStreamMonitor>> = {
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
export function createStreamMonitor(
  steps: Steps,
  args: readonly unknown[],
  limits: ConfigurationLimits,
): StreamMonitor | undefined {
  const { family } = steps.spec;
  return family && Object.hasOwn(KINDS, family.kind) ? KINDS[family.kind](steps, args, limits) : undefined;
}
