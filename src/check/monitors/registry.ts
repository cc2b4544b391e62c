/** Which monitor decides a history, if one does. */
import type { History } from '../../history/index.js';
import type { Spec } from '../../spec/index.js';
import type { Monitor, Reading } from './monitor.js';
import { priorityQueueMonitor } from './priority-queue/priority-queue.js';
import { queueMonitor } from './queue/queue.js';
import { stackMonitor } from './stack/stack.js';

const MONITORS: readonly Monitor[] = [queueMonitor, stackMonitor, priorityQueueMonitor];

/** A monitor and what it read; or why it steps aside. */
export type Monitored =
  | { readonly name: string; readonly reading: Reading }
  | { readonly name: string; readonly obstacle: string };

/** What a monitor makes of a history; undefined where there is no monitor for such objects. */
export function monitored(history: History, spec: Spec): Monitored | undefined {
  const kind = spec.family?.kind;
  const monitor = MONITORS.find(({ kinds }) => kind !== undefined && kinds.includes(kind));
  if (!monitor) return undefined;
  const { name } = monitor;
  if (history.columns.after) return { name, obstacle: 'the history has an order by "after"' };
  if (history.stuck) return { name, obstacle: 'the history is stuck' };
  const reading = monitor.read(history, spec);
  return typeof reading === 'string' ? { name, obstacle: reading } : { name, reading };
}
