/**
 * Switches, one for each key: turned on, turned off, seen. A set is made of them, and a mutex is one.
 *
 *   role           the set                              the mutex
 *   TURN_ON        add → true                           lock, tryLock → true
 *   TURN_OFF       remove → true                        unlock
 *   SEE_ON         add → false, contains → true         tryLock → false
 *   SEE_OFF        remove → false, contains → false     unlock that threw NotLocked
 *
 * A call that never returned may turn the switch, or find it turned, or never happen.
 */
import type { History } from '../../../history/history.js';
import { NEVER } from '../../../history/model/columns.js';
import type { Spec } from '../../../spec/spec.js';
import { linearizable, violation } from '../../model/verdict.js';
import { CallReader } from '../common/call-reader.js';
import { LateOrder } from '../common/late-order.js';
import { type Monitor, type MonitorResult, simpleMonitor } from '../common/monitor.js';
import { ValueNumbers } from '../common/value-numbers.js';
import { WaitingLists } from '../common/waiting-lists.js';

const TURN_ON = 0;
const TURN_OFF = 1;
const SEE_ON = 2;
const SEE_OFF = 3;
/** It never returned: it turns the switch, or finds it turned. */
const OPEN_ON = 4;
const OPEN_OFF = 5;
/** It never returned, and changes nothing. */
const IDLE = 6;

interface Flags {
  readonly history: History;
  /** Operation to its role, and to its key. */
  readonly role: Uint8Array;
  readonly key: Int32Array;
  /** Key to 1 where it is on at first. */
  readonly on: Uint8Array;
}

/** Switches that are turned as told: is each answer right? */
function flagModel({ role, key, on }: Flags): (operation: number) => boolean {
  const now = on.slice();
  return (k) => {
    const isOn = now[key[k]] === 1;
    switch (role[k]) {
      case TURN_ON:
      case OPEN_ON:
        now[key[k]] = 1;
        return !isOn || role[k] === OPEN_ON;
      case TURN_OFF:
      case OPEN_OFF:
        now[key[k]] = 0;
        return isOn || role[k] === OPEN_OFF;
      case SEE_ON:
        return isOn;
      case SEE_OFF:
        return !isOn;
      default:
        return true;
    }
  };
}

/*
 * Do switches have an order? In linear time, whatever is repeated.
 *
 *   P. Abdulla, S. Grahn, B. Jonsson, S. Krishna, O. Mishra. Efficient linearizability monitoring.
 *   2025 (LiMo), section 6.2, repaired: docs/internals/papers.md.
 *
 * All take effect as late as they can (`late-order`). A return needs a state:
 *
 *   who turned it on       pays a credit; or it is off, and is turned on now
 *   who turned it off      pays a credit; or it is on, and is turned off now
 *   who saw it on or off   it was so at some moment since the call, or is so now
 *
 * Where the state is another, an open operation must turn the switch first, on credit. If there
 * is none, no order gets past this return.
 *
 * Why late is right: in an order, move all that need not take effect before a return to behind it. Turns of one
 * kind at one moment can be exchanged, so the one that returns is the first of them. And where one
 * that returns could pay a credit that the order gives to another, exchange these two: the other was open
 * at both moments.
 */

/** The monitor of a kind of objects that can be read as switches. */
function flagMonitor(kind: string, read: (history: History, spec: Spec) => Flags | string): Monitor {
  return simpleMonitor({
    name: `${kind} monitor`,
    bytesPerOperation: 50,
    partsOf: ({ on }) => on.length,
    read,
    decide: decideFlags,
    model: flagModel,
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

/** Role to 1 where it turns a switch so, or may. */
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
  /** Key to those who want it to be other than it is. */
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

  /** False: nothing gets past this. */
  return(k: number): boolean {
    const [role, key] = [this.#role[k], this.#key[k]];
    if (role === SEE_ON || role === SEE_OFF)
      return !this.#waiting.has(k) || this.#bring(key, Number(role === SEE_ON));
    const on = TURNS_ON[role];
    if (this.order.repay(2 * key + on, k)) return true;
    if (!this.#bring(key, 1 - on)) return false;
    this.order.put(k);
    this.#turn(key, on);
    return true;
  }

  /** Makes it so, on credit where it is not. */
  #bring(key: number, on: number): boolean {
    if (this.#on[key] === on) return true;
    if (!this.order.borrow(2 * key + on)) return false;
    this.#turn(key, on);
    return true;
  }

  #turn(key: number, on: number): void {
    this.#on[key] = on;
    this.#waiting.release(key, this.order);
  }
}

/* A mutex that does not know who holds it: one switch, locked or free. */

export const mutexMonitor: Monitor = flagMonitor('mutex', readMutex);

const [LOCK, UNLOCK, TRY_LOCK] = [0, 1, 2];
const MUTEX_METHODS = ['lock', 'unlock', 'tryLock'];

function readMutex(history: History, spec: Spec): Flags | string {
  const { initial } = spec.family ?? {};
  if (typeof initial !== 'boolean')
    return 'the family of the spec does not tell whether it is locked at first';
  const calls = new CallReader(history, spec, MUTEX_METHODS);
  const role = new Uint8Array(history.length);
  for (let k = 0; k < history.length; k++) {
    if (calls.role(k) === UNLOCK && calls.threw(k, 'NotLocked') && calls.arguments(k) === 0) {
      role[k] = SEE_OFF;
      continue;
    }
    const method = calls.read(k, 0);
    if (typeof method === 'string') return method;
    // a lock waits until it can turn the switch; the others return whatever they find
    if (calls.isOpen(k)) role[k] = method === LOCK ? TURN_ON : method === UNLOCK ? OPEN_OFF : OPEN_ON;
    else if (method === TRY_LOCK && calls.answers(k, calls.yes)) role[k] = TURN_ON;
    else if (method === TRY_LOCK && calls.answers(k, calls.no)) role[k] = SEE_ON;
    else if (method !== TRY_LOCK && calls.answers(k, calls.done))
      role[k] = method === LOCK ? TURN_ON : TURN_OFF;
    else return calls.oddAnswer(k);
  }
  return { history, role, key: new Int32Array(history.length), on: Uint8Array.of(Number(initial)) };
}

/* Sets: each key is a switch. What `insert` does nobody knows, and `members` ties all keys together: beyond this. */

export const setMonitor: Monitor = flagMonitor('set', readSet);

/** The methods, and what each is by its answer: yes, no, or nobody knows. */
const SET_METHODS = ['add', 'remove', 'contains'];
const ROLES = [
  [TURN_ON, SEE_ON, OPEN_ON],
  [TURN_OFF, SEE_OFF, OPEN_OFF],
  [SEE_ON, SEE_OFF, IDLE],
];

function readSet(history: History, spec: Spec): Flags | string {
  const { initial } = spec.family ?? {};
  if (!Array.isArray(initial)) return 'the family of the spec does not tell what is inside at first';
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
    if (answer < 0) return calls.oddAnswer(k);
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
