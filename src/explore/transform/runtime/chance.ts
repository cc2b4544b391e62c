/**
 * Luck and time, the same in every run: what a thread gets depends on how often it
 * has asked, and on nothing else.
 *
 * Numbers are spread over their range by a hash. Time begins at a fixed moment and
 * goes on by a millisecond each time a thread looks at it, so that who waits for a
 * time to come sees it come.
 */

import type { AnyFunction } from './twins.js';

/** 1 January 2026. */
const BEGINNING = 1_767_225_600_000;

/** What stands for each function that depends on luck or time. */
const INSTEAD = new Map<AnyFunction, (chance: Chance, thread: number, args: readonly unknown[]) => unknown>([
  [Math.random, (chance, thread) => chance.fraction(thread)],
  [Date.now, (chance, thread) => chance.now(thread)],
  [performance.now, (chance, thread) => chance.sinceStart(thread)],
  [crypto.randomUUID, (chance, thread) => chance.uuid(thread)],
  [crypto.getRandomValues, (chance, thread, [view]) => chance.fill(thread, view as ArrayBufferView)],
]);

export function isUncertain(called: AnyFunction): boolean {
  return INSTEAD.has(called);
}

export class Chance {
  /** Thread to how often it has asked. */
  readonly #asked: number[] = [];

  reset(): void {
    this.#asked.length = 0;
  }

  /** What a function that depends on luck or time gives to a thread. */
  answer(called: AnyFunction, thread: number, args: readonly unknown[]): unknown {
    return INSTEAD.get(called)!(this, thread, args);
  }

  /** At least 0, less than 1. */
  fraction(thread: number): number {
    return this.#bits(thread) / 2 ** 32;
  }

  now(thread: number): number {
    return BEGINNING + this.#next(thread);
  }

  sinceStart(thread: number): number {
    return this.#next(thread);
  }

  fill<T extends ArrayBufferView>(thread: number, view: T): T {
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    for (let i = 0; i < bytes.length; i++) bytes[i] = this.#bits(thread) >>> 24;
    return view;
  }

  uuid(thread: number): string {
    const digits = Array.from({ length: 4 }, () => this.#bits(thread).toString(16).padStart(8, '0')).join('');
    return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20)}`;
  }

  #next(thread: number): number {
    const asked = (this.#asked[thread] ?? 0) + 1;
    this.#asked[thread] = asked;
    return asked;
  }

  #bits(thread: number): number {
    let mixed = Math.imul(this.#next(thread), 0x9e3779b1) ^ Math.imul(thread + 1, 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
    return (mixed ^ (mixed >>> 16)) >>> 0;
  }
}
