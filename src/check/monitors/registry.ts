/** Which monitor decides a history, if one does. */
import type { History } from '../../history/index.js';
import type { Spec } from '../../spec/index.js';
import { mapMonitor, registerMonitor } from './cells/cells.js';
import { counterMonitor } from './counter/counter.js';
import { fetchAndAddMonitor } from './fetch-and-add/fetch-and-add.js';
import type { Monitor, Reading } from './monitor.js';
import { ownedMutexMonitor } from './owned-mutex/owned-mutex.js';
import { priorityQueueMonitor } from './priority-queue/priority-queue.js';
import { queueMonitor } from './queue/queue.js';
import { Repeated } from './repeated/repeated.js';
import { stackMonitor } from './stack/stack.js';
import { multisetMonitor } from './stock/multiset.js';
import { semaphoreMonitor } from './stock/semaphore.js';
import { mutexMonitor } from './switches/mutex.js';
import { setMonitor } from './switches/set.js';

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
