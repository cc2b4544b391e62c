/**
 * Numbers of states up to names: states that differ only in which thread is which, and which value is which, have one number.
 *
 *   C. N. Ip, D. L. Dill. Better verification through symmetry. Formal Methods in System Design 9, 1996.
 *   P. Wolper. Expressing interesting properties of programs in propositional temporal logic. POPL 1986.
 *
 * A state is written in an *order* of its threads: the heap; for each position the calls that the thread has left, with their arguments,
 * and its local state; the owners of locks, by position; the set of configurations, with operations by position (`Configurations.renamed`).
 * Values that the program declares (`Program.values`) are numbered in the order in which they are encountered.
 *
 * Why a merge loses no violation. Let two states be written equally, in the orders p and q. Then a bijection of threads (position to
 * position) and of values (number to number) turns the first into the second: heap, local states, calls left, locks and configurations.
 *
 *   threads   Nothing distinguishes threads but their calls left and their local states: the method and the arguments determine a call
 *             (`hasNamedCalls`), no thread has observed its number, none has state elsewhere (`hasThreadState`), and the owner of a lock is
 *             renamed. Calls that have returned are not part of the state, so threads need not have made the same calls before.
 *   values    The program declares that renaming them commutes with every step.
 *   spec      Learned states with equal terms have the same runs left up to the bijection, by induction over the runs. The state of a
 *             given spec does not depend on threads, and then no value is renamed.
 *
 * So each step of the first state corresponds to a step of the second by the image of its thread, which leads to states that the same
 * bijection relates. A violation can be reached from one exactly if it can be reached from the other, in the same number
 * of steps. Sleep sets are kept by position (`Tried`): dependence of steps is preserved by the bijection, so its argument holds for states
 * up to names. If a thread observes its number later, all states are numbered anew, without names.
 *
 * The order: threads are sorted by what they have left and hold, where objects and values that the heap does not contain count as equal.
 * Ties are resolved in every order, and the smallest result is taken. So the number depends on the state alone, and the number of states
 * does not depend on the order of the search. Cost: O(reachable heap) per state and order.
 */
import { ListInterner } from '../../base/collections/interners.js';
import { isPrimitive } from '../../base/values/canonical.js';
import type { Execution } from '../../execution/execution.js';
import { Fingerprint } from '../../execution/fingerprint.js';
import { ProgramError } from '../../execution/memory/program-error.js';
import { Monitor, Mutex } from '../../execution/primitives/locks.js';
import {
  type Automaton,
  type Configurations,
  permutations,
  type ThreadOrder,
} from '../automata/configurations.js';

/** With more threads, there are too many orders. */
const MOST_THREADS = 5;
/** More than the operations of a thread. */
const ROLES = 32;
/** An object, and a value, that the heap does not contain. */
const NEW_OBJECT = -2;
const NEW_VALUE = -3;

/** What threads have left to do, up to names of values: operations with equal shapes start equal lists of calls. */
class CallsLeft {
  /** Operation to the shape of it and of the later calls of its thread, and to the values among their arguments. */
  readonly shapes: Int32Array;
  readonly names: (readonly number[])[] = [];
  /** Operation to how many operations of its thread come after it. */
  readonly after: Int32Array;

  constructor({ calls, threadOf, threads }: Execution, values: readonly unknown[]) {
    this.shapes = new Int32Array(calls.length);
    this.after = new Int32Array(calls.length);
    const interner = new ListInterner();
    const constants: unknown[] = [];
    const constantOf = (value: unknown): number => {
      const known = constants.findIndex((other) => Object.is(other, value));
      return known >= 0 ? known : constants.push(value) - 1;
    };
    const next = new Int32Array(threads).fill(-1);
    for (let operation = calls.length - 1; operation >= 0; operation--) {
      const { method, args } = calls[operation];
      const later = next[threadOf[operation]];
      const numbers = args.map((arg) => values.indexOf(arg));
      const codes = args.map((arg, i) => (numbers[i] < 0 ? constantOf(arg) : -1));
      const list = Int32Array.of(constantOf(method), ...codes, -2, later < 0 ? -1 : this.shapes[later]);
      this.shapes[operation] = interner.intern(list, list.length);
      this.names[operation] = [...numbers.filter((number) => number >= 0), ...(this.names[later] ?? [])];
      this.after[operation] = later < 0 ? 0 : this.after[later] + 1;
      next[threadOf[operation]] = operation;
    }
  }
}

interface Order extends ThreadOrder {
  /** Position to thread. */
  readonly threads: readonly number[];
}

export class SymmetricStates extends Fingerprint {
  readonly #execution: Execution;
  readonly #configurations: Pick<Configurations, 'renamed'>;
  readonly #values: readonly unknown[];
  readonly #left: CallsLeft;
  /** Threads before this one are sorted: all but the main thread. */
  readonly #sorted: number;
  readonly #orders = new Map<number, Order>();
  readonly #owners = new ListInterner();
  /** The numbers of the values that the walk has encountered, and the owners of the locks. */
  readonly #names: number[] = [];
  readonly #locks: number[] = [];
  /** The threads while they are sorted, and where the description of each starts in the list. */
  readonly #sorting: Int32Array;
  readonly #ends: Int32Array;
  readonly #only: Order[] = [];
  /** Is a thread compared only? Then nothing is numbered. */
  #isMasked = false;
  #isOn = true;
  #written: Int32Array;
  #least: Int32Array;

  constructor(
    execution: Execution,
    configurations: Pick<Configurations, 'renamed'>,
    values: readonly unknown[],
  ) {
    super(execution);
    this.#execution = execution;
    this.#configurations = configurations;
    this.#values = values;
    this.#left = new CallsLeft(execution, values);
    this.#sorted = execution.threads - (execution.hasMain ? 1 : 0);
    this.#sorting = new Int32Array(this.#sorted);
    this.#ends = new Int32Array(this.#sorted + 1);
    this.#written = new Int32Array(execution.threads + 3);
    this.#least = new Int32Array(execution.threads + 3);
  }

  /** Numbers for a test, if two threads may ever have the same calls left. */
  static of(
    execution: Execution,
    automaton: Automaton,
    configurations: Configurations,
  ): SymmetricStates | undefined {
    const { memory, threads, calls, threadOf, program, hasBlocks } = execution;
    const isDistinguished = memory.isThreadObserved || memory.hasThreadState || hasBlocks;
    if (!program.hasNamedCalls || isDistinguished || automaton.renames === undefined) return undefined;
    if (threads > MOST_THREADS) return undefined;
    const values = automaton.renames === 'threads and values' ? (program.values ?? []) : [];
    const symmetric = new this(execution, configurations, values);
    const { shapes, after } = symmetric.#left;
    const last = calls.flatMap((_, operation) =>
      after[operation] === 0 && threadOf[operation] < symmetric.#sorted ? [shapes[operation]] : [],
    );
    return new Set(last).size < last.length ? symmetric : undefined;
  }

  override isOutdated(): boolean {
    const { memory } = this.#execution;
    if (!this.#isOn || !(memory.isThreadObserved || memory.hasThreadState)) return false;
    this.#isOn = false;
    this.order = undefined;
    return true;
  }

  override numberOf(set: number): number {
    if (!this.#isOn) return super.numberOf(set);
    const { threads } = this.#execution;
    this.restart();
    if (this.#names.length > 0) this.#names.length = 0;
    if (this.#locks.length > 0) this.#locks.length = 0;
    this.visit(this.root);
    const heap = this.finish(this.heaps);
    const [objects, names, locks] = [this.objects.length, this.#names.length, this.#locks.length];
    const orders = this.#candidates();
    for (let i = 0; i < orders.length; i++) {
      const order = orders[i];
      if (i > 0) {
        this.forgetFrom(objects);
        this.written = objects;
        this.#names.length = names;
        this.#locks.length = locks;
      }
      const state = this.#written;
      state[0] = heap;
      for (let place = 0; place < threads; place++) {
        this.writeThread(order.threads[place]);
        state[place + 1] = this.finish(this.threads);
      }
      this.writeOwners(order.threads);
      state[threads + 1] = this.finish(this.#owners);
      state[threads + 2] = this.imageOf(set, order);
      if (i > 0 && !isBefore(state, this.#least)) continue;
      [this.#written, this.#least] = [this.#least, state];
      this.order = order.threads;
    }
    return this.all.intern(this.#least, threads + 3);
  }

  /** The set of configurations in an order of the threads, with the values in their numbers. */
  protected imageOf(set: number, order: ThreadOrder): number {
    return this.#configurations.renamed(set, order, this.#names);
  }

  /** The owners of the locks, by position. */
  protected writeOwners(order: readonly number[]): void {
    for (let i = 0; i < this.#locks.length; i++) this.write(order.indexOf(this.#locks[i]));
  }

  /** The orders of the threads that sorting leaves. Threads outside of calls that are equal do not differ at all. */
  #candidates(): readonly Order[] {
    const { announced, isInside } = this.#execution;
    const sorting = this.#sorting;
    const locks = this.#locks.length;
    let hasTies = false;
    this.#isMasked = true;
    for (let thread = 0; thread < this.#sorted; thread++) {
      this.#ends[thread] = this.length;
      this.writeThread(thread);
      for (let i = 0; i < locks; i++) if (this.#locks[i] === thread) this.write(i);
      this.#ends[thread + 1] = this.length;
      let place = thread;
      for (; place > 0; place--) {
        const other = sorting[place - 1];
        const compared = this.#compare(thread, other);
        if (compared >= 0) {
          hasTies ||= compared === 0 && announced[thread] >= 0 && isInside[thread] === 1;
          break;
        }
        sorting[place] = other;
      }
      sorting[place] = thread;
    }
    this.#isMasked = false;
    const orders = hasTies ? this.#tieOrders() : this.#only;
    if (!hasTies) this.#only[0] = this.#orderOf(sorting);
    this.length = 0;
    return orders;
  }

  /** All orders that agree with the sorting. */
  #tieOrders(): Order[] {
    const { announced, isInside } = this.#execution;
    const order = Array.from(this.#sorting);
    let all: number[][] = [[]];
    for (let from = 0, to = 1; from < order.length; from = to++) {
      while (to < order.length && this.#compare(order[from], order[to]) === 0) to++;
      const tied = order.slice(from, to);
      const isEqual = announced[tied[0]] < 0 || isInside[tied[0]] === 0;
      const ways = tied.length === 1 || isEqual ? [tied] : permutations(tied);
      all = all.flatMap((before) => ways.map((way) => [...before, ...way]));
    }
    return all.map((threads) => this.#orderOf(threads));
  }

  #compare(one: number, other: number): number {
    const ends = this.#ends;
    return this.compareParts(ends[one], ends[one + 1], ends[other], ends[other + 1]);
  }

  #orderOf(sorted: ArrayLike<number>): Order {
    let code = 0;
    for (let place = 0; place < sorted.length; place++) code = 8 * code + sorted[place];
    const known = this.#orders.get(code);
    if (known !== undefined) return known;
    const { threadOf, hasMain } = this.#execution;
    const threads = Array.from(sorted);
    if (hasMain) threads.push(this.#sorted);
    const roleOf = threadOf.map((thread, operation) => {
      const place = threads.indexOf(thread);
      return ROLES * place + this.#left.after[operation];
    });
    const order = { index: this.#orders.size, threads, roleOf, nameOf: (one: number) => this.#nameOf(one) };
    this.#orders.set(code, order);
    return order;
  }

  #nameOf(outcome: number): number {
    if (this.#values.length === 0) return -1;
    const result = this.#execution.outcomes.at(outcome);
    if (result.kind !== 'returned') return -1;
    const number = this.#values.indexOf(result.value);
    if (number < 0 && !isPrimitive(result.value))
      throw new ProgramError('a program with values that can be renamed returned an object');
    return number;
  }

  protected override writeCalls(thread: number): void {
    const operation = this.#execution.operation[thread];
    this.write(operation < 0 ? -1 : this.#left.shapes[operation]);
    if (operation < 0) return;
    const names = this.#left.names[operation];
    for (let i = 0; i < names.length; i++) this.#writeName(names[i]);
  }

  protected override visitValue(value: unknown): void {
    if (this.#values.length > 0) {
      const name = this.#values.indexOf(value);
      if (name >= 0) {
        this.#writeName(name);
        return;
      }
    }
    if (!this.#isMasked || isPrimitive(value)) super.visitValue(value);
    else if (this.numberIn(value as object) < 0 && !this.#execution.isFixed(value as object))
      this.write(NEW_OBJECT);
    else super.visitValue(value);
  }

  #writeName(name: number): void {
    let number = this.#names.indexOf(name);
    if (number < 0 && this.#isMasked) {
      this.write(NEW_VALUE);
      return;
    }
    if (number < 0) number = this.#names.push(name) - 1;
    this.write(4 * number + 3);
  }

  /** Which thread owns a lock is written by position, when the positions are known. */
  protected override writeObject(object: object): void {
    if (!(object instanceof Mutex || object instanceof Monitor)) {
      super.writeObject(object);
      return;
    }
    // a subclass may know its owner in other ways
    const isOfSubclass = object.constructor !== Mutex && object.constructor !== Monitor;
    if (isOfSubclass) this.#execution.memory.hasThreadState = true;
    this.writePrototype(object);
    this.write(object instanceof Monitor ? object.depth : 0);
    this.#locks.push(object.owner);
  }
}

function isBefore(one: Int32Array, other: Int32Array): boolean {
  for (let i = 0; i < one.length; i++) if (one[i] !== other[i]) return one[i] < other[i];
  return false;
}
