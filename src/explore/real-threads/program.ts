/**
 * A scenario on real threads as a program of coroutines, so that every engine can explore it. Each coroutine represents a call
 * in another thread and announces the accesses of that thread.
 *
 * Each shared buffer is an object, and its elements are fields, numbered by byte offset.
 */
import { Serializer } from 'node:v8';
import {
  ATOMIC_DATA,
  access,
  NO_DATA,
  NOTIFY,
  PLAIN_DATA,
  READ,
  UPDATE,
  WAIT,
} from '../../execution/memory/access.js';
import type { Memory } from '../../execution/memory/memory.js';
import { ProgramError, ScenarioError } from '../../execution/memory/program-error.js';
import type { Call, Coroutine, Program } from '../../execution/program.js';
import { type Waiter, WaitQueues } from '../../instrument/builtins/atomics.js';
import type { PlainCall } from '../../instrument/instrumented-program.js';
import { runtime } from '../../instrument/runtime/runtime.js';
import type { Scenario } from '../scenario/scenario.js';
import type { TestCase } from '../scenario/test-case.js';
import {
  AT_LAST,
  CHANGED,
  type Channel,
  FOREVER,
  LIMITED,
  PLAIN,
  QUEUED,
  RETURNED,
  SAW,
  SLEEPS,
  STAYS,
  THREW,
} from './channel.js';
import type { Sight } from './gate.js';
import type { Ended } from './serve.js';
import { ThreadFrames } from './thread-frames.js';
import { type Shared, Threads } from './threads.js';

export function workerProgram(scenario: Scenario, { threads, before, after }: TestCase): Program {
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
    hasHiddenState: true,
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
  /** Thread to its waits, in the order of their start. */
  readonly #waiting: Waiting[][] = [];
  #frames = new ThreadFrames();
  /** Thread to the site of its last access. */
  readonly #sites: number[] = [];
  /** Buffer to its object; and each eight bytes of a buffer to the width of the elements that were accessed there. */
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
    this.#frames = new ThreadFrames();
    this.#threads = Threads.of(this.#module);
    const create = (): Shared => {
      const shared: unknown = (this.#scenario.create as (stubs: object) => unknown)(this.#scenario.stubs);
      return { shared, buffers: sharedIn(shared) };
    };
    const made = this.#threads.begin(create, this.#calls, memory.onObserve !== undefined);
    this.#names = made.buffers.map(() => memory.object());
    return made;
  }

  *call(memory: Memory, number: number): Coroutine {
    const thread = memory.current;
    this.#frames.begin(thread);
    memory.mark();
    let channel = this.#threads.call(thread, number);
    for (;;) {
      const { said } = channel;
      if (said === RETURNED || said === THREW) return outcomeOf(this.#threads.sentBy(thread) as Ended);
      channel = said === SLEEPS ? yield* this.#sleep(memory, channel) : yield* this.#access(memory, channel);
    }
  }

  *#access(memory: Memory, announced: Channel): Coroutine<Channel> {
    const thread = memory.current;
    const { said: kind, buffer, byte, width, most } = announced;
    const location = this.#locationOf(memory, buffer, byte, width);
    this.#show(memory, thread, announced, this.#threads.sentBy(thread) as Sight | undefined);
    yield access(kind, location);
    const woken = kind === NOTIFY ? this.#queues.wake(memory, location, most) : 0;
    const channel = this.#threads.resume(thread, woken);
    const { flags, spins } = channel;
    if (flags & QUEUED) this.#queue(thread, location);
    if (kind === NOTIFY ? woken === 0 : !(flags & CHANGED)) memory.unchanged(location);
    if (kind === WAIT) memory.observe(flags & QUEUED ? 'equal' : 'not-equal');
    if (flags & SAW) memory.observe(channel.value);
    if (spins > 0) memory.spins(spins);
    return channel;
  }

  *#sleep(memory: Memory, { flags }: Channel): Coroutine<Channel> {
    const thread = memory.current;
    memory.site = this.#sites[thread];
    const waiting = this.#waiting[thread] ?? [];
    if (flags & FOREVER || waiting.length === 0) {
      const nowhere = memory.location(memory.object());
      memory.sleep(nowhere);
      yield access(READ, nowhere);
      return this.#threads.resume(thread, 0);
    }
    const { location } = waiting[0];
    const from = flags & AT_LAST ? waiting.length - 1 : 0;
    const wokenAt = () =>
      waiting.findIndex(({ waiter }, i) => i >= from && !this.#queues.has(location, waiter));
    const isLimited = (flags & LIMITED) !== 0;
    // an earlier wait of the same thread may be woken instead
    do {
      if (!isLimited && wokenAt() < 0) memory.sleep(location);
      yield access(isLimited ? UPDATE : READ, location);
    } while (!isLimited && wokenAt() < 0);
    const woken = wokenAt();
    // a thread that was not woken leaves the wait queue by its timeout, unless STAYS
    if (woken >= 0) waiting.splice(woken, 1);
    else if (!(flags & STAYS))
      for (const { waiter } of waiting.splice(from, 1)) this.#queues.leave(location, waiter);
    memory.observe(woken < 0 ? 'timed-out' : 'ok');
    return this.#threads.resume(thread, woken + 1);
  }

  #queue(thread: number, location: number): void {
    this.#waiting[thread] ??= [];
    const waiting = this.#waiting[thread];
    if (waiting.some((other) => other.location !== location))
      throw new ProgramError(
        'a thread waits in two places at once, by Atomics.waitAsync; only one at a time can be explored',
      );
    waiting.push({ waiter: this.#queues.add(location, thread), location });
  }

  /** The location of an element. Two widths are an error, because overlapping elements would be different locations. */
  #locationOf(memory: Memory, buffer: number, byte: number, width: number): number {
    const cell = `${buffer}:${byte >> 3}`;
    if (byte % width !== 0)
      throw new ProgramError(
        `${width} bytes from byte ${byte} of a shared buffer are accessed; use a multiple of ${width}, so that no two accesses overlap in part`,
      );
    const known = this.#widths.get(cell) ?? width;
    this.#widths.set(cell, known);
    if (known !== width)
      throw new ProgramError(
        `byte ${byte} of a shared buffer is accessed as part of ${known} bytes and of ${width}; use typed arrays of one width there`,
      );
    return memory.location(this.#names[buffer], byte);
  }

  /** Records the site of an access. Traced threads send it for every access, others once per position, for races. */
  #show(memory: Memory, thread: number, { said, flags, site }: Channel, sight: Sight | undefined): void {
    const isPlain = (flags & PLAIN) !== 0;
    const sites = this.#threads.sitesOf(thread);
    memory.data = isPlain ? PLAIN_DATA : said === NOTIFY ? NO_DATA : ATOMIC_DATA;
    if (sight !== undefined) {
      const { file, line, column, callers, name, stores } = sight;
      // an access at one position may access several elements, so it has no name
      const shown = memory.onObserve === undefined ? '' : name;
      memory.site = runtime.sites.at({ file, line, column }, shown);
      if (stores !== undefined) memory.storing(stores);
      if (site >= 0) sites[site] = memory.site;
      if (callers.length > 0) memory.frames?.stand(thread, this.#frames.levelsOf(thread, callers, said));
    } else if (site >= 0) memory.site = sites[site] ?? memory.site;
    this.#sites[thread] = memory.site;
  }
}

function outcomeOf(ended: Ended): unknown {
  if ('value' in ended) return ended.value;
  const { message, ...fields } = ended.error;
  throw Object.assign(new Error(message), fields);
}

/** All shared memory that is reachable from a value, in an order that depends only on the value. */
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
    // posting the value to the threads fails too, with the error message (threads.ts)
  }
  return found;
}
