/** Which monitor decides a history, if one does. */
import type { History } from '../../history/history.js';
import type { Spec } from '../../spec/spec.js';
import type { FamilyCause } from '../model/monitor-causes.js';
import type { Monitor, Reading } from './common/monitor.js';
import { areStays, confirmContainer } from './container/container-evidence.js';
import { Evidence } from './container/evidence.js';
import { counterMonitor } from './counting/counter.js';
import { fetchAndAddMonitor } from './counting/fetch-and-add.js';
import { multisetMonitor, semaphoreMonitor } from './counting/permits.js';
import { confirmSum } from './counting/sum-evidence.js';
import { Repeated } from './duplicates/duplicates.js';
import { mutexMonitor, setMonitor } from './flag/flags.js';
import { confirmTurns } from './owned-mutex/evidence.js';
import { ownedMutexMonitor } from './owned-mutex/monitor.js';
import { confirmPriorityQueue } from './priority-queue/evidence.js';
import { priorityQueueMonitor } from './priority-queue/monitor.js';
import { confirmQueue } from './queue/evidence.js';
import { queueMonitor } from './queue/monitor.js';
import { confirmCell } from './register/evidence.js';
import { mapMonitor, registerMonitor } from './register/monitor.js';
import { confirmStack } from './stack/evidence.js';
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

/*
 * Gate 4: a cause becomes verified evidence.
 *
 * The operations that it names are looked at again, without the monitor: only calls, returns and values.
 * Each family has a routine of its own, which knows one argument: why these few operations have no order.
 */

/** Do operations of this history contradict each other as the cause says? */
export function verifyCause(history: History, spec: Spec, cause: FamilyCause): boolean {
  const happened = history.happened();
  if (isConfirmed(happened, spec, cause)) return true;
  const monitor = monitorOf(spec);
  if (!monitor?.leaves) return false;
  const { clear } = new Repeated(happened, spec, monitor);
  return isConfirmed(clear.history, spec, clear.asRenamed(cause));
}

function isConfirmed(history: History, spec: Spec, cause: FamilyCause): boolean {
  const evidence = new Evidence(history, spec);
  if (!areStays(evidence, cause)) return false;
  switch (cause.kind) {
    case 'overtaken':
    case 'two at the front':
      return confirmQueue(evidence, cause);
    case 'overlap':
    case 'backwards':
    case 'unreached':
      return confirmSum(history, spec, cause);
    case 'two holders':
    case 'not held':
    case 'surely held':
    case 'surely free':
      return confirmTurns(history, spec, cause);
    case 'never written':
    case 'swapped twice':
    case 'out of turn':
    case 'in turns':
      return confirmCell(history, spec, cause);
    case 'tangled':
      return confirmStack(evidence, cause);
    case 'not the first':
      return confirmPriorityQueue(evidence, cause);
    default:
      return confirmContainer(evidence, cause);
  }
}
