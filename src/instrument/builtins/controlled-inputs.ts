/**
 * Randomness and time inside the code under test: which functions depend on them, and what they return instead.
 *
 * Where a thread can be suspended, `Math.random` is a choice of the engine, and reading the time is an access to a clock that all
 * threads share. In constructors and initializers the answer comes at once. Ids and bytes are never a choice. All answers depend only on
 * the schedule.
 */

import nodeCrypto from 'node:crypto';
import type { AnyFunction } from '../../base/any-function.js';
import { access, CHOOSE, NO_DATA, READ, UPDATE } from '../../execution/memory/access.js';
import type { Memory } from '../../execution/memory/memory.js';
import type { Coroutine } from '../../execution/program.js';
import { originalOf } from '../model/effects.js';
import type { Host } from '../model/host.js';

/*
 * Time: one clock for all threads, which never goes back.
 *
 * It stands still until a call waits for it. So a whole test may happen in one millisecond, and the difference of two readings does
 * not depend on the schedule. A third reading in one call counts as waiting. Then the clock moves: by a millisecond, a second, a
 * quarter of an hour, and then by days, so that every timeout is reached soon.
 *
 * A reading is an access: it reads the clock, or updates it. In sync mode a thread gets its last reading.
 */

/** 1 January 2026. */
const BEGINNING = 1_767_225_600_000;
/** The number of readings of a call before the clock moves. */
const STILL = 2;
const MOST_STEPS = 3;

class Clock {
  /** Shared by all threads, in all executions: its field is a location. */
  readonly #hand = { now: BEGINNING };
  /** Thread to the number of readings in its call, and its last reading. */
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
    memory.data = NO_DATA;
    yield host.p;
    if (steps >= 0) this.#hand.now += 1_000 ** steps;
    // the next reading differs, so a loop that reads the clock makes progress
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

  /** The state on which the next readings depend. */
  visit(thread: number, visit: (value: unknown) => void): void {
    visit(Math.min(this.#looks[thread] ?? 0, STILL + MOST_STEPS));
    visit(this.last(thread));
    if (thread === 0) visit(this.#hand.now);
  }
}

/*
 * Randomness: `Math.random` returns one of three values, near 0, near a half, near 1. So a comparison with a bound goes both ways,
 * and a random index is the first, one in the middle, or the last.
 *
 * The engine chooses when a call asks at a site for the first time. Later answers at that site are the other two values in turn. So a
 * loop that ends by a random choice ends, and a loop that only retries is detected (execution/memory/spins.ts). No two calls get the
 * same value, so ids made from one are distinct.
 *
 * Ids and bytes, which no program compares with a bound, are no choice: they depend on the thread and the number of its answers. The
 * same holds in sync mode.
 */

const CORNERS = 3;
/** The distance between values near one corner, and the numbers of threads and sites that get distinct values. */
const APART = 2 ** -19;
const MOST_THREADS = 17;
const MOST_PLACES = 8;

class RandomChoices {
  /** Thread to the number of its calls, and of its answers that are no choice. */
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
    } else memory.repeatRandomChoice(corner);
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

  /** The state on which the next answers depend. */
  visit(thread: number, visit: (value: unknown) => void): void {
    visit(this.#asked[thread] ?? 0);
    for (const [site, corner] of this.#corners[thread] ?? []) visit(site * CORNERS + corner);
  }
}

type Args = readonly unknown[];
type Hrtime = readonly [seconds: number, nanoseconds: number];

interface ControlledInput {
  readonly name: string;
  /** Do threads get distinct values? */
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

const SOURCES = new Map<unknown, ControlledInput>([
  [Math.random, randomFraction('Math.random', (fraction) => fraction)],
  [nodeCrypto.randomInt, randomFraction('crypto.randomInt', intOf)],
  [Date.now, clockReading('Date.now', (now) => now)],
  [Date, clockReading('Date', (now) => new Date(now).toString())],
  [process.uptime, clockReading('process.uptime', (now) => Clock.sinceStart(now) / 1_000)],
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

/** `new Date()`. */
export const NEW_DATE: ControlledInput = clockReading('new Date', (now) => new Date(now));

/** What replaces a function that depends on randomness or time; undefined for all others. */
export function controlledInputOf(called: AnyFunction): ControlledInput | undefined {
  return SOURCES.get(originalOf(called));
}

export class ControlledInputs {
  readonly random: RandomChoices = new RandomChoices();
  readonly clock: Clock = new Clock();
  /** The number of threads; 0 as long as no input was used. */
  #threads = 0;

  reset(): void {
    this.random.reset();
    this.clock.reset();
    this.#threads = 0;
  }

  /** A thread starts a call. */
  begin(thread: number): void {
    this.random.begin(thread);
    this.clock.begin(thread);
  }

  /** Undefined if the input is neither a choice nor a reading of the clock. */
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
    memory.hasThreadState = true;
    if (isRandom && memory.current !== memory.main) memory.isThreadObserved = true;
  }

  /** The state on which the next answers depend. */
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
