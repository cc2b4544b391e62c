/**
 * Luck and time inside of the code under test: which functions depend on them, and what they give instead.
 *
 * Where a thread can be interrupted it *asks*: `Math.random` is a choice of the engines' (random-choice.ts), a look at the
 * time an access to a clock that all threads share (clock.ts). Elsewhere, in a constructor, it gets its answer at once. Ids and
 * bytes are never a choice. No answer depends on anything but the schedule.
 */

import nodeCrypto from 'node:crypto';
import type { AnyFunction } from '../../base/any-function.js';
import { access, CHOOSE, READ, UPDATE } from '../../execution/memory/access.js';
import type { Memory } from '../../execution/memory/memory.js';
import type { Coroutine } from '../../execution/program.js';
import { originalOf } from '../model/effects.js';
import type { Host } from '../model/host.js';

/*
 * Time as threads see it: one clock for all, which never goes back.
 *
 * It stands still as long as nobody waits for it: all that a test does may happen in one millisecond, and
 * what is made of two looks does not depend on the schedule. A call that looks for a third time waits: now the clock
 * goes on, by a millisecond, a second, a quarter of an hour, and then by days, so that whatever time is waited for comes soon.
 *
 * A look is an access like any other: it reads the clock, or moves it. Code that can not be interrupted sees
 * what its thread has seen last.
 */

/** 1 January 2026. */
const BEGINNING = 1_767_225_600_000;
/** A call sees it stand still so often. */
const STILL = 2;
const MOST_STEPS = 3;

class Clock {
  /** Shared by all threads, in all executions: its field is a location. */
  readonly #hand = { now: BEGINNING };
  /** Thread to how often its call has looked, and what it has seen last. */
  readonly #looks: number[] = [];
  readonly #lastRead: number[] = [];

  reset(): void {
    this.#hand.now = BEGINNING;
    this.#looks.length = 0;
    this.#lastRead.length = 0;
  }

  begin(thread: number): void {
    this.#looks[thread] = 0;
  }

  /** Milliseconds since 1970. */
  *look(host: Host, site: number): Coroutine<number> {
    const memory = host.memory!;
    const { current: thread } = memory;
    const looks = this.#looks[thread]++;
    const steps = Math.min(looks - STILL, MOST_STEPS);
    host.sharing.keep(this.#hand);
    host.announce(steps < 0 ? READ : UPDATE, this.#hand, 'now', site);
    memory.isPlain = false;
    yield host.p;
    if (steps >= 0) this.#hand.now += 1_000 ** steps;
    // who looks again will see another time: that is no loop for nothing
    else memory.touch();
    this.#lastRead[thread] = this.#hand.now;
    return host.observe(this.#hand.now);
  }

  last(thread: number): number {
    return this.#lastRead[thread] ?? BEGINNING;
  }

  static sinceStart(now: number): number {
    return now - BEGINNING;
  }

  /** What the next looks depend on. */
  visit(thread: number, visit: (value: unknown) => void): void {
    visit(Math.min(this.#looks[thread] ?? 0, STILL + MOST_STEPS));
    visit(this.last(thread));
    if (thread === 0) visit(this.#hand.now);
  }
}

/*
 * Luck as a choice. `Math.random` gives one of three values: near 0, near a half, near 1; so what is compared with a
 * bound goes both ways, and what picks one of several picks the first, one in the middle and the last.
 *
 * The engines choose when a call asks at a place for the first time. If it asks there again it gets
 * the other two, then the first one again, and so on: a loop that ends by luck ends, and one that does
 * nothing but try again can be told (execution/memory/spins.ts). No two calls get the same value, so what is made of
 * one, such as an id, is unlike all others.
 *
 * What nobody compares, ids and bytes, is no choice: it depends on the thread and on how often that has asked. The same
 * goes for code that can not be interrupted.
 */

const CORNERS = 3;
/** Between values near one corner; and how many of them calls and places are told apart by. */
const APART = 2 ** -19;
const MOST_THREADS = 17;
const MOST_PLACES = 8;

class RandomChoices {
  /** Thread to how many calls it has begun, and how often it has asked for what is no choice. */
  readonly #calls: number[] = [];
  readonly #asked: number[] = [];
  /** Thread to the corner that its call gets next at each site. */
  readonly #corners: Map<number, number>[] = [];

  reset(): void {
    this.#calls.length = 0;
    this.#asked.length = 0;
    this.#corners.length = 0;
  }

  begin(thread: number): void {
    this.#calls[thread] = (this.#calls[thread] ?? 0) + 1;
    this.#corners[thread]?.clear();
  }

  /** At least 0, less than 1. */
  *fraction(host: Host, site: number): Coroutine<number> {
    const memory = host.memory!;
    const { current: thread } = memory;
    this.#corners[thread] ??= new Map();
    const corners = this.#corners[thread];
    let corner = corners.get(site);
    if (corner === undefined) {
      memory.site = site;
      corner = yield access(CHOOSE, CORNERS);
    } else memory.repeatRandomChoice();
    corners.set(site, (corner + 1) % CORNERS);
    const place = [...corners.keys()].indexOf(site) % MOST_PLACES;
    const off = APART * ((this.#calls[thread] * MOST_THREADS + thread) * MOST_PLACES + place);
    const fraction = corner === CORNERS - 1 ? 1 - off : corner / (CORNERS - 1) + off;
    memory.onObserve?.(fraction);
    return fraction;
  }

  /** 32 bits, spread by a hash. */
  bits(thread: number): number {
    const asked = (this.#asked[thread] ?? 0) + 1;
    this.#asked[thread] = asked;
    let mixed = Math.imul(asked, 0x9e3779b1) ^ Math.imul(thread + 1, 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
    return (mixed ^ (mixed >>> 16)) >>> 0;
  }

  bytes<T extends ArrayBufferView>(thread: number, view: T): T {
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    for (let i = 0; i < bytes.length; i++) bytes[i] = this.bits(thread) >>> 24;
    return view;
  }

  uuid(thread: number): string {
    const digits = Array.from({ length: 4 }, () => this.bits(thread).toString(16).padStart(8, '0')).join('');
    return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20)}`;
  }

  /** What the next answers depend on. */
  visit(thread: number, visit: (value: unknown) => void): void {
    visit(this.#asked[thread] ?? 0);
    for (const [site, corner] of this.#corners[thread] ?? []) visit(site * CORNERS + corner);
  }
}

type Args = readonly unknown[];
type Hrtime = readonly [seconds: number, nanoseconds: number];

interface ControlledInput {
  readonly name: string;
  /** Is no thread given what another is? */
  readonly isRandom: boolean;
  now(chance: ControlledInputs, thread: number, args: Args): unknown;
  ask?(chance: ControlledInputs, host: Host, site: number, args: Args): Coroutine;
}

const randomFraction = (name: string, of: (fraction: number, args: Args) => unknown): ControlledInput => ({
  name,
  isRandom: true,
  now: ({ random }, thread, args) => of(random.bits(thread) / 2 ** 32, args),
  *ask({ random }, host, site, args) {
    return of(yield* random.fraction(host, site), args);
  },
});

const clockReading = (name: string, of: (now: number, args: Args) => unknown): ControlledInput => ({
  name,
  isRandom: false,
  now: ({ clock }, thread, args) => of(clock.last(thread), args),
  *ask({ clock }, host, site, args) {
    return of(yield* clock.look(host, site), args);
  },
});

const randomBits = (
  name: string,
  of: (random: RandomChoices, thread: number, args: Args) => unknown,
): ControlledInput => ({
  name,
  isRandom: true,
  now: ({ random }, thread, args) => of(random, thread, args),
});

const uuid = randomBits('crypto.randomUUID', (random, thread) => random.uuid(thread));
const fill = (random: RandomChoices, thread: number, [view]: Args) =>
  random.bytes(thread, view as ArrayBufferView);

const SOURCES = new Map<AnyFunction, ControlledInput>([
  [Math.random, randomFraction('Math.random', (fraction) => fraction)],
  [nodeCrypto.randomInt, randomFraction('crypto.randomInt', intOf)],
  [Date.now, clockReading('Date.now', (now) => now)],
  [performance.now, clockReading('performance.now', (now) => Clock.sinceStart(now))],
  [
    process.hrtime,
    clockReading('process.hrtime', (now, [since]) => hrtimeOf(now, since as Hrtime | undefined)),
  ],
  [
    process.hrtime.bigint,
    clockReading('process.hrtime', (now) => BigInt(Clock.sinceStart(now)) * 1_000_000n),
  ],
  [crypto.randomUUID, uuid],
  [nodeCrypto.randomUUID, uuid],
  [crypto.getRandomValues, randomBits('crypto.getRandomValues', fill)],
  [nodeCrypto.randomFillSync, randomBits('crypto.randomFillSync', fill)],
  [
    nodeCrypto.randomBytes,
    randomBits('crypto.randomBytes', (random, thread, [size]) =>
      random.bytes(thread, Buffer.alloc(size as number)),
    ),
  ],
]);

/** What a constructor without arguments gives that depends on the time. */
export const NEW_DATE: ControlledInput = clockReading('new Date', (now) => new Date(now));

/** What gives an answer instead of a function that depends on luck or time. */
export function controlledInputOf(called: AnyFunction): ControlledInput | undefined {
  return SOURCES.get(originalOf(called));
}

export class ControlledInputs {
  readonly random: RandomChoices = new RandomChoices();
  readonly clock: Clock = new Clock();
  /** How many threads there are; 0: nobody has asked for anything. */
  #threads = 0;

  reset(): void {
    this.random.reset();
    this.clock.reset();
    this.#threads = 0;
  }

  /** A thread begins a call. */
  begin(thread: number): void {
    this.random.begin(thread);
    this.clock.begin(thread);
  }

  /** Undefined: no source of what can be chosen or looked at. */
  ask(source: ControlledInput, host: Host, site: number, args: Args): Coroutine | undefined {
    this.#note(source, host.memory!);
    return source.ask?.(this, host, site, args);
  }

  now(source: ControlledInput, memory: Memory, args: Args): unknown {
    this.#note(source, memory);
    return source.now(this, memory.current, args);
  }

  #note({ isRandom }: ControlledInput, memory: Memory): void {
    this.#threads = memory.main + 1;
    if (isRandom && memory.current !== memory.main) memory.isThreadObserved = true;
  }

  /** What the next answers depend on. */
  contents$(visit: (value: unknown) => void): void {
    for (let thread = 0; thread < this.#threads; thread++) {
      this.random.visit(thread, visit);
      this.clock.visit(thread, visit);
    }
  }
}

/** `randomInt(max)`, `randomInt(min, max)` */
function intOf(fraction: number, args: Args): number {
  const [min, max] = typeof args[1] === 'number' ? (args as readonly number[]) : [0, args[0] as number];
  return min + Math.floor(fraction * (max - min));
}

function hrtimeOf(now: number, since: Hrtime = [0, 0]): Hrtime {
  const nanoseconds = Clock.sinceStart(now) * 1e6 - since[0] * 1e9 - since[1];
  return [Math.floor(nanoseconds / 1e9), nanoseconds % 1e9];
}
