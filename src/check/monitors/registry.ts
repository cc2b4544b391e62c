/**
 * The offline monitors, one row per family of objects, and the verification of their causes.
 *
 * Verification is a trust boundary: it looks only at the calls, returns and values that a cause names, and shares
 * nothing with the monitor but the history. Each family has a routine that knows one argument: why these few operations
 * have no linearization.
 */

import { show } from '../../base/values/show.js';
import type { History } from '../../history/history.js';
import { describeOutcome } from '../../history/model/operation.js';
import { type Family, type Spec, SpecError } from '../../spec/spec.js';
import type { MonitorCause } from '../model/monitor-causes.js';
import type { Monitor, Reading } from './common/monitor.js';
import { containerCauses } from './container/cause-evidence.js';
import { counterMonitor } from './counting/counter.js';
import { fetchAndAddMonitor } from './counting/fetch-and-add.js';
import { multisetMonitor, semaphoreMonitor } from './counting/permits.js';
import { verifySumCause } from './counting/sum-evidence.js';
import { Duplicates } from './duplicates/duplicates.js';
import { mutexMonitor, setMonitor } from './flag/flags.js';
import { verifyOwnedMutexCause } from './owned-mutex/evidence.js';
import { ownedMutexMonitor } from './owned-mutex/monitor.js';
import { verifyPriorityQueueCause } from './priority-queue/evidence.js';
import { priorityQueueMonitor } from './priority-queue/monitor.js';
import { verifyQueueCause } from './queue/evidence.js';
import { queueMonitor } from './queue/monitor.js';
import { verifyRegisterCause } from './register/evidence.js';
import { mapMonitor, registerMonitor } from './register/monitor.js';
import { verifyStackCause } from './stack/evidence.js';
import { stackMonitor } from './stack/monitor.js';

/** Whether operations of the history contradict each other as the cause says. */
type CauseVerifier = (history: History, spec: Spec, cause: MonitorCause) => boolean;

interface OfflineFamily {
  readonly kinds: readonly Family['kind'][];
  readonly monitor: Monitor;
  /** Absent if the monitor only finds returns that no linearization includes. */
  readonly verify?: CauseVerifier;
}

const FAMILIES: readonly OfflineFamily[] = [
  { kinds: ['queue'], monitor: queueMonitor, verify: containerCauses(verifyQueueCause) },
  { kinds: ['stack'], monitor: stackMonitor, verify: containerCauses(verifyStackCause) },
  {
    kinds: ['priority-queue'],
    monitor: priorityQueueMonitor,
    verify: containerCauses(verifyPriorityQueueCause),
  },
  { kinds: ['register', 'cas-register'], monitor: registerMonitor, verify: verifyRegisterCause },
  { kinds: ['map', 'map-previous'], monitor: mapMonitor, verify: verifyRegisterCause },
  { kinds: ['fetch-and-add'], monitor: fetchAndAddMonitor, verify: verifySumCause },
  { kinds: ['owned-mutex'], monitor: ownedMutexMonitor, verify: verifyOwnedMutexCause },
  { kinds: ['set'], monitor: setMonitor },
  { kinds: ['multiset'], monitor: multisetMonitor },
  { kinds: ['counter'], monitor: counterMonitor },
  { kinds: ['mutex'], monitor: mutexMonitor },
  { kinds: ['semaphore'], monitor: semaphoreMonitor },
];

const familyOf = ({ family }: Spec): OfflineFamily | undefined =>
  family && FAMILIES.find(({ kinds }) => kinds.includes(family.kind));

/** A monitor and what it read; or why it declines. */
export type Monitored =
  | { readonly name: string; readonly reading: Reading }
  | { readonly name: string; readonly obstacle: string };

/** The monitor for this kind of object, if there is one. */
export const monitorOf = (spec: Spec): Monitor | undefined => familyOf(spec)?.monitor;

/** Lets the monitor read a history; undefined if there is no monitor for this kind of object. */
export function monitored(history: History, spec: Spec): Monitored | undefined {
  const monitor = monitorOf(spec);
  if (!monitor) return undefined;
  const { name } = monitor;
  if (history.columns.after) return { name, obstacle: 'the history has "after" edges' };
  if (history.stuck) return { name, obstacle: 'the history is stuck' };
  const reading = monitor.read(history, spec);
  if (typeof reading !== 'string') return { name, reading };
  const repeated = monitor.leaves && new Duplicates(history, spec, monitor).read();
  return repeated ? { name, reading: repeated } : { name, obstacle: reading };
}

/**
 * Verifies the cause of a violation without the monitor that found it.
 *
 * @example
 * const verdict = check(history, queue());
 * if (verdict.kind === 'violation') verifyCause(history, queue(), verdict.counterexample.cause as never);
 */
export function verifyCause(history: History, spec: Spec, cause: MonitorCause): boolean {
  const { monitor, verify } = familyOf(spec) ?? {};
  if (!monitor || !verify) return false;
  const happened = history.withoutFailed();
  if (verify(happened, spec, cause)) return true;
  if (!monitor.leaves) return false;
  // duplicates: the cause may speak of values that are renamed apart
  const { clear } = new Duplicates(happened, spec, monitor);
  return verify(clear.history, spec, clear.asRenamed(cause));
}

/** The monitor for the family of a spec allows an operation (an id) that the methods do not allow, or the reverse. */
export function familyContradiction(
  { name, family, initial }: Spec,
  monitor: string,
  verb: 'allows' | 'excludes',
  history: History,
  operation: number,
): SpecError {
  const { method, args, outcome } = history.at(history.positionsById()[operation]);
  const call = `${method}(${args.map(show).join(', ')}) → ${describeOutcome(outcome)}`;
  return new SpecError(
    `spec ${name}: its family and its methods contradict each other about operation ${operation}, ${call}: the ${monitor} ${verb} it, with family.initial ${show(family?.initial)} and family.empty ${show(family?.empty)}; the methods ${verb === 'allows' ? 'exclude' : 'allow'} it, with initial ${show(initial)}. Correct the family, or remove it`,
  );
}
