/**
 * The offline monitors, one row per family of objects, and the verification of their causes.
 *
 * Verification is a trust boundary: it looks only at the calls, returns and values that a cause names, and shares
 * nothing with the monitor but the history. Each family has a routine that knows one argument: why these few operations
 * have no linearization.
 */
import { Canonical } from '../../base/values/canonical.js';
import { Interner } from '../../base/values/interner.js';
import { show } from '../../base/values/show.js';
import type { History } from '../../history/history.js';
import { describeOutcome } from '../../history/model/operation.js';
import { effectsOf, runMethod } from '../../spec/machine/state-space.js';
import { type Family, type Spec, SpecError } from '../../spec/spec.js';
import type { MonitorCause } from '../model/causes.js';
import { verifyOwnedMutexCause, verifySumCause } from './common/evidence.js';
import type { Monitor, Reading } from './common/monitor.js';
import {
  containerCauses,
  verifyPriorityQueueCause,
  verifyQueueCause,
  verifyStackCause,
} from './container/cause-evidence.js';
import { counterMonitor } from './counting/counter.js';
import { fetchAndAddMonitor } from './counting/fetch-and-add.js';
import { multisetMonitor, semaphoreMonitor } from './counting/permits.js';
import { Duplicates } from './duplicates/duplicates.js';
import { mutexMonitor, setMonitor } from './flag/flags.js';
import { ownedMutexMonitor } from './owned-mutex/monitor.js';
import { priorityQueueMonitor } from './priority-queue/monitor.js';
import { queueMonitor } from './queue/monitor.js';
import { verifyRegisterCause } from './register/evidence.js';
import { mapMonitor, registerMonitor } from './register/monitor.js';
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
  requireSameContent(spec, monitor);
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

/**
 * The family of a spec, which monitors and searches of containers rely on, allows an operation (an id) that the methods
 * do not allow, or the reverse.
 */
export function familyContradiction(
  { name, family, initial }: Spec,
  verb: 'allows' | 'excludes',
  history: History,
  operation: number,
): SpecError {
  const { method, args, outcome } = history.at(history.positionsById()[operation]);
  const call = `${method}(${args.map(show).join(', ')}) → ${describeOutcome(outcome)}`;
  return new SpecError(
    `spec ${name}: its family and its methods contradict each other about operation ${operation}, ${call}: a ${family?.kind} ${verb} it, with family.initial ${show(family?.initial)} and family.empty ${show(family?.empty)}; the methods ${verb === 'allows' ? 'exclude' : 'allow'} it, with initial ${show(initial)}. Correct the family, or remove it`,
  );
}

/** At most this many values are removed to see the initial content of a container. */
const MOST_REMOVED = 100;
const compared = new WeakSet<Spec>();

/** Throws if the initial content that the family declares is not what the methods return at first. */
function requireSameContent(spec: Spec, { leaves }: Monitor): void {
  const { family } = spec;
  if (compared.has(spec) || family?.initial === undefined) return;
  const { roles, initial, empty } = family;
  const method = leaves ? roles.remove : roles.read;
  if (method === undefined || !Object.hasOwn(spec.methods, method)) return;
  const declared: readonly unknown[] = leaves ? (initial as unknown[]) : [initial];
  if (!Array.isArray(declared) || declared.some((value) => isSame(value, empty))) return;
  const found = firstResults(spec, method, leaves ? Math.min(MOST_REMOVED, declared.length + 2) : 1, empty);
  const missing = new Interner();
  for (const value of declared) missing.intern(value ?? null);
  const isContent =
    found.every((value) => missing.find(value ?? null) !== undefined) &&
    (found.length === declared.length || found.length === MOST_REMOVED);
  if (!isContent)
    throw new SpecError(
      `spec ${spec.name}: its family and its methods contradict each other: family.initial is ${show(initial)}, but ${method}() returns ${found.length === 0 ? show(empty) : found.map(show).join(', ')} at first. Correct the family, or remove it`,
    );
  compared.add(spec);
}

/** Equality by content; null equals undefined. */
function isSame(a: unknown, b: unknown): boolean {
  const canonical = new Canonical();
  return canonical.key(a ?? null) === canonical.key(b ?? null);
}

/** The results of a method, called in sequence from the initial state until it returns `empty`. */
function firstResults(spec: Spec, method: string, most: number, empty: unknown): unknown[] {
  const results: unknown[] = [];
  for (let state = spec.initial; results.length < most; ) {
    const [effect] = effectsOf(spec, runMethod(spec, state, method, []), method, []);
    if (effect?.outcome.kind !== 'returned') break;
    const { value } = effect.outcome;
    if (most > 1 && isSame(value, empty)) break;
    results.push(value);
    state = effect.state;
  }
  return results;
}
