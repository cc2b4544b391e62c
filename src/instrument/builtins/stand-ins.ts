/**
 * Luck and time inside of the code under test: which functions depend on them, and what they give instead.
 *
 * Where a thread can be interrupted it *asks*: `Math.random` is a choice of the engines' (random-choice.ts), a look at the
 * time an access to a clock that all threads share (clock.ts). Elsewhere, in a constructor, it gets its answer at once. Ids and
 * bytes are never a choice. No answer depends on anything but the schedule.
 */
import nodeCrypto from 'node:crypto';
import type { Memory } from '../../execution/memory/memory.js';
import type { Coroutine } from '../../execution/program.js';
import { originalOf } from '../../execution/stand-ins.js';
import type { Host } from '../model/host.js';
import type { AnyFunction } from '../model/twins.js';
import { Clock } from './clock.js';
import { Luck } from './random-choice.js';

type Args = readonly unknown[];
type Hrtime = readonly [seconds: number, nanoseconds: number];

interface Source {
  readonly name: string;
  /** Is no thread given what another is? */
  readonly isOfLuck: boolean;
  now(chance: Chance, thread: number, args: Args): unknown;
  ask?(chance: Chance, host: Host, site: number, args: Args): Coroutine;
}

const ofLuck = (name: string, of: (fraction: number, args: Args) => unknown): Source => ({
  name,
  isOfLuck: true,
  now: ({ luck }, thread, args) => of(luck.bits(thread) / 2 ** 32, args),
  *ask({ luck }, host, site, args) {
    return of(yield* luck.fraction(host, site), args);
  },
});

const ofTime = (name: string, of: (now: number, args: Args) => unknown): Source => ({
  name,
  isOfLuck: false,
  now: ({ clock }, thread, args) => of(clock.last(thread), args),
  *ask({ clock }, host, site, args) {
    return of(yield* clock.look(host, site), args);
  },
});

const ofBits = (name: string, of: (luck: Luck, thread: number, args: Args) => unknown): Source => ({
  name,
  isOfLuck: true,
  now: ({ luck }, thread, args) => of(luck, thread, args),
});

const uuid = ofBits('crypto.randomUUID', (luck, thread) => luck.uuid(thread));
const fill = (luck: Luck, thread: number, [view]: Args) => luck.bytes(thread, view as ArrayBufferView);

const SOURCES = new Map<AnyFunction, Source>([
  [Math.random, ofLuck('Math.random', (fraction) => fraction)],
  [nodeCrypto.randomInt, ofLuck('crypto.randomInt', intOf)],
  [Date.now, ofTime('Date.now', (now) => now)],
  [performance.now, ofTime('performance.now', (now) => Clock.sinceStart(now))],
  [process.hrtime, ofTime('process.hrtime', (now, [since]) => hrtimeOf(now, since as Hrtime | undefined))],
  [process.hrtime.bigint, ofTime('process.hrtime', (now) => BigInt(Clock.sinceStart(now)) * 1_000_000n)],
  [crypto.randomUUID, uuid],
  [nodeCrypto.randomUUID, uuid],
  [crypto.getRandomValues, ofBits('crypto.getRandomValues', fill)],
  [nodeCrypto.randomFillSync, ofBits('crypto.randomFillSync', fill)],
  [
    nodeCrypto.randomBytes,
    ofBits('crypto.randomBytes', (luck, thread, [size]) => luck.bytes(thread, Buffer.alloc(size as number))),
  ],
]);

/** What a constructor without arguments gives that depends on the time. */
export const DATE: Source = ofTime('new Date', (now) => new Date(now));

/** What gives an answer instead of a function that depends on luck or time. */
export function sourceOf(called: AnyFunction): Source | undefined {
  return SOURCES.get(originalOf(called));
}

export class Chance {
  readonly luck: Luck = new Luck();
  readonly clock: Clock = new Clock();
  /** How many threads there are; 0: nobody has asked for anything. */
  #threads = 0;

  reset(): void {
    this.luck.reset();
    this.clock.reset();
    this.#threads = 0;
  }

  /** A thread begins a call. */
  begin(thread: number): void {
    this.luck.begin(thread);
    this.clock.begin(thread);
  }

  /** Undefined: no source of what can be chosen or looked at. */
  ask(source: Source, host: Host, site: number, args: Args): Coroutine | undefined {
    this.#note(source, host.memory!);
    return source.ask?.(this, host, site, args);
  }

  now(source: Source, memory: Memory, args: Args): unknown {
    this.#note(source, memory);
    return source.now(this, memory.current, args);
  }

  #note({ isOfLuck }: Source, memory: Memory): void {
    this.#threads = memory.main + 1;
    if (isOfLuck && memory.current !== memory.main) memory.isThreadSeen = true;
  }

  /** What the next answers depend on. */
  contents$(visit: (value: unknown) => void): void {
    for (let thread = 0; thread < this.#threads; thread++) {
      this.luck.visit(thread, visit);
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
