/**
 * A linearization of a queue or stack by one run along its events, for most histories that have one.
 *
 * Values are added as late as possible: when the add returns, or when a removal of the value does. They are removed as
 * early as possible: as soon as the removal is called and the value is next. So at any moment the container holds as few
 * values as possible, and "empty" results take effect whenever it is empty. What is left to choose is the order of open
 * adds. The run looks ahead to the removals of their values.
 *
 * - Queue: the value whose removal is called first is added first.
 * - Stack: before a value, those are added that are removed later and whose adds return before its own removal is called.
 *   A value whose removal is called while its add is open is pushed and popped at once. If the run comes to a return of a
 *   pop whose value has another above it, the value was pushed too early. The run goes back to that push, and lets the value
 *   wait for the other one.
 *
 * The order is one of the container by construction. If the run does not get through, nothing follows, and the monitor
 * decides. The run gives up on peeks, and when it has gone through more than MOST events for each event of the history.
 *
 * Cost: O(events × open adds).
 */
import { NEVER } from '../../../history/model/columns.js';
import { ADD, type Container, EMPTY, IDLE, NONE, OPEN_REMOVE, PEEK, REMOVE } from './container.js';

const MOST = 4;

/** The state of a value. */
const [OUTSIDE, INSIDE, GONE] = [0, 1, 2];

/** The order of operations, or undefined if the run does not get through. */
export const lazyQueueOrder = (container: Container): Int32Array | undefined => new QueueRun(container).run();
export const lazyStackOrder = (container: Container): Int32Array | undefined => new StackRun(container).run();

abstract class LazyRun {
  readonly container: Container;
  /** The moment. */
  now = 0;
  /** Values of open adds that have not taken effect, and operations that wait for the empty container. */
  open: number[] = [];
  waiting: number[] = [];
  readonly state: Uint8Array;
  /** The values of the container: those from `head` to `tail`. */
  readonly items: Int32Array;
  head = 0;
  tail = 0;
  readonly order: Int32Array;
  length = 0;
  /** How many more events and open adds to look at. */
  left: number;

  constructor(container: Container) {
    const { history, values, initial } = container;
    this.container = container;
    this.state = new Uint8Array(values);
    this.items = new Int32Array(values);
    this.order = new Int32Array(history.length);
    this.left = MOST * history.columns.events.length;
    for (let v = 0; v < initial; v++) this.#enter(v);
  }

  /** Removes the next values whose removals have been called. */
  abstract settle(): void;
  /** Adds a value, and before it those that must be. False: the run does not get through. */
  abstract place(v: number): boolean;
  /** A removal has returned, although its value is not gone. False: the run does not get through. */
  abstract need(v: number): boolean;
  /** The operation takes effect. */
  abstract put(k: number): void;
  /** An operation on a value is called. */
  abstract called(v: number): void;

  run(): Int32Array | undefined {
    const { history, role, value, second } = this.container;
    const { events } = history.columns;
    if (second !== NONE || role.includes(PEEK)) return undefined;
    for (this.now = 0; this.now < events.length; this.now++) {
      if (--this.left < 0) return undefined;
      const event = events[this.now];
      const k = event < 0 ? ~event : event;
      const v = value[k];
      if (event >= 0) {
        if (role[k] === EMPTY) this.#emptyCalled(k);
        else if (role[k] === ADD || role[k] === REMOVE) {
          if (v === NONE) return undefined;
          if (role[k] === ADD) this.open.push(v);
          this.called(v);
        } else if (role[k] !== OPEN_REMOVE && role[k] !== IDLE) return undefined;
      } else if (role[k] === EMPTY) {
        if (this.waiting.includes(k)) return undefined;
      } else if (role[k] === ADD) {
        if (this.state[v] === OUTSIDE && !this.place(v)) return undefined;
      } else if (this.state[v] !== GONE && !this.need(v)) return undefined;
    }
    return this.order.subarray(0, this.length);
  }

  /** The moment at which the removal of a value is called. */
  removal(v: number): number {
    const k = this.container.remove[v];
    return k === NONE ? NEVER : this.container.history.columns.call[k];
  }

  /** An open add takes effect. */
  add(v: number): void {
    const { open } = this;
    open[open.indexOf(v)] = open[open.length - 1];
    open.pop();
    this.#enter(v);
    this.put(this.container.add[v]);
    this.settle();
  }

  letEmptyTakeEffect(): void {
    for (let i = 0; i < this.waiting.length; i++) this.put(this.waiting[i]);
    this.waiting.length = 0;
  }

  #enter(v: number): void {
    this.items[this.tail++] = v;
    this.state[v] = INSIDE;
  }

  #emptyCalled(k: number): void {
    if (this.head === this.tail) this.put(k);
    else this.waiting.push(k);
  }
}

class QueueRun extends LazyRun {
  put(k: number): void {
    this.order[this.length++] = k;
  }

  called(v: number): void {
    if (this.state[v] === INSIDE && this.items[this.head] === v) this.settle();
  }

  settle(): void {
    while (this.head < this.tail) {
      const v = this.items[this.head];
      if (this.removal(v) > this.now) return;
      this.head++;
      this.state[v] = GONE;
      this.put(this.container.remove[v]);
    }
    this.letEmptyTakeEffect();
  }

  place(v: number): boolean {
    const { open } = this;
    while (this.state[v] === OUTSIDE) {
      if (this.left < 0) return false;
      let first = open[0];
      for (let i = 1; i < open.length; i++) if (this.removal(open[i]) < this.removal(first)) first = open[i];
      this.left -= open.length;
      this.add(first);
    }
    return true;
  }

  need(v: number): boolean {
    return this.state[v] === OUTSIDE && this.open.includes(v) && this.place(v) && this.state[v] === GONE;
  }
}

class StackRun extends LazyRun {
  /** The moment at which each operation of the order took effect. */
  readonly #at: Int32Array = new Int32Array(this.order.length);
  /** Values to those that are to be pushed before. */
  readonly #after: Map<number, number[]> = new Map();

  put(k: number): void {
    this.#at[this.length] = this.now;
    this.order[this.length++] = k;
  }

  called(v: number): void {
    if (this.state[v] === INSIDE) {
      if (this.items[this.tail - 1] === v) this.settle();
    } else if (this.removal(v) <= this.now && this.open.includes(v)) this.add(v);
  }

  settle(): void {
    while (this.tail > 0) {
      const v = this.items[this.tail - 1];
      if (this.removal(v) > this.now) return;
      this.tail--;
      this.state[v] = GONE;
      this.put(this.container.remove[v]);
    }
    this.letEmptyTakeEffect();
  }

  place(v: number): boolean {
    if (this.left < 0) return false;
    if (this.#after.size > 0)
      for (const other of this.#after.get(v) ?? [])
        if (this.state[other] === OUTSIDE && !(this.open.includes(other) && this.place(other))) return false;
    if (this.state[v] !== OUTSIDE) return true;
    const below = this.#below(v);
    for (let i = 0; i < below.length; i++)
      if (this.state[below[i]] === OUTSIDE && !this.place(below[i])) return false;
    if (this.state[v] === OUTSIDE) this.add(v);
    return true;
  }

  /** The open values to push before this one, the one that is popped last first. */
  #below(v: number): readonly number[] {
    const { open, container } = this;
    const { return: returned } = container.history.columns;
    const removal = this.removal(v);
    let below: number[] | undefined;
    this.left -= open.length;
    for (let i = 0; i < open.length; i++) {
      const other = open[i];
      if (this.removal(other) <= removal || returned[container.add[other]] >= removal) continue;
      if (this.#after.size > 0 && this.#after.get(other)?.some((o) => this.state[o] === OUTSIDE)) continue;
      below ??= [];
      below.push(other);
    }
    return below?.sort((a, b) => this.removal(b) - this.removal(a)) ?? [];
  }

  need(v: number): boolean {
    if (this.state[v] !== INSIDE || v < this.container.initial) return false;
    const { add, history } = this.container;
    const { call, return: returned } = history.columns;
    // the lowest value above it that is not to be popped yet
    let place = this.tail - 1;
    let other = NONE;
    for (; this.items[place] !== v; place--)
      if (this.removal(this.items[place]) > this.now) other = this.items[place];
    this.left -= this.tail - place;
    const after = this.#after.get(v) ?? [];
    if (other === NONE || other < this.container.initial || after.includes(other)) return false;
    if (call[add[other]] > returned[add[v]]) return false;
    this.#after.set(v, [...after, other]);
    this.#goBackTo(v);
    return true;
  }

  /** Undoes everything since the moment at which a value was pushed, inclusively. */
  #goBackTo(v: number): void {
    const { history, role, value, add } = this.container;
    const { call } = history.columns;
    let place = this.length - 1;
    while (this.order[place] !== add[v]) place--;
    const moment = this.#at[place];
    while (this.length > 0 && this.#at[this.length - 1] >= moment) {
      const k = this.order[--this.length];
      if (role[k] === ADD) {
        this.tail--;
        this.state[value[k]] = OUTSIDE;
        this.open.push(value[k]);
      } else if (role[k] === REMOVE) {
        this.items[this.tail++] = value[k];
        this.state[value[k]] = INSIDE;
      } else this.waiting.push(k);
    }
    this.open = this.open.filter((own) => call[add[own]] < moment);
    this.waiting = this.waiting.filter((k) => call[k] < moment);
    this.left -= this.now - moment;
    this.now = moment - 1;
  }
}
