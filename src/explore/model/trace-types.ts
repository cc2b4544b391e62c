/** An execution step by step, and its history, on any back end. */
import type { NamedPlace } from '../../base/source-position.js';
import type { Level } from '../../execution/memory/call-frames.js';
import type { LocationName } from '../../execution/memory/locations.js';
import type { History } from '../../history/history.js';
import type { Schedule } from './engine.js';

/** One step of a thread: an access, a choice, or a task of an event loop. */
export interface TraceStep {
  readonly thread: number;
  readonly operation: number;
  /** One of the kinds of access. */
  readonly kind: number;
  /** Where, if anywhere. */
  readonly location: LocationName | undefined;
  /** What the program said of its place in the source. */
  readonly site: number;
  /** The functions that it was made in, the outermost first. */
  readonly levels: readonly Level[];
  /** Of a choice: the alternative. */
  readonly alternative: number;
  /** The value that was read or stored, as text; undefined if there is none to show. */
  readonly value: string | undefined;
  /** Was the value stored? Otherwise it was read, or returned by a built-in function. */
  readonly isStored?: boolean | undefined;
  /** Async: what the task does, and where it was scheduled. */
  readonly task?: { readonly does: string; readonly place: string } | undefined;
  /** Async: steps of one turn are atomic, since a call runs alone between two awaits. */
  readonly turn?: number | undefined;
}

/** The step that a blocked thread would take next, and why it cannot. */
export interface WaitingStep extends TraceStep {
  /** A lock is held; no thread wakes it; or its loop repeats until a location that it reads changes. */
  readonly reason: 'held' | 'asleep' | 'spinning';
  /** Of a lock: the threads that hold it. */
  readonly holders: readonly number[];
}

/** A call waited during an await, and the code of another call resumed it. */
export interface WakeUp {
  readonly operation: number;
  readonly by: number;
  /** Where it waited, the outermost function first. */
  readonly levels: readonly Level[];
  /** The number of `awaits` up to the start of the wait, its own included. */
  readonly start: number;
}

/** A schedule that was run again. */
export interface Trace {
  readonly steps: readonly TraceStep[];
  readonly history: History;
  /** Operation of the program to its id in the history; undefined where it was not called. */
  readonly idOf: readonly number[];
  /** Operation to the step, from 0, after which it ended and before the next; undefined where it did not. */
  readonly endOf: readonly (number | undefined)[];
  /** Operation to the error that it threw, with its message. */
  readonly errors: readonly (string | undefined)[];
  /** A deadlock: no thread was enabled, and not all calls had returned. */
  readonly isStuck: boolean;
  /** The steps that the blocked threads would have taken. */
  readonly waiting: readonly WaitingStep[];
  /** Async: where calls started to wait and where they resumed. */
  readonly awaits?: readonly TraceStep[];
  /** Async: waits that another call ended. */
  readonly wakeUps?: readonly WakeUp[];
  /** Async: the error that ended the run, because nothing catches it. */
  readonly uncaught?: string | undefined;
  /** False if the run was abandoned before all calls returned or no thread was enabled. */
  readonly isWhole: boolean;
  /** How many steps of the schedule the program followed. */
  readonly followed: number;
  /** The whole schedule: gives the same trace again. */
  readonly schedule: Schedule;
}

/** Where the code itself does something else than its instrumented version. */
export interface Difference {
  readonly call: string;
  /** Its method. */
  readonly place: NamedPlace;
  /** The calls before it. */
  readonly before: readonly string[];
  /** What the code itself does, and what its instrumented version does: `returns 3`. */
  readonly plain: string;
  readonly instrumented: string;
}

/** Where the code differs, as a sentence without its full stop. */
export function describeDifference({ call, place, before, plain, instrumented }: Difference): string {
  const after = before.length === 0 ? '' : ` after ${before.join(', ')}`;
  return `${call} (${place.file}:${place.line}) ${plain}${after} in the code itself, and ${instrumented} in the instrumented code`;
}
