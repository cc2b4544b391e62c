/**
 * Do switches have an order? In linear time, whatever is repeated.
 *
 *   P. Abdulla, S. Grahn, B. Jonsson, S. Krishna, O. Mishra. Efficient linearizability monitoring.
 *   2025 (LiMo), section 6.2, repaired: docs/papers.md.
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
import type { History } from '../../../history/history.js';
import { NEVER } from '../../../history/model/columns.js';
import type { Spec } from '../../../spec/spec.js';
import { LateOrder } from '../common/late-order.js';
import type { Monitor, Ruling } from '../common/monitor.js';
import { Waiting } from '../common/waiting.js';
import {
  IDLE,
  OPEN_OFF,
  OPEN_ON,
  SEE_OFF,
  SEE_ON,
  type Switches,
  switchModel,
  TURN_OFF,
  TURN_ON,
} from './flags.js';

/** Bytes an operation: roles, keys, what waits, and the order. */
const BYTES = 50;

/** The monitor of a kind of objects that can be read as switches. */
export function switchMonitor(
  kind: string,
  read: (history: History, spec: Spec) => Switches | string,
): Monitor {
  return {
    name: `${kind} monitor`,
    kinds: [kind],
    read: (history, spec) => {
      const switches = read(history, spec);
      if (typeof switches === 'string') return switches;
      return {
        bytes: BYTES * history.length,
        parts: switches.on.length,
        decide: () => switchRuling(switches),
        model: () => switchModel(switches),
      };
    },
  };
}

function switchRuling(switches: Switches): Ruling {
  const { history, role, key } = switches;
  const { events, return: returned } = history.columns;
  const run = new Run(switches);
  for (let moment = 0; moment < events.length; moment++) {
    const event = events[moment];
    if (event >= 0) run.call(event);
    else if (!run.return(~event))
      return { kind: 'stops', operation: ~event, among: (k) => key[k] === key[~event] };
  }
  return {
    kind: 'order',
    order: run.order.finish((k) =>
      returned[k] === NEVER && (TURNS_ON[role[k]] || TURNS_OFF[role[k]])
        ? 2 * key[k] + TURNS_ON[role[k]]
        : -1,
    ),
  };
}

/** Role to 1 where it turns a switch so, or may. */
const TURNS_ON = roles(TURN_ON, OPEN_ON);
const TURNS_OFF = roles(TURN_OFF, OPEN_OFF);

function roles(...some: readonly number[]): Uint8Array {
  return Uint8Array.from({ length: IDLE + 1 }, (_, role) => Number(some.includes(role)));
}

/** Kinds of effects are numbered: 2 * key + 1 turns it on, 2 * key turns it off. */
class Run {
  readonly order: LateOrder;
  readonly #role: Uint8Array;
  readonly #key: Int32Array;
  readonly #returned: Int32Array;
  readonly #on: Uint8Array;
  /** Key to those who want it to be other than it is. */
  readonly #waiting: Waiting;

  constructor({ history, role, key, on }: Switches) {
    this.#role = role;
    this.#key = key;
    this.#returned = history.columns.return;
    this.#on = on.slice();
    this.order = new LateOrder(history.length, 2 * on.length);
    this.#waiting = new Waiting(history.length, on.length);
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
