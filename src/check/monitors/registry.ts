/** Which monitor decides a history, if one does. */
import type { History } from '../../history/index.js';
import type { Spec } from '../../spec/index.js';
import { mapMonitor, registerMonitor } from './cells/cells.js';
import { counterMonitor } from './counter/counter.js';
import { fetchAndAddMonitor } from './fetch-and-add/fetch-and-add.js';
import type { Monitor, Reading } from './monitor.js';
import { Occurrences } from './occurrences.js';
import { ownedMutexMonitor } from './owned-mutex/owned-mutex.js';
import { priorityQueueMonitor } from './priority-queue/priority-queue.js';
import { queueMonitor } from './queue/queue.js';
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
  const renamed = readRenamed(monitor, history, spec);
  return renamed ? { name, reading: renamed } : { name, obstacle: reading };
}

/** The same where values that are put in again are told apart. */
function readRenamed(monitor: Monitor, history: History, spec: Spec): Reading | undefined {
  const occurrences = Occurrences.of(history, spec, monitor);
  const reading = occurrences && monitor.read(occurrences.history, spec);
  if (!reading || typeof reading === 'string') return undefined;
  return {
    ...reading,
    model: () => reading.model((value) => occurrences.plainOf(value)),
    decide: (search) => {
      const ruling = reading.decide(search);
      if (ruling.kind !== 'contradiction') return ruling;
      const operations = occurrences.withOthers(ruling.operations);
      return {
        ...ruling,
        operations,
        minimal: ruling.minimal && operations.length === ruling.operations.length,
        cause: occurrences.asRecorded(ruling.cause),
      };
    },
  };
}
