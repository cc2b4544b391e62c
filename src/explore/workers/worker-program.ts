/**
 * A scenario on real threads, as a program of coroutines, so that every engine can explore it: each coroutine stands for a call
 * that is made in another thread, and announces what that thread announces.
 *
 * Locations are words of 32 bits, or of 64 where these are accessed: each buffer of what is shared is an object, the words are
 * its fields.
 */
import { Serializer } from 'node:v8';
import { access, NOTIFY, READ, UPDATE, WAIT } from '../access.js';
import type { Matrix } from '../matrix.js';
import type { Memory } from '../memory.js';
import type { Call, Coroutine, Program } from '../program.js';
import { ProgramError } from '../program-error.js';
import type { Scenario } from '../scenario.js';
import { ScenarioError } from '../scenario-error.js';
import { type PlainCall, runtime } from '../transform/index.js';
import { type Waiter, WaitQueues } from '../wait-queues.js';
import {
  CHANGED,
  type Channel,
  FOR_EVER,
  LIMITED,
  QUEUED,
  RETURNED,
  SAW,
  SLEEPS,
  STAYS,
  THREW,
} from './channel.js';
import type { Sight } from './gate.js';
import type { Ended } from './serve.js';
import { type Shared, Threads } from './threads.js';

export function workerProgram(scenario: Scenario, { threads, before, after }: Matrix): Program {
  if (scenario.module === undefined)
    throw new ScenarioError(
      'threads load a scenario by themselves: name its file, whose default export it is, by `module: import.meta.url`',
    );
  const run = new WorkerRun(scenario, scenario.module, [...threads, [...before, ...after]]);
  const calls = (of: readonly PlainCall[], from = 0): Call[] =>
    of.map(([method, ...args], i) => ({ method, args, run: (_, memory) => run.call(memory, from + i) }));
  return {
    create: (memory) => run.begin(memory),
    threads: threads.map((column) => calls(column)),
    before: calls(before),
    after: calls(after, before.length),
    isOpaque: true,
  };
}

/** Where a thread waits. */
interface Waiting {
  readonly waiter: Waiter;
  readonly location: number;
}

class WorkerRun {
  readonly #scenario: Scenario;
  readonly #module: string;
  readonly #calls: readonly (readonly PlainCall[])[];
  readonly #queues = new WaitQueues();
  /** Thread to where it waits. */
  readonly #waiting: (Waiting | undefined)[] = [];
  /** Buffer to its name, and to how wide each of its words of 64 bits was accessed: 4 or 8 bytes. */
  #names: readonly number[] = [];
  readonly #widths = new Map<string, number>();
  #threads: Threads;

  constructor(scenario: Scenario, module: string, calls: readonly (readonly PlainCall[])[]) {
    this.#scenario = scenario;
    this.#module = module;
    this.#calls = calls.at(-1)!.length > 0 ? calls : calls.slice(0, -1);
    this.#threads = Threads.of(module);
  }

  begin(memory: Memory): Shared {
    this.#queues.reset();
    this.#waiting.length = 0;
    this.#threads = Threads.of(this.#module);
    const create = (): Shared => {
      const shared: unknown = (this.#scenario.create as (stubs: object) => unknown)(this.#scenario.stubs);
      return { shared, buffers: sharedIn(shared) };
    };
    const made = this.#threads.begin(create, this.#calls, memory.onSight !== undefined);
    this.#names = made.buffers.map(() => memory.object());
    return made;
  }

  *call(memory: Memory, number: number): Coroutine {
    const thread = memory.current;
    memory.mark();
    let channel = this.#threads.call(thread, number);
    for (;;) {
      const { said } = channel;
      if (said === RETURNED || said === THREW) return outcomeOf(this.#threads.sentBy(thread) as Ended);
      channel = said === SLEEPS ? yield* this.#sleep(memory, channel) : yield* this.#access(memory, channel);
    }
  }

  *#access(memory: Memory, { said: kind, buffer, byte, width, most }: Channel): Coroutine<Channel> {
    const thread = memory.current;
    const location = this.#locationOf(memory, buffer, byte, width);
    this.#show(memory, this.#threads.sentBy(thread) as Sight | undefined);
    yield access(kind, location);
    const woken = kind === NOTIFY ? this.#queues.wake(memory, location, most < 0 ? Infinity : most) : 0;
    const channel = this.#threads.goOn(thread, woken);
    const { flags, spins } = channel;
    if (kind === NOTIFY) memory.saw(woken);
    if (flags & QUEUED) this.#queue(thread, location);
    if (kind === NOTIFY ? woken === 0 : !(flags & CHANGED)) memory.unchanged(location);
    if (kind === WAIT) memory.saw(flags & QUEUED ? 'equal' : 'not-equal');
    if (flags & SAW) memory.saw(channel.value);
    if (spins > 0) memory.spins(spins);
    return channel;
  }

  *#sleep(memory: Memory, { flags }: Channel): Coroutine<Channel> {
    const thread = memory.current;
    const waiting = this.#waiting[thread];
    if (flags & FOR_EVER || waiting === undefined) {
      const nowhere = memory.location(memory.object());
      memory.sleep(nowhere);
      yield access(READ, nowhere);
      return this.#threads.goOn(thread, 0);
    }
    const { waiter, location } = waiting;
    if (!(flags & LIMITED) && this.#queues.has(location, waiter)) memory.sleep(location);
    yield access(flags & LIMITED ? UPDATE : READ, location);
    const isWoken = !this.#queues.has(location, waiter);
    if (isWoken || !(flags & STAYS)) this.#waiting[thread] = undefined;
    if (!isWoken && !(flags & STAYS)) this.#queues.leave(location, waiter);
    memory.saw(isWoken ? 'ok' : 'timed-out');
    return this.#threads.goOn(thread, isWoken ? 0 : 1);
  }

  #queue(thread: number, location: number): void {
    if (this.#waiting[thread] !== undefined)
      throw new ProgramError(
        'a thread waits in two places at once, by Atomics.waitAsync; only one at a time can be explored',
      );
    this.#waiting[thread] = { waiter: this.#queues.add(location, thread), location };
  }

  #locationOf(memory: Memory, buffer: number, byte: number, width: number): number {
    const size = width === 8 ? 8 : 4;
    const word = `${buffer}:${byte >> 3}`;
    const known = this.#widths.get(word) ?? size;
    this.#widths.set(word, known);
    if (known !== size)
      throw new ProgramError(
        `byte ${byte} of a shared buffer is accessed as part of 64 bits and of fewer; only one of them can be explored`,
      );
    return memory.location(this.#names[buffer], byte >> 2);
  }

  /** For people: where an access stands, and what it stores. */
  #show(memory: Memory, sight: Sight | undefined): void {
    if (sight === undefined) return;
    const { file, line, column, name, stores } = sight;
    memory.site = runtime.sites.add({ file, sites: [line, column, name], writes: [], looksAtNames: false });
    if (stores !== undefined) memory.storing(stores);
  }
}

function outcomeOf(ended: Ended): unknown {
  if ('value' in ended) return ended.value;
  const { name, message } = ended.error;
  throw Object.assign(new Error(message), { name });
}

/** All shared memory that can be reached from a value, in an order that depends on nothing else. */
function sharedIn(value: unknown): SharedArrayBuffer[] {
  const found: SharedArrayBuffer[] = [];
  const serializer = new Serializer();
  Object.assign(serializer, {
    _getSharedArrayBufferId: (buffer: SharedArrayBuffer) => {
      if (!found.includes(buffer)) found.push(buffer);
      return found.indexOf(buffer);
    },
  });
  try {
    serializer.writeValue(value);
  } catch {
    // whoever sends it tells what is wrong with it
  }
  return found;
}
