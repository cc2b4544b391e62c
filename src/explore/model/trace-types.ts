/** How an execution went, step by step, and its history; whichever back end ran it. */
import type { Level } from '../../execution/memory/call-frames.js';
import type { LocationName } from '../../execution/memory/locations.js';
import type { History } from '../../history/history.js';
import type { Schedule } from './engine.js';

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
  /** What was read or stored, for people; undefined where nothing was. */
  readonly value: string | undefined;
  /** Of a task of an event loop: what happens, and where it was set up. */
  readonly task?: { readonly does: string; readonly place: string } | undefined;
}

export interface Trace {
  readonly steps: readonly TraceStep[];
  readonly history: History;
  /** Operation of the program to its id in the history; undefined where it was not called. */
  readonly idOf: readonly number[];
  /** Operation to the step, from 0, after which it ended and before the next; undefined where it did not. */
  readonly endOf: readonly (number | undefined)[];
  /** Nobody could go on, and some were not at their end. */
  readonly isStuck: boolean;
  /** The steps that they would have taken. */
  readonly waiting: readonly TraceStep[];
  /** Of an event loop, whose steps are tasks: where calls have begun to wait and gone on. */
  readonly awaits?: readonly TraceStep[];
  /** All have ended, or nobody could go on. */
  readonly isWhole: boolean;
  /** How much of the schedule was followed: less than all where the program did not. */
  readonly followed: number;
  /** The whole schedule: gives the same trace again. */
  readonly schedule: Schedule;
}
