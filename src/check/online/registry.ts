/** The stream monitors, one row per family of objects. They are apart from the offline ones, so that `check` does not load them. */
import type { Family } from '../../spec/spec.js';
import { counter } from '../monitors/counting/online-counter.js';
import { keyOfMultiset, semaphore } from '../monitors/counting/online-permits.js';
import { keyOfSet, mutex } from '../monitors/flag/online.js';
import { queue } from '../monitors/queue/online.js';
import { keyOfMap, register } from '../monitors/register/online.js';
import { stack } from '../monitors/stack/online.js';
import type { ConfigurationLimits } from '../stream/configurations.js';
import type { CreateStreamMonitor, StreamMonitor } from '../stream/monitor.js';
import type { Steps } from '../stream/steps.js';

interface OnlineFamily {
  readonly kinds: readonly Family['kind'][];
  readonly create: CreateStreamMonitor;
}

const FAMILIES: readonly OnlineFamily[] = [
  { kinds: ['queue'], create: queue },
  { kinds: ['stack'], create: stack },
  { kinds: ['register', 'cas-register'], create: register },
  { kinds: ['map'], create: keyOfMap },
  { kinds: ['set'], create: keyOfSet },
  { kinds: ['multiset'], create: keyOfMultiset },
  { kinds: ['counter'], create: counter },
  { kinds: ['mutex'], create: mutex },
  { kinds: ['semaphore'], create: semaphore },
];

/** The stream monitor of an object, or of one of its keys; undefined if there is none. `args`: those of the first call. */
export function createStreamMonitor(
  steps: Steps,
  args: readonly unknown[],
  limits: ConfigurationLimits,
): StreamMonitor | undefined {
  const { family } = steps.spec;
  const own = family && FAMILIES.find(({ kinds }) => kinds.includes(family.kind));
  return own?.create(steps, args, limits);
}
