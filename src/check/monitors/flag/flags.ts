/**
 * Flags, one per key: turned on, turned off, seen. A set consists of flags, and a mutex is one.
 *
 *   role           the set                              the mutex
 *   TURN_ON        add → true                           lock, tryLock → true
 *   TURN_OFF       remove → true                        unlock
 *   SEE_ON         add → false, contains → true         tryLock → false
 *   SEE_OFF        remove → false, contains → false     unlock that threw NotLocked
 *
 * A pending operation may turn the flag, or find it turned, or never happen.
 */
import type { History } from '../../../history/history.js';
import { NEVER } from '../../../history/model/columns.js';
import type { Spec } from '../../../spec/spec.js';
import { linearizable, violation } from '../../model/verdict.js';
import { CallReader, ValueNumbers } from '../common/call-reader.js';
import { LateOrder, WaitingLists } from '../common/lists.js';
import { type Monitor, type MonitorResult, simpleMonitor } from '../common/monitor.js';

const TURN_ON = 0;
const TURN_OFF = 1;
const SEE_ON = 2;
const SEE_OFF = 3;
/** A pending operation: it turns the flag, or finds it turned. */
const OPEN_ON = 4;
const OPEN_OFF = 5;
/** It is pending and changes nothing. */
const IDLE = 6;

interface Flags {
  readonly history: History;
  /** For each operation, its role and its key. */
  readonly role: Uint8Array;
  readonly key: Int32Array;
  /** For each key, 1 if it is initially on. */
  readonly on: Uint8Array;
}

/*
 * The set and mutex monitors: decide flags in linear time.
 *
 *   P. Abdulla, S. Grahn, B. Jonsson, S. Krishna, O. Mishra. Efficient linearizability monitoring.
 *   2025 (LiMo), section 6.2, with corrections: docs/internals/papers.md.
 *
 * All operations take effect as late as possible (`LateOrder`). A return needs a state:
 *
 *   TURN_ON             it is assigned to a pending effect; or the flag is off, and is turned on now
 *   TURN_OFF            it is assigned to a pending effect; or the flag is on, and is turned off now
 *   SEE_ON, SEE_OFF     the flag was so at some moment since the call, or is so now
 *
 * If the state differs, an open operation must turn the flag first, as a pending effect. If there is none, no
 * linearization includes this return.
 *
 * Why late effects suffice: in a linearization, move all effects that a return does not need behind it. Effects of
 * one kind at one moment can be exchanged, so the one that returns is the first of them. If an operation that returns
 * could be assigned to a pending effect that the linearization gives to another, exchange the two: the other was open
 * at both moments.
 */

/** The monitor of a kind of object that can be read as flags. */
function flagMonitor(kind: string, read: (history: History, spec: Spec) => Flags | string): Monitor {
  return simpleMonitor({
    name: `${kind} monitor`,
    bytesPerOperation: 50,
    partsOf: ({ on }) => on.length,
    read,
    decide: decideFlags,
  });
}

function decideFlags(switches: Flags): MonitorResult {
  const { history, role, key } = switches;
  const { events, return: returned } = history.columns;
  const run = new FlagRun(switches);
  for (let moment = 0; moment < events.length; moment++) {
    const event = events[moment];
    if (event >= 0) run.call(event);
    else if (!run.return(~event))
      return violation({ operation: ~event, among: (k) => key[k] === key[~event] });
  }
  return linearizable(
    run.order.finish((k) =>
      returned[k] === NEVER && (TURNS_ON[role[k]] || TURNS_OFF[role[k]])
        ? 2 * key[k] + TURNS_ON[role[k]]
        : -1,
    ),
  );
}

/** For each role, 1 if it turns a flag on, or may; likewise off. */
const TURNS_ON = roles(TURN_ON, OPEN_ON);
const TURNS_OFF = roles(TURN_OFF, OPEN_OFF);

function roles(...some: readonly number[]): Uint8Array {
  return Uint8Array.from({ length: IDLE + 1 }, (_, role) => Number(some.includes(role)));
}

/** Kinds of effects are numbered: 2 * key + 1 turns it on, 2 * key turns it off. */
class FlagRun {
  readonly order: LateOrder;
  readonly #role: Uint8Array;
  readonly #key: Int32Array;
  readonly #returned: Int32Array;
  readonly #on: Uint8Array;
  /** For each key, the operations that wait for the other state. */
  readonly #waiting: WaitingLists;

  constructor({ history, role, key, on }: Flags) {
    this.#role = role;
    this.#key = key;
    this.#returned = history.columns.return;
    this.#on = on.slice();
    this.order = new LateOrder(history.length, 2 * on.length);
    this.#waiting = new WaitingLists(history.length, on.length);
  }

  call(k: number): void {
    const [role, key] = [this.#role[k], this.#key[k]];
    if (role === SEE_ON || role === SEE_OFF) {
      if (this.#returned[k] === NEVER) return;
      if (this.#on[key] === Number(role === SEE_ON)) this.order.put(k);
      else this.#waiting.add(key, k);
    } else if (role !== IDLE) this.order.call(2 * key + TURNS_ON[role], k);
  }

  /** False: no linearization includes this return. */
  return(k: number): boolean {
    const [role, key] = [this.#role[k], this.#key[k]];
    if (role === SEE_ON || role === SEE_OFF)
      return !this.#waiting.has(k) || this.#ensureState(key, Number(role === SEE_ON));
    const on = TURNS_ON[role];
    if (this.order.assign(2 * key + on, k)) return true;
    if (!this.#ensureState(key, 1 - on)) return false;
    this.order.put(k);
    this.#turn(key, on);
    return true;
  }

  /** Brings the flag to a state, by a pending effect if needed. */
  #ensureState(key: number, on: number): boolean {
    if (this.#on[key] === on) return true;
    if (!this.order.requireEffect(2 * key + on)) return false;
    this.#turn(key, on);
    return true;
  }

  #turn(key: number, on: number): void {
    this.#on[key] = on;
    this.#waiting.release(key, this.order);
  }
}

/* A mutex without owners: one flag, locked or free. */

export const mutexMonitor: Monitor = flagMonitor('mutex', readMutex);

const LOCK = 0;
const UNLOCK = 1;
const TRY_LOCK = 2;
const MUTEX_METHODS = ['lock', 'unlock', 'tryLock'];

function readMutex(history: History, spec: Spec): Flags | string {
  const { initial } = spec.family ?? {};
  if (typeof initial !== 'boolean')
    return 'the family of the spec does not say whether it is initially locked';
  const calls = new CallReader(history, spec, MUTEX_METHODS);
  const role = new Uint8Array(history.length);
  for (let k = 0; k < history.length; k++) {
    if (calls.role(k) === UNLOCK && calls.threw(k, 'NotLocked') && calls.arguments(k) === 0) {
      role[k] = SEE_OFF;
      continue;
    }
    const method = calls.read(k, 0);
    if (typeof method === 'string') return method;
    // a lock blocks until it can turn the flag; the others return whatever they find
    if (calls.isOpen(k)) role[k] = method === LOCK ? TURN_ON : method === UNLOCK ? OPEN_OFF : OPEN_ON;
    else if (method === TRY_LOCK && calls.answers(k, calls.yes)) role[k] = TURN_ON;
    else if (method === TRY_LOCK && calls.answers(k, calls.no)) role[k] = SEE_ON;
    else if (method !== TRY_LOCK && calls.answers(k, calls.done))
      role[k] = method === LOCK ? TURN_ON : TURN_OFF;
    else return calls.unexpectedResult(k);
  }
  return { history, role, key: new Int32Array(history.length), on: Uint8Array.of(Number(initial)) };
}

/*
 * Sets: one flag per key. The monitor declines `insert`, which does not say what it did, and `members`, which joins
 * all keys together.
 */

export const setMonitor: Monitor = flagMonitor('set', readSet);

/** The methods, and the role of each by its result: true, false, or unknown. */
const SET_METHODS = ['add', 'remove', 'contains'];
const ROLES = [
  [TURN_ON, SEE_ON, OPEN_ON],
  [TURN_OFF, SEE_OFF, OPEN_OFF],
  [SEE_ON, SEE_OFF, IDLE],
];

function readSet(history: History, spec: Spec): Flags | string {
  const { initial } = spec.family ?? {};
  if (!Array.isArray(initial)) return 'the family of the spec does not give the initial values';
  const calls = new CallReader(history, spec, SET_METHODS);
  const { argument, argumentStart } = history.columns;
  const role = new Uint8Array(history.length);
  const key = new Int32Array(history.length);
  const numbers = new ValueNumbers(history, 0);
  for (let k = 0; k < history.length; k++) {
    const method = calls.read(k, 1);
    if (typeof method === 'string') return method;
    const answer = calls.isOpen(k)
      ? 2
      : calls.answers(k, calls.yes)
        ? 0
        : calls.answers(k, calls.no)
          ? 1
          : -1;
    if (answer < 0) return calls.unexpectedResult(k);
    role[k] = ROLES[method][answer];
    key[k] = numbers.take(argument[argumentStart[k]]);
  }
  const on = new Uint8Array(numbers.count);
  for (const value of initial) {
    const number = history.tables.values.find(value);
    if (number !== undefined && numbers.of(number) >= 0) on[numbers.of(number)] = 1;
  }
  return { history, role, key, on };
}
