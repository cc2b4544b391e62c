/**
 * Fingerprints: states of a running program as integers. Equal numbers mean that the same executions can follow.
 *
 * A state is what can be reached from the object under test, and from what each thread has observed in its call, which determines its
 * local state (execution/memory/memory.ts). Objects are numbered in the order of the walk, so heaps that differ only in the identity of
 * objects are equal. What an object holds: execution/memory/heap-walk.ts.
 *
 * The heap and each thread have numbers of their own, and a state is a short list of these (collapse compression: G. Holzmann, State
 * compression in Spin, 1997). Nothing is lost to hashing.
 *
 * If an opaque object is reached, such as an instance of a class that is not instrumented, no two states are known to be equal.
 *
 * Cost: O(reachable heap) per state.
 */
import { ListInterner } from '../base/collections/interners.js';
import { grown } from '../base/collections/ints.js';
import { Interner } from '../base/values/interner.js';
import type { Execution } from './execution.js';
import { kindOf } from './memory/access.js';
import { type HasContents, visitContents, visitFunction } from './memory/heap-walk.js';
import { ProgramError } from './memory/program-error.js';

/** Ends the contents of an object. */
export const END = -1;
/** The length of a list that is searched without an index. */
const SHORT = 24;
/** Interned values do not distinguish 0 from -0. A list is no primitive value, so it stands for -0 alone. */
const MINUS_ZERO = ['-0'];

/**
 * Writes a walk of the heap as a list of integers. Objects are numbered when they are reached and written afterwards; primitive
 * values, prototypes, symbols and fixed objects have one number for all walks. The last two bits say which number it is; 3 is free.
 */
export abstract class HeapWriter {
  protected length = 0;
  /** The objects of this walk by number. */
  protected readonly objects: object[] = [];
  /** If there are many objects: object to its number. A search of a short list is faster, since new objects have no hash yet. */
  readonly #numbers = new Map<object, number>();
  /** How many objects have been written. */
  protected written = 0;
  readonly #primitives = new Interner();
  readonly #shapes = new Map<unknown, number>();
  #list: Int32Array = new Int32Array(256);

  protected abstract writeObject(object: object): void;

  /** Starts a walk. */
  protected restart(): void {
    this.forgetFrom(0);
    this.written = 0;
    this.length = 0;
  }

  protected write(item: number): void {
    if (this.length === this.#list.length) this.#list = grown(this.#list, 0);
    this.#list[this.length++] = item;
  }

  /** False if the value is an object or a function. */
  protected writePrimitive(value: unknown): boolean {
    if (value !== null && (typeof value === 'object' || typeof value === 'function')) return false;
    if (typeof value === 'symbol') this.writeFixed(value);
    else this.write(4 * this.#primitives.intern(Object.is(value, -0) ? MINUS_ZERO : value));
    return true;
  }

  /** A symbol, or an object that no execution changes. */
  protected writeFixed(value: unknown): void {
    this.write(4 * this.shapeOf(value) + 2);
  }

  /** An object that can change; its contents are written later. */
  protected writeReference(object: object): void {
    const known = this.numberIn(object);
    this.write(4 * (known >= 0 ? known : this.#add(object)) + 1);
  }

  /** The number of an object in this walk, or -1. */
  protected numberIn(object: object): number {
    return this.objects.length <= SHORT ? this.objects.indexOf(object) : (this.#numbers.get(object) ?? -1);
  }

  #add(object: object): number {
    const number = this.objects.push(object) - 1;
    if (number === SHORT) for (let i = 0; i < number; i++) this.#numbers.set(this.objects[i], i);
    if (number >= SHORT) this.#numbers.set(object, number);
    return number;
  }

  /** Forgets the objects from a number on. */
  protected forgetFrom(number: number): void {
    const { objects } = this;
    if (number <= SHORT) this.#numbers.clear();
    else for (let i = number; i < objects.length; i++) this.#numbers.delete(objects[i]);
    objects.length = number;
  }

  /** Writes the objects that were reached and not written yet. Returns the number of the list. */
  protected finish(numbers: ListInterner): number {
    while (this.written < this.objects.length) {
      this.writeObject(this.objects[this.written++]);
      this.write(END);
    }
    const number = numbers.intern(this.#list, this.length);
    this.length = 0;
    return number;
  }

  /** Orders two parts of the list so far: negative, 0 or positive, as the first is before, equal to or after the second. */
  protected compareParts(from: number, to: number, otherFrom: number, otherTo: number): number {
    const list = this.#list;
    for (let i = from, j = otherFrom; i < to && j < otherTo; i++, j++)
      if (list[i] !== list[j]) return list[i] - list[j];
    return to - from - (otherTo - otherFrom);
  }

  /** The list so far, which is then empty. */
  protected takeList(): Int32Array {
    const list = this.#list.slice(0, this.length);
    this.length = 0;
    return list;
  }

  /** How many prototypes, symbols and fixed objects have numbers. */
  protected get shapes(): number {
    return this.#shapes.size;
  }

  protected shapeOf(shape: unknown): number {
    let number = this.#shapes.get(shape);
    if (number === undefined) {
      number = this.#shapes.size;
      this.#shapes.set(shape, number);
    }
    return number;
  }
}

export class Fingerprint extends HeapWriter {
  /** Was an opaque object reached? Then numbers mean nothing from now on. */
  hasOpaqueObjects = false;
  /** Position to thread in the state that was numbered last; undefined if each thread has the position of its number. */
  order: readonly number[] | undefined;
  protected readonly heaps: ListInterner = new ListInterner();
  protected readonly threads: ListInterner = new ListInterner();
  protected all: ListInterner = new ListInterner();
  readonly #execution: Execution;
  readonly #state: Int32Array;

  constructor(execution: Execution) {
    super();
    this.#execution = execution;
    this.#state = new Int32Array(execution.threads + 3);
  }

  /** The number of distinct states so far. */
  get states(): number {
    return this.all.size;
  }

  /** All states are new again. */
  forget(): void {
    this.all = new ListInterner();
  }

  /** The number of the current state of the program combined with `beside`, such as a set of configurations. */
  numberOf(beside: number): number {
    const state = this.#state;
    const { threads } = this.#execution;
    this.restart();
    this.visit(this.root);
    state[0] = this.finish(this.heaps);
    for (let thread = 0; thread < threads; thread++) {
      this.writeThread(thread);
      state[thread + 1] = this.finish(this.threads);
    }
    state[threads + 1] = beside;
    state[threads + 2] = this.#execution.blockOwner;
    return this.all.intern(state, threads + 3);
  }

  /** The start of the walk. */
  protected get root(): unknown {
    return this.#execution.object;
  }

  protected threadFlags(thread: number): number {
    const { memory, isInside } = this.#execution;
    return (
      (memory.hasWokenItself(thread) ? 8 : 0) |
      (memory.isSpinning(thread) ? 4 : 0) |
      (memory.isAsleep(thread) ? 2 : 0) |
      isInside[thread]
    );
  }

  protected observationsOf(thread: number): readonly unknown[] {
    return this.#execution.memory.observedBy(thread);
  }

  /** Have states that were numbered so far become incomparable? Then all states must be numbered anew. */
  isOutdated(): boolean {
    return false;
  }

  /** What a thread has left to do. */
  protected writeCalls(thread: number): void {
    this.write(this.#execution.operation[thread]);
  }

  protected writeThread(thread: number): void {
    const { announced } = this.#execution;
    this.writeCalls(thread);
    if (announced[thread] < 0) return;
    this.write(16 * kindOf(announced[thread]) + this.threadFlags(thread));
    this.#execution.program.visitThread?.(thread, this.visit);
    this.write(END);
    const observed = this.observationsOf(thread);
    for (let i = 0; i < observed.length; i++) this.visit(observed[i]);
  }

  protected readonly visit = (value: unknown): void => {
    this.visitValue(value);
  };

  protected visitValue(value: unknown): void {
    if (this.writePrimitive(value)) return;
    const object = value as object;
    if (this.numberIn(object) < 0 && this.#execution.isFixed(object)) this.writeFixed(object);
    else this.writeReference(object);
  }

  protected override writeObject(object: object): void {
    this.writePrototype(object);
    if (typeof object === 'function') this.#writeFunction(object);
    else if ('contents$' in object) (object as HasContents).contents$(this.visit);
    else visitContents(object, this.visit);
  }

  #writeFunction(called: { readonly name: string }): void {
    if (visitFunction(called, this.visit)) return;
    if (!this.#execution.isOpaqueObject(called))
      throw new ProgramError(
        `the object under test holds a function (${called.name || 'unnamed'}), and what that can see is not known; give its class a method contents$ that visits what can change`,
      );
    this.hasOpaqueObjects = true;
  }

  /** A prototype that can change is part of the state; all others are identified. */
  protected writePrototype(object: object): void {
    const prototype: object | null = Object.getPrototypeOf(object);
    const canChange = prototype !== null && this.#execution.hasPrototypes && !('contents$' in object);
    if (canChange && !this.#execution.isFixed(prototype)) {
      this.visit(prototype);
      this.#askIfOpaque(object);
      return;
    }
    const known = this.shapes;
    const number = this.shapeOf(prototype);
    this.write(number);
    if (number === known) this.#askIfOpaque(object);
  }

  /** Functions, and objects with `contents$`, are tested one by one. */
  #askIfOpaque(object: object): void {
    if (typeof object === 'function' || 'contents$' in object) return;
    this.hasOpaqueObjects ||= this.#execution.isOpaqueObject(object);
  }
}
