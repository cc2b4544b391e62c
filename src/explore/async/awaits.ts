/**
 * Where calls of asynchronous code have waited, and gone on: the accesses of its executions, as far as they are known.
 *
 * Between two awaits a call is alone; so of each *wait* there are steps when it begins and steps when the call goes on, all at
 * its place in the source: one for each location that the call touches right before, or right after. Where that is not
 * known, since the code is not recorded, every step is taken to conflict with all of others. That a block is
 * not interrupted is then that nobody else goes on during its awaits.
 *
 * Promises and tasks are waited for. Node's hooks tell of the first when they are made and when their turn has come; most that
 * are made are never waited for, and forgotten. Costs a stack each: on while a schedule is run again for people.
 */

import { createHook } from 'node:async_hooks';
import type { Task } from '../../event-loop/event-loop.js';
import { type Caller, callers, type TrackedCaller, trackCallers } from '../../execution/callers.js';
import { NOTHING, READ } from '../../execution/memory/access.js';
import type { Level, LoopCount } from '../../execution/memory/call-frames.js';
import type { LocationName } from '../../execution/memory/locations.js';
import { runtime } from '../../instrument/runtime/runtime.js';
import type { TraceStep } from '../model/trace-types.js';
import type { AsyncProgram } from './program.js';
import { Segments } from './segments.js';

/*
 * Where a call of asynchronous code stands, function by function, as `Frames` knows it of threads: told by stacks.
 *
 * V8 tells the functions that have called and those that await them, with their places. A frame that goes back to a line, or
 * waits in the same place again, goes round a loop; that one is taken to begin where it has come to.
 */

class AsyncFrames {
  /** Operation to where it stood when it was last asked, the outermost function first. */
  readonly #last: TrackedCaller[][] = [];
  /** Frame to the loops that it went round, by their sites. */
  readonly #loops = new Map<number, Map<number, LoopCount>>();
  #made = 0;

  /** `callers` come from within an operation, the innermost first. `hasWaited`: since it was last asked. */
  levelsOf(operation: number, callers: readonly Caller[], hasWaited: boolean): Level[] {
    const before = this.#last[operation] ?? [];
    const now = trackCallers(callers, before, () => this.#made++);
    if (hasWaited) this.#turn(before, now);
    this.#last[operation] = now;
    return now.map(({ frame, ...place }) => ({
      frame,
      site: runtime.sites.at(place),
      loops: [...(this.#loops.get(frame)?.values() ?? [])],
    }));
  }

  /** Has the innermost frame that is still there gone back? */
  #turn(before: readonly TrackedCaller[], now: readonly TrackedCaller[]): void {
    const depth = now.findLastIndex(({ frame }, i) => before.at(i)?.frame === frame);
    if (depth < 0) return;
    const [from, to] = [before[depth], now[depth]];
    const isInnermost = depth === now.length - 1 && depth === before.length - 1;
    const isAgain = isInnermost && from.line === to.line && from.column === to.column;
    if (to.line >= from.line && !isAgain) return;
    const body = runtime.sites.at(to);
    // just before it, so that a block around the loop can be told from one inside
    const loop = runtime.sites.at({ ...to, column: to.column - 1 });
    const loops = this.#loops.get(to.frame) ?? new Map<number, LoopCount>();
    loops.set(loop, { loop, body, rounds: (loops.get(loop)?.rounds ?? 1) + 1 });
    this.#loops.set(to.frame, loops);
  }
}

/** Nowhere in the source. */
export const NO_SITE = -1;
/** All that is shared, since more is not known. */
const ALL: LocationName = { thread: -1, number: 0, field: 0 };
/** Node's names for what has its turn without a task. */
const TURNS: ReadonlySet<string> = new Set(['PROMISE', 'Microtask']);

interface Wait {
  readonly operation: number;
  readonly levels: readonly Level[];
  hasEnded: boolean;
}

/** A wait begins or ends; and what its call has touched before, or touches then. */
interface Moment {
  readonly wait: Wait;
  readonly segment: ReturnType<Segments['of']>;
}

export class Awaits {
  readonly #program: AsyncProgram;
  readonly #operation: () => number | undefined;
  readonly #frames = new AsyncFrames();
  /** The waits that have begun and ended, in order. */
  readonly #moments: Moment[] = [];
  readonly #waits = new Map<number | Task, Wait>();
  /** Operation to where it has gone on last; and whether it has begun to wait since. */
  readonly #wentOn: (Wait | undefined)[] = [];
  readonly #over = new Set<number>();
  /** None where the code is not recorded. */
  readonly #segments: Segments | undefined;

  /** `operation`: whose code runs now. */
  constructor(program: AsyncProgram, operation: () => number | undefined) {
    this.#program = program;
    this.#operation = operation;
    this.#segments = program.isRecorded ? new Segments(operation) : undefined;
  }

  during<T>(run: () => T): T {
    const hook = createHook({
      init: (id, type) => {
        if (TURNS.has(type)) this.#begin(id, this.#operation());
      },
      before: (id) => this.#end(id),
    });
    hook.enable();
    try {
      return this.#segments ? this.#segments.during(run) : run();
    } finally {
      hook.disable();
    }
  }

  /** A call counts as a wait that is over. */
  called(operation: number): void {
    const wait: Wait = { operation, levels: [], hasEnded: true };
    this.#moments.push({ wait, segment: this.#segments?.begin(operation) });
  }

  /** What a call has left behind is not its own any more. */
  ended(operation: number): void {
    this.#over.add(operation);
  }

  setUp(task: Task): void {
    this.#begin(task, task.operation);
  }

  /** Gives where it was set up. */
  fires(task: Task): readonly Level[] {
    this.#end(task);
    return this.#waits.get(task)?.levels ?? [];
  }

  /** Of all waits that came to an end. A call that waits at once has no step of its own. */
  steps(): TraceStep[] {
    const ended = this.#moments.filter(({ wait }) => wait.hasEnded);
    return ended
      .filter(({ wait }, i) => wait.levels.length > 0 || ended.at(i + 1)?.wait.operation !== wait.operation)
      .flatMap((moment) => this.#stepsOf(moment));
  }

  /** What is touched is a step each, and so is that nothing is. */
  #stepsOf({ wait: { operation, levels }, segment }: Moment): TraceStep[] {
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
    }));
  }

  #begin(what: number | Task, operation: number | undefined): void {
    if (operation === undefined || this.#over.has(operation)) return;
    const stack = callers();
    const last = this.#wentOn[operation];
    // what an answer from outside sets up stands where that was asked for
    const levels =
      stack.length > 0 ? this.#frames.levelsOf(operation, stack, last !== undefined) : last?.levels;
    if (levels === undefined) return;
    if (stack.length > 0) this.#wentOn[operation] = undefined;
    const wait: Wait = { operation, levels, hasEnded: false };
    this.#waits.set(what, wait);
    this.#moments.push({ wait, segment: this.#segments?.of(operation) });
  }

  #end(what: number | Task): void {
    const wait = this.#waits.get(what);
    if (wait === undefined || this.#over.has(wait.operation)) return;
    wait.hasEnded = true;
    this.#wentOn[wait.operation] = wait;
    this.#moments.push({ wait, segment: this.#segments?.begin(wait.operation) });
  }
}
