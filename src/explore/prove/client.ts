/**
 * The most general client of an object: each of k threads makes any call, again and again. One controlled run of it.
 *
 * A thread is idle, or inside a call. The first step of a call carries its call event, and the last one its return, as in
 * execution/execution.ts. Unlike there, no program is fixed: the caller of this class chooses the next call of an idle thread.
 * Spinning threads stay enabled, because a spin is a cycle of states.
 */
import {
  type Access,
  access,
  CHOOSE,
  kindOf,
  locationOf,
  NO_DATA,
  NOTHING,
} from '../../execution/memory/access.js';
import { Memory } from '../../execution/memory/memory.js';
import { ProgramError } from '../../execution/memory/program-error.js';
import type { Call, Coroutine, Program } from '../../execution/program.js';
import type { Paths } from '../../instrument/audit.js';
import { type PlainCall, programOf } from '../../instrument/instrumented-program.js';
import { runtime } from '../../instrument/runtime/runtime.js';
import type { DataAccess } from '../classes/data-races.js';
import { isSequence, methodsOf } from '../scenario/calls.js';
import type { Scenario } from '../scenario/scenario.js';
import { FreshValue } from './fresh-values.js';

/** A call that a thread may make, as one choice of its client. */
export interface ClientCall {
  /** Calls of the same method with the same arguments have the same letter. */
  readonly letter: number;
  /** The state of the client after this call. */
  readonly next: number;
  /** Is only the first thread allowed to make it? */
  readonly isOfFirst: boolean;
}

/** What threads may call. */
export interface Alphabet {
  readonly calls: readonly PlainCall[];
  /** Letter to the number of its arguments that are fresh values. */
  readonly fresh: readonly number[];
  /** State of a client to the calls that it may make. In state 0 it may choose anything. */
  readonly choices: readonly (readonly ClientCall[])[];
  readonly before: readonly PlainCall[];
}

/** The calls of a scenario; methods in `fresh` get fresh values as arguments. */
export function alphabetOf({ calls, before, oneThread }: Scenario, fresh: readonly string[]): Alphabet {
  const letters: PlainCall[] = [];
  const keys: string[] = [];
  const choices: ClientCall[][] = [[]];
  const letterOf = ([method, ...args]: PlainCall): number => {
    const own: PlainCall = fresh.includes(method)
      ? [method, ...args.map(() => undefined)]
      : [method, ...args];
    const isSame = (other: PlainCall) =>
      other.length === own.length && other.every((part, i) => Object.is(part, own[i]));
    const known = letters.findIndex(isSame);
    return known >= 0 ? known : letters.push(own) - 1;
  };
  for (const choice of calls) {
    const isOfFirst = methodsOf(choice).some((method) => oneThread.includes(method));
    const sequence = isSequence(choice) ? choice : [choice as PlainCall];
    const own = sequence.map(letterOf);
    const key = `${own.join()} ${isOfFirst}`;
    if (keys.includes(key)) continue;
    keys.push(key);
    let state = 0;
    for (const [i, letter] of own.entries()) {
      const next = i === own.length - 1 ? 0 : choices.push([]) - 1;
      choices[state].push({ letter, next, isOfFirst: isOfFirst && i === 0 });
      state = next;
    }
  }
  const count = ([method, ...args]: PlainCall) => (fresh.includes(method) ? args.length : 0);
  return { calls: letters, fresh: letters.map(count), choices, before };
}

/** A thread that is not inside a call. */
export const IDLE = -1;
/** In the place of a site: the end of a call. */
const NOWHERE = -1;
const LOCAL: Access = access(NOTHING, 0);
const NO_ACCESS: DataAccess = { site: NOWHERE, kind: NOTHING, data: NO_DATA, location: -1 };
/** A coroutine that runs before the threads takes at most this many steps. */
const MOST_STEPS = 100_000;

export class ClientRun {
  readonly threads: number;
  readonly memory: Memory;
  readonly program: Program;
  readonly alphabet: Alphabet;
  object: unknown;
  /** Thread to the letter of its call, or IDLE; to the state of its client; and to its announced access. */
  readonly letter: Int32Array;
  readonly state: Int32Array;
  readonly announced: Int32Array;
  /** Thread to the fresh values that its call got. */
  readonly args: FreshValue[][];
  /** Fresh value to whether a call has returned it. */
  readonly isReturned: boolean[] = [];
  /** The thread that has to choose, or -1. */
  choosing = -1;
  /** What the last step returned or threw, if it was the last one of its call. */
  isLast = false;
  hasThrown = false;
  result: unknown;
  /** The last step as an access to data. */
  accessed: DataAccess = NO_ACCESS;
  /** How many steps the calls before the threads took. */
  stepsBefore = 0;
  /** What each call before the threads came to. */
  readonly resultsBefore: { readonly hasThrown: boolean; readonly result: unknown }[] = [];

  /** Records paths with new steps, as codes of moves. */
  paths: Paths | undefined;

  readonly #coroutines: Coroutine[] = [];
  /** Thread to the site of what it has announced. */
  readonly #sites: Int32Array;
  /** Thread to how that touches data (access.ts). */
  readonly #data: Uint8Array;
  /** Thread to whether its call has ended without an access, and is to return in its only step. */
  readonly #hasEnded: Uint8Array;
  /** Has a call been started whose first step is to follow? */
  #isStarting = false;

  constructor(scenario: Scenario, alphabet: Alphabet, threads: number) {
    const { create, methods, spuriousWakeups, spec } = scenario;
    this.alphabet = alphabet;
    this.threads = threads;
    const program = programOf({
      create: create as () => object,
      methods,
      threads: [alphabet.calls],
      before: alphabet.before,
      mustBeInstrumented: true,
    }) as Program;
    this.program = { ...program, hasErrorsByName: spec !== undefined };
    this.memory = new Memory(threads);
    this.memory.isSpurious = spuriousWakeups;
    this.memory.suspendsSpinning = false;
    this.letter = new Int32Array(threads + 1);
    this.state = new Int32Array(threads + 1);
    this.announced = new Int32Array(threads + 1);
    this.args = Array.from({ length: threads + 1 }, () => []);
    this.#hasEnded = new Uint8Array(threads + 1);
    this.#sites = new Int32Array(threads + 1);
    this.#data = new Uint8Array(threads + 1);
  }

  /** The object under test, for results that contain it. */
  get subject(): unknown {
    return this.program.objectOf ? this.program.objectOf(this.object) : this.object;
  }

  /** Starts anew: a fresh object, and all threads idle. */
  reset(): void {
    this.memory.reset();
    this.memory.keepsObservations = true;
    this.letter.fill(IDLE);
    this.state.fill(0);
    for (const args of this.args) args.length = 0;
    this.isReturned.length = 0;
    this.choosing = -1;
    this.paths?.reset();
    runtime.sensors.beginWatch(runtime.noteAmbient);
    try {
      this.object = this.program.create(this.memory);
    } finally {
      runtime.sensors.endWatch();
    }
    this.stepsBefore = 0;
    this.resultsBefore.length = 0;
    for (const call of this.program.before ?? []) this.#runBefore(call);
  }

  #runBefore(call: Call): void {
    const main = this.threads;
    this.#start(main, call, 0);
    for (;;) {
      if (this.choosing >= 0 || !this.isEnabled(main) || this.stepsBefore === MOST_STEPS)
        throw new ProgramError(`${call.method} before the threads does not return, or makes a random choice`);
      this.stepsBefore++;
      if (this.step(main)) break;
    }
    this.resultsBefore.push({ hasThrown: this.hasThrown, result: this.result });
  }

  /** An idle thread starts a call: its local code runs up to the first announcement. `step` must follow, or `cancel`. */
  start(thread: number, call: ClientCall): void {
    const { letter, next } = call;
    const { fresh, choices } = this.alphabet;
    this.paths?.take(codeOf({ kind: 'call', thread, at: choices[this.state[thread]].indexOf(call) }));
    this.#isStarting = true;
    this.accessed = NO_ACCESS;
    for (let i = 0; i < fresh[letter]; i++) {
      this.args[thread].push(new FreshValue(this.isReturned.length));
      this.isReturned.push(false);
    }
    this.state[thread] = next;
    this.#start(
      thread,
      this.program.threads[0][letter],
      letter,
      fresh[letter] > 0 ? this.args[thread] : undefined,
    );
  }

  #start(thread: number, call: Call, letter: number, args?: readonly unknown[]): void {
    this.letter[thread] = letter;
    this.#hasEnded[thread] = 0;
    this.memory.begin(thread);
    this.#coroutines[thread] = call.run(this.object, this.memory, args);
    this.#resume(thread, 0, this.paths?.siteOf(call, this.subject) ?? 0);
    if (!this.isLast) return;
    this.isLast = false;
    this.#hasEnded[thread] = 1;
    this.announced[thread] = LOCAL;
  }

  /** Takes back a call whose first step cannot be taken. No other thread has seen anything of it. */
  cancel(thread: number, state: number): void {
    this.isReturned.length -= this.args[thread].length;
    this.#end(thread);
    this.state[thread] = state;
  }

  isEnabled(thread: number): boolean {
    return this.memory.isOpen(thread, this.announced[thread]);
  }

  /** A thread does what it has announced. Does its call return? */
  step(thread: number): boolean {
    const announced = this.announced[thread];
    const kind = kindOf(announced);
    const location = kind === NOTHING ? -1 : locationOf(announced);
    const site = this.#sites[thread];
    const data = this.#hasEnded[thread] === 0 ? this.#data[thread] : NO_DATA;
    this.memory.doing(thread, kind, location);
    // the first step of a call is one move with it, and the calls before the threads are no moves
    if (!this.#isStarting && thread < this.threads) this.paths?.take(codeOf({ kind: 'step', thread, at: 0 }));
    this.#isStarting = false;
    if (this.#hasEnded[thread] === 0) this.#resume(thread, 0, site);
    else this.isLast = true;
    this.accessed = { site, kind: this.memory.settle(), data, location };
    if (this.isLast) this.#end(thread);
    return this.isLast;
  }

  /** How many alternatives the thread that has to choose has. */
  get alternatives(): number {
    return locationOf(this.announced[this.choosing]);
  }

  /** The thread that has to choose takes an alternative. Does its call return? */
  choose(alternative: number): boolean {
    const thread = this.choosing;
    this.choosing = -1;
    this.accessed = NO_ACCESS;
    this.#isStarting = false;
    this.paths?.take(codeOf({ kind: 'choose', thread, at: alternative }));
    this.memory.doing(thread, CHOOSE, -1);
    this.memory.settle();
    this.memory.observeChoice(alternative);
    this.#resume(thread, alternative, this.#sites[thread]);
    if (this.isLast) this.#end(thread);
    return this.isLast;
  }

  #resume(thread: number, sent: number, from: number): void {
    this.isLast = false;
    runtime.sensors.beginWatch(runtime.noteAmbient);
    try {
      const { done, value } = this.#coroutines[thread].next(sent);
      if (done) this.#finish(false, value);
      else this.#announce(thread, value);
    } catch (error) {
      if (error instanceof ProgramError) throw error;
      this.#finish(true, error);
    } finally {
      runtime.sensors.endWatch();
    }
    this.paths?.step(from, this.isLast ? NOWHERE : this.#sites[thread], this.memory.lastObserved);
  }

  #announce(thread: number, announced: Access): void {
    this.announced[thread] = announced;
    this.#sites[thread] = this.memory.site;
    this.#data[thread] = this.memory.data;
    this.memory.data = NO_DATA;
    if (kindOf(announced) === CHOOSE) this.choosing = thread;
  }

  #finish(hasThrown: boolean, result: unknown): void {
    this.isLast = true;
    this.hasThrown = hasThrown;
    this.result = result;
  }

  #end(thread: number): void {
    this.letter[thread] = IDLE;
    this.args[thread].length = 0;
  }
}

/** One step of a path: a thread calls, with the position of the call among its choices; takes a step; or takes an alternative. */
export interface ClientMove {
  readonly kind: 'call' | 'step' | 'choose';
  readonly thread: number;
  /** The position of the call, or the alternative. */
  readonly at: number;
}

const KINDS = ['call', 'step', 'choose'] as const;

/** A move as one integer, and back. */
export const codeOf = ({ kind, thread, at }: ClientMove): number =>
  (at << 8) | (thread << 2) | KINDS.indexOf(kind);

export const moveOf = (code: number): ClientMove => ({
  kind: KINDS[code & 3],
  thread: (code >> 2) & 63,
  at: code >> 8,
});
