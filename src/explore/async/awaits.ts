/**
 * Where calls of asynchronous code wait and resume: the accesses of its executions, as far as they are known.
 *
 * Between two awaits a call runs alone. So each *wait* has steps when it starts and steps when the call resumes, all at its position
 * in the source: one for each location that the call accesses right before, or right after. If the code is not traced, every step
 * conflicts with all steps of other calls; a block is atomic if no other call runs during its awaits.
 *
 * Calls wait for promises and for tasks. Node's async hooks report when a promise is created and when its reaction runs; most promises
 * are never waited for. Cost: a stack per promise, so this is used only while a schedule is run again.
 *
 * A wait is *ended by another call* if that call's code caused the reaction. Microtasks run between macrotasks, so the reaction of a
 * promise that waited since an earlier macrotask is caused by the calls that run in this one. Within one macrotask, the call that
 * resolved the promise is the cause.
 */

import { createHook } from 'node:async_hooks';
import { servedOperation, type Task } from '../../event-loop/event-loop.js';
import { type Caller, callers, inSource, type TrackedCaller, trackCallers } from '../../execution/callers.js';
import { NOTHING, READ } from '../../execution/memory/access.js';
import type { Level, LoopCount } from '../../execution/memory/call-frames.js';
import type { LocationName } from '../../execution/memory/locations.js';
import { runtime } from '../../instrument/runtime/runtime.js';
import type { Listener } from '../../instrument/tracing/locations.js';
import { WHOLE } from '../../instrument/tracing/locations.js';
import { tracer } from '../../instrument/tracing/tracer.js';
import type { TraceStep, WakeUp } from '../model/trace-types.js';
import { intern } from './footprint.js';
import type { AsyncProgram } from './program.js';

/*
 * The accesses of traced code (instrument/tracing) by *segment*. A segment is the code of a call between two of its awaits;
 * it runs atomically. What a stub accesses belongs to the call that waits for the stub, at the await where it waits.
 *
 * An object with an access to the object as a whole is one location. Of other objects, each field is one. Once untraced code
 * is reached, the accesses of all segments are unknown.
 */

interface Touched {
  readonly location: LocationName;
  readonly isChange: boolean;
}

/** Object and field to whether it was written. */
type Segment = Map<object, Map<PropertyKey, boolean>>;

class Segments implements Listener {
  readonly #operation: () => number | undefined;
  /** Operation to the segment that it is in. */
  readonly #now: (Segment | undefined)[] = [];
  readonly #objects = new Map<object, number>();
  readonly #fields = new Map<PropertyKey, number>();
  readonly #wholes = new Set<object>();
  #isKnown = true;

  /** `operation`: whose code runs now. */
  constructor(operation: () => number | undefined) {
    this.#operation = operation;
  }

  /** Listens while something runs. */
  during<T>(run: () => T): T {
    tracer.reset();
    const before = tracer.listener;
    tracer.listener = this;
    try {
      return run();
    } finally {
      tracer.listener = before;
    }
  }

  /** A segment starts: the operation is called, or continues after an await. */
  begin(operation: number): Segment {
    const segment: Segment = new Map();
    this.#now[operation] = segment;
    return segment;
  }

  of(operation: number): Segment | undefined {
    return this.#now[operation];
  }

  read(object: object, key: PropertyKey): void {
    this.#touch(object, key, false);
  }

  written(object: object, key: PropertyKey): void {
    this.#touch(object, key, true);
  }

  unknown(): void {
    this.#isKnown = false;
  }

  /** The locations that a segment has accessed, each once; undefined if they are unknown. */
  touchedIn(segment: Segment | undefined): Touched[] | undefined {
    if (!this.#isKnown || segment === undefined) return undefined;
    const touched = new Map<string, Touched>();
    for (const [object, fields] of segment)
      for (const [key, isChange] of fields) {
        const location = this.#nameOf(object, key);
        const name = `${location.number} ${location.field}`;
        touched.set(name, { location, isChange: isChange || (touched.get(name)?.isChange ?? false) });
      }
    return [...touched.values()];
  }

  #touch(object: object, key: PropertyKey, isChange: boolean): void {
    if (key === WHOLE) this.#wholes.add(object);
    const operation = this.#operation() ?? servedOperation();
    const segment = operation === undefined ? undefined : this.#now[operation];
    if (segment === undefined) return;
    let fields = segment.get(object);
    if (fields === undefined) {
      fields = new Map();
      segment.set(object, fields);
    }
    fields.set(key, isChange || (fields.get(key) ?? false));
  }

  /** From 1 on, both numbers; field 0 is the whole object. */
  #nameOf(object: object, key: PropertyKey): LocationName {
    const field = this.#wholes.has(object) ? 0 : 1 + intern(this.#fields, String(key));
    return { thread: -1, number: 1 + intern(this.#objects, object), field };
  }
}

/**
 * The position of a call of asynchronous code, function by function, as `Frames` has it for threads: from stacks.
 *
 * V8 reports the functions that have called and those that await them, with their positions. A frame that returns to an earlier line,
 * or waits at the same position again, runs a loop; the loop is taken to start at the position that was reached.
 */
class AsyncFrames {
  /** Operation to its last position, the outermost function first. */
  readonly #last: TrackedCaller[][] = [];
  /** Frame to its loops, by their sites. */
  readonly #loops = new Map<number, Map<number, LoopCount>>();
  #made = 0;

  /** `callers` of an operation, the innermost first. `hasWaited`: since the last call of this method. */
  levelsOf(operation: number, callers: readonly Caller[], hasWaited: boolean): Level[] {
    const before = this.#last[operation] ?? [];
    const now = trackCallers(callers, before, () => this.#made++);
    if (hasWaited) this.#turn(before, now);
    this.#last[operation] = now;
    return now.map(({ frame, ...place }) => ({
      frame,
      site: runtime.sites.at(inSource(place)),
      loops: [...(this.#loops.get(frame)?.values() ?? [])],
    }));
  }

  /** Has the innermost frame that still exists returned to an earlier position? */
  #turn(before: readonly TrackedCaller[], now: readonly TrackedCaller[]): void {
    const depth = now.findLastIndex(({ frame }, i) => before.at(i)?.frame === frame);
    if (depth < 0) return;
    const [from, to] = [before[depth], now[depth]];
    const isInnermost = depth === now.length - 1 && depth === before.length - 1;
    const isAgain = isInnermost && from.line === to.line && from.column === to.column;
    if (to.line >= from.line && !isAgain) return;
    const own = inSource(to);
    const body = runtime.sites.at(own);
    // just before it, to distinguish a block around the loop from one inside
    const loop = runtime.sites.at({ ...own, column: own.column - 1 });
    const loops = this.#loops.get(to.frame) ?? new Map<number, LoopCount>();
    loops.set(loop, { loop, body, rounds: (loops.get(loop)?.rounds ?? 1) + 1 });
    this.#loops.set(to.frame, loops);
  }
}

/** Nowhere in the source. */
export const NO_SITE = -1;
/** All shared memory: nothing more is known. */
const ALL: LocationName = { thread: -1, number: 0, field: 0 };
/** Node's names for what runs without a task. */
const TURNS: ReadonlySet<string> = new Set(['PROMISE', 'Microtask']);

interface Wait {
  readonly operation: number;
  readonly levels: readonly Level[];
  /** The macrotask in which it started, and the promise that it waits for. */
  readonly turn: number;
  readonly promise: number | undefined;
  hasEnded: boolean;
  endedBy?: number | undefined;
}

/** The start or the end of a wait, and what its call accesses before or after it. */
interface Moment {
  readonly wait: Wait;
  readonly isStart: boolean;
  readonly segment: ReturnType<Segments['of']>;
}

export class Awaits {
  readonly #program: AsyncProgram;
  readonly #operation: () => number | undefined;
  readonly #frames = new AsyncFrames();
  readonly #moments: Moment[] = [];
  readonly #waits = new Map<number | Task, Wait>();
  /** Operation to the wait that ended last, if none has started since. */
  readonly #resumed: (Wait | undefined)[] = [];
  readonly #over = new Set<number>();
  /** The number of the current macrotask, and the operations whose code it runs. */
  #turn = 0;
  #runs: (number | undefined)[] = [];
  #hasDrained = false;
  /** Promise to the operation that resolved it. */
  readonly #resolvedBy = new Map<number, number>();
  /** Undefined if the code is not traced. */
  readonly #segments: Segments | undefined;

  /** `operation`: whose code runs now. */
  constructor(program: AsyncProgram, operation: () => number | undefined) {
    this.#program = program;
    this.#operation = operation;
    this.#segments = program.isRecorded ? new Segments(operation) : undefined;
  }

  during<T>(run: () => T): T {
    const hook = createHook({
      init: (id, type, trigger) => {
        if (TURNS.has(type)) this.#begin(id, this.#operation(), trigger);
      },
      before: (id) => {
        this.#hasDrained = true;
        this.#end(id);
      },
      promiseResolve: (id) => {
        const operation = this.#operation();
        if (operation !== undefined) this.#resolvedBy.set(id, operation);
      },
    });
    hook.enable();
    try {
      return this.#segments ? this.#segments.during(run) : run();
    } finally {
      hook.disable();
    }
  }

  /** A call counts as the end of a wait. */
  called(operation: number): void {
    const wait: Wait = { operation, levels: [], turn: this.#turn, promise: undefined, hasEnded: true };
    this.#moments.push({ wait, isStart: false, segment: this.#segments?.begin(operation) });
  }

  /** Work that a call leaves behind does not belong to it. */
  ended(operation: number): void {
    this.#over.add(operation);
  }

  setUp(task: Task, stack: readonly Caller[]): void {
    this.#begin(task, task.operation, undefined, stack);
  }

  /** The callers of the code that runs now. */
  callers(): Caller[] {
    return callers(!this.#hasDrained);
  }

  /** Returns where the task was set up. */
  fires(task: Task): readonly Level[] {
    // calls may be made in one synchronous turn
    const isSameTurn = !this.#hasDrained && (task.kind === 'call' || task.kind === 'abort');
    if (!isSameTurn) {
      this.#turn++;
      this.#runs = [];
    }
    this.#hasDrained = false;
    this.#runs.push(task.operation);
    this.#end(task);
    return this.#waits.get(task)?.levels ?? [];
  }

  /** The steps of all waits that ended, and the waits that another call ended. A call that waits at once has no step of its own. */
  steps(): { readonly awaits: TraceStep[]; readonly wakeUps: WakeUp[] } {
    const awaits: TraceStep[] = [];
    const wakeUps: WakeUp[] = [];
    const ended = this.#moments.filter(({ wait }) => wait.hasEnded);
    for (const [i, moment] of ended.entries()) {
      const { operation, levels, endedBy } = moment.wait;
      if (levels.length === 0 && ended.at(i + 1)?.wait.operation === operation) continue;
      awaits.push(...this.#stepsOf(moment, i));
      if (moment.isStart && endedBy !== undefined)
        wakeUps.push({ operation, by: endedBy, levels, start: awaits.length });
    }
    return { awaits, wakeUps };
  }

  /** One step for each location that is accessed; one without a location if there is none. */
  #stepsOf({ wait: { operation, levels }, segment }: Moment, turn: number): TraceStep[] {
    const touched = this.#segments?.touchedIn(segment) ?? [{ location: ALL, isChange: true }];
    const nothing = { location: undefined, isChange: true };
    return (touched.length > 0 ? touched : [nothing]).map(({ location, isChange }) => ({
      thread: this.#program.calls[operation].thread,
      operation,
      kind: isChange ? NOTHING : READ,
      location,
      site: levels.at(-1)?.site ?? NO_SITE,
      levels,
      alternative: 0,
      value: undefined,
      turn,
    }));
  }

  #begin(
    what: number | Task,
    operation: number | undefined,
    promise: number | undefined,
    known?: readonly Caller[],
  ): void {
    if (operation === undefined || this.#over.has(operation)) return;
    const stack = known ?? this.callers();
    const last = this.#resumed[operation];
    // what a reply from outside sets up stands where the request was made
    const levels =
      stack.length > 0 ? this.#frames.levelsOf(operation, stack, last !== undefined) : last?.levels;
    if (levels === undefined) return;
    if (stack.length > 0) this.#resumed[operation] = undefined;
    const wait: Wait = { operation, levels, turn: this.#turn, promise, hasEnded: false };
    this.#waits.set(what, wait);
    this.#moments.push({ wait, isStart: true, segment: this.#segments?.of(operation) });
  }

  #end(what: number | Task): void {
    const wait = this.#waits.get(what);
    if (wait === undefined || this.#over.has(wait.operation)) return;
    wait.hasEnded = true;
    wait.endedBy = this.#callThatEnds(wait);
    this.#resumed[wait.operation] = wait;
    this.#moments.push({ wait, isStart: false, segment: this.#segments?.begin(wait.operation) });
  }

  /** The other call whose code ends a wait; undefined if it is its own call, or something outside. */
  #callThatEnds({ operation, turn, promise }: Wait): number | undefined {
    if (turn < this.#turn)
      return this.#runs.includes(operation)
        ? undefined
        : this.#runs.findLast((other) => other !== undefined && other !== operation);
    const by = promise === undefined ? undefined : this.#resolvedBy.get(promise);
    return by === operation ? undefined : by;
  }
}
