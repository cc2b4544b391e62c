/** Which monitor decides a history, if one does. */
import type { History } from '../../history/history.js';
import type { Spec } from '../../spec/spec.js';
import type { Monitor, Reading } from './common/monitor.js';
import { counterMonitor } from './counting/counter.js';
import { fetchAndAddMonitor } from './counting/fetch-and-add.js';
import { multisetMonitor } from './counting/multiset.js';
import { semaphoreMonitor } from './counting/semaphore.js';
import { Repeated } from './duplicates/duplicates.js';
import { mutexMonitor } from './flag/mutex.js';
import { setMonitor } from './flag/set.js';
import { ownedMutexMonitor } from './owned-mutex/monitor.js';
import { priorityQueueMonitor } from './priority-queue/monitor.js';
import { queueMonitor } from './queue/monitor.js';
import { mapMonitor, registerMonitor } from './register/monitor.js';
import { stackMonitor } from './stack/monitor.js';

const MONITORS: readonly Monitor[] = [
  queueMonitor,
  stackMonitor,
  priorityQueueMonitor,
  registerMonitor,
  mapMonitor,
  setMonitor,
  multisetMonitor,
  counterMonitor,
  fetchAndAddMonitor,
  mutexMonitor,
  ownedMutexMonitor,
  semaphoreMonitor,
];

/** A monitor and what it read; or why it steps aside. */
export type Monitored =
  | { readonly name: string; readonly reading: Reading }
  | { readonly name: string; readonly obstacle: string };

/** The monitor for such objects, if there is one. */
export function monitorOf({ family }: Spec): Monitor | undefined {
  return family && MONITORS.find(({ kinds }) => kinds.includes(family.kind));
}

/** What a monitor makes of a history; undefined where there is no monitor for such objects. */
export function monitored(history: History, spec: Spec): Monitored | undefined {
  const monitor = monitorOf(spec);
  if (!monitor) return undefined;
  const { name } = monitor;
  if (history.columns.after) return { name, obstacle: 'the history has an order by "after"' };
  if (history.stuck) return { name, obstacle: 'the history is stuck' };
  const reading = monitor.read(history, spec);
  if (typeof reading !== 'string') return { name, reading };
  const repeated = monitor.leaves && new Repeated(history, spec, monitor).read();
  return repeated ? { name, reading: repeated } : { name, obstacle: reading };
}
