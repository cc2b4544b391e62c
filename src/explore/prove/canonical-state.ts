/**
 * Canonical forms of the states of a client: states that differ only in names have the same number.
 *
 *   objects   are numbered in the order of the walk, so garbage and identities do not matter
 *   values    (`FreshValue`) are numbered in the same way
 *   threads   are sorted by their local states, if nothing distinguishes them
 *
 * A thread that is inside a call is described by its call and by its observations, which determine its local state
 * (execution/memory/memory.ts). The configurations of the specification are renamed by the same walk, with its `order` and `names`.
 *
 * Equal numbers mean that the states are equal up to a renaming, so the same executions follow up to that renaming. Sorting leaves
 * ties: threads that differ only in objects that were not encountered before, or in the configurations. Each order of such threads is a
 * candidate, and the caller takes the smallest. So the number of states does not depend on the order of the search.
 *
 * Cost: O(reachable heap) per state.
 */
import { types } from 'node:util';
import { ListInterner } from '../../base/collections/interners.js';
import { END, HeapWriter } from '../../execution/fingerprint.js';
import { kindOf } from '../../execution/memory/access.js';
import { type HasContents, visitContents, visitFunction } from '../../execution/memory/heap-walk.js';
import { Monitor, Mutex } from '../../execution/primitives/locks.js';
import { runtime } from '../../instrument/runtime/runtime.js';
import { permutations } from '../automata/configurations.js';
import { type ClientRun, IDLE } from './client.js';
import { FreshValue } from './fresh-values.js';

/** An object, and a value, that was not encountered before. */
const NEW_OBJECT = -2;
const NEW_VALUE = -3;

/** A form of a state, in one order of its threads. */
export interface StateForm {
  readonly heap: number;
  /** Position to thread, and to the number of its local state. */
  readonly order: readonly number[];
  readonly locals: readonly number[];
  /** Position of a value to its number; and how many values no call has returned yet. */
  readonly names: readonly number[];
  readonly elements: number;
}

export class CanonicalStates extends HeapWriter {
  /** Why states cannot be compared: an object whose state cannot be read. */
  opaque: string | undefined;
  /** Was something encountered that depends on the number of a thread? Then threads are not sorted. */
  seesThreads = false;
  /** The numbers of the values of the last state, by position. */
  readonly names: number[] = [];

  readonly #run: ClientRun;
  /** Threads from here on are sorted. */
  readonly #sortedFrom: number;
  readonly #heaps = new ListInterner();
  readonly #locals = new ListInterner();
  readonly #states = new ListInterner();
  readonly #state: Int32Array;
  #heap = 0;
  /** Is a thread compared only? Then nothing is numbered. */
  #isMasked = false;
  readonly #masked: Int32Array[] = [];

  /** Threads from `sortedFrom` on are symmetric. */
  constructor(run: ClientRun, sortedFrom: number) {
    super();
    this.#run = run;
    this.#sortedFrom = sortedFrom;
    this.#state = new Int32Array(run.threads + 2);
  }

  /** The numbers of different heaps, and of different local states of threads. */
  get heaps(): number {
    return this.#heaps.size;
  }

  get locals(): number {
    return this.#locals.size;
  }

  /** Are threads sorted? */
  get isSorting(): boolean {
    return this.#run.threads - this.#sortedFrom > 1;
  }

  /** Walks the present state. Gives its forms, one for each order of threads that sorting does not decide. */
  walk(): readonly StateForm[] {
    this.restart();
    this.names.length = 0;
    this.#visit(this.#run.subject);
    runtime.moduleState.contents$(this.#visit);
    this.#heap = this.finish(this.#heaps);
    const [objects, values] = [this.objects.length, this.names.length];
    return this.#orders().map((order) => {
      this.forgetFrom(objects);
      this.names.length = values;
      this.written = objects;
      const locals = order.map((thread) => {
        this.#writeThread(thread);
        return this.finish(this.#locals);
      });
      const elements = this.names.filter((name) => !this.#run.isReturned[name]).length;
      return { heap: this.#heap, order, locals, names: [...this.names], elements };
    });
  }

  /** The number of a state, with the set of configurations in its names. */
  intern({ heap, locals }: StateForm, set: number): number {
    this.#state[0] = heap;
    for (let place = 0; place < locals.length; place++) this.#state[place + 1] = locals[place];
    this.#state[locals.length + 1] = set;
    return this.#states.intern(this.#state, locals.length + 2);
  }

  /** The number of the heap that was walked, without threads. */
  get heap(): number {
    return this.#heap;
  }

  /** The threads sorted by their states, masked: only what the heap has numbered counts. Ties are resolved in every way. */
  #orders(): number[][] {
    const { threads, letter } = this.#run;
    const order = Array.from({ length: threads }, (_, thread) => thread);
    if (!this.isSorting) return [order];
    this.#isMasked = true;
    for (let thread = this.#sortedFrom; thread < threads; thread++) {
      this.#writeThread(thread);
      this.#masked[thread] = this.takeList();
    }
    this.#isMasked = false;
    const fixed = order.splice(0, this.#sortedFrom);
    const compare = (one: number, other: number) => compareLists(this.#masked[one], this.#masked[other]);
    order.sort((one, other) => compare(one, other) || one - other);
    let orders = [fixed];
    for (let from = 0, to = 1; from < order.length; from = to++) {
      while (to < order.length && compare(order[from], order[to]) === 0) to++;
      const tied = order.slice(from, to);
      // idle threads in the same state do not differ at all
      const ways = letter[tied[0]] === IDLE ? [tied] : permutations(tied);
      orders = orders.flatMap((before) => ways.map((way) => [...before, ...way]));
    }
    return orders;
  }

  #writeThread(thread: number): void {
    const { letter, state, announced, args, memory, choosing } = this.#run;
    this.write(letter[thread]);
    this.write(state[thread]);
    if (letter[thread] === IDLE) return;
    this.write(
      8 * kindOf(announced[thread]) +
        (memory.hasWokenItself(thread) ? 4 : 0) +
        (memory.isAsleep(thread) ? 2 : 0) +
        (choosing === thread ? 1 : 0),
    );
    runtime.waiters.visitPlaces(thread, this.#visit);
    this.write(END);
    for (const arg of args[thread]) this.#visit(arg);
    const observed = memory.observedBy(thread);
    for (let i = 0; i < observed.length; i++) this.#visit(observed[i]);
  }

  readonly #visit = (value: unknown): void => {
    if (this.writePrimitive(value)) return;
    const object = value as object;
    const fresh = FreshValue.numberOf(object);
    if (fresh >= 0) this.#visitFresh(fresh);
    else if (this.numberIn(object) >= 0) this.writeReference(object);
    else if (this.#run.program.isFixed?.(object)) this.writeFixed(object);
    else if (this.#isMasked) this.write(NEW_OBJECT);
    else this.writeReference(object);
  };

  /** A value that a call has returned is another one: it no longer counts as an element. */
  #visitFresh(fresh: number): void {
    let place = this.names.indexOf(fresh);
    if (place < 0) {
      if (this.#isMasked) {
        this.write(NEW_VALUE);
        return;
      }
      place = this.names.push(fresh) - 1;
    }
    this.write(8 * place + (this.#run.isReturned[fresh] ? 4 : 0) + 3);
  }

  protected override writeObject(object: object): void {
    if (object instanceof Mutex || object instanceof Monitor) this.seesThreads = true;
    this.#writePrototype(object);
    if (typeof object === 'function') {
      if (!visitFunction(object, this.#visit)) this.#isOpaque(object);
    } else if ('contents$' in object) (object as HasContents).contents$(this.#visit);
    else visitContents(object, this.#visit);
  }

  /** A prototype that can change is part of the state; all others are identified. */
  #writePrototype(object: object): void {
    const prototype: object | null = Object.getPrototypeOf(object);
    const { isFixed, isOpaqueObject } = this.#run.program;
    const isDescribed = typeof object === 'function' || 'contents$' in object;
    if (prototype !== null && !('contents$' in object) && isFixed?.(prototype) === false) {
      if (!isDescribed && isOpaqueObject?.(object)) this.#isOpaque(object);
      this.#visit(prototype);
      return;
    }
    const known = this.shapes;
    const number = this.shapeOf(prototype);
    this.write(number);
    // one check per class is enough, except for a Proxy: it has the prototype of its target
    if (isDescribed || (number < known && !types.isProxy(object))) return;
    if (isOpaqueObject?.(object)) this.#isOpaque(object);
  }

  #isOpaque(object: object): void {
    const name =
      typeof object === 'function'
        ? `the function ${(object as { readonly name: string }).name || '(unnamed)'}`
        : `an object of ${(Object.getPrototypeOf(object) as object | null)?.constructor.name ?? 'no class'}`;
    this.opaque ??= name;
  }
}

/** A state in one order of its threads, with its set of configurations in that order. */
interface Candidate {
  readonly form: StateForm;
  readonly set: number;
}

/** Orders the forms of one state. */
export function compareForms(one: Candidate, other: Candidate): number {
  const at = one.form.locals.findIndex((local, place) => local !== other.form.locals[place]);
  return at < 0 ? one.set - other.set : one.form.locals[at] - other.form.locals[at];
}

/** Negative, 0 or positive, as the first is before, equal to or after the second. */
function compareLists(one: Int32Array, other: Int32Array): number {
  for (let i = 0; i < one.length && i < other.length; i++) if (one[i] !== other[i]) return one[i] - other[i];
  return one.length - other.length;
}

/** How many states are known, and how many different parts they have. */
export interface StateParts {
  readonly states: number;
  readonly heaps: number;
  readonly locals: number;
  readonly sets: number;
}

/** Keeps the parts of states of a time when between a quarter and a half of them were known. */
export class Halves {
  half: StateParts = { states: 0, heaps: 0, locals: 0, sets: 0 };
  #next: StateParts = this.half;

  note(now: StateParts): void {
    if (now.states < 2 * this.#next.states) return;
    this.half = this.#next;
    this.#next = now;
  }
}
