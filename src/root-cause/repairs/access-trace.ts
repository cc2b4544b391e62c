/**
 * A trace: the accesses of one execution in their order, and which operations returned before others were called.
 *
 *   program order   accesses of one thread
 *   conflict        accesses of one location by two threads, at least one of which changes it
 *   real time       all accesses of an operation that returned before another was called precede those of the other
 *
 * This module follows B. Çirisci, C. Enea, A. Farzan, S. Mutluergil, Root causing linearizability violations, CAV 2020.
 * The last relation is an addition: without it, some violations have no cause (docs/internals/papers.md).
 */

import { CHOOSE, READ } from '../../execution/memory/access.js';
import type { Level } from '../../execution/memory/call-frames.js';
import type { LocationName } from '../../execution/memory/locations.js';
import type { Trace, TraceStep } from '../../explore/model/trace-types.js';

export interface AccessEvent {
  readonly thread: number;
  readonly operation: number;
  /** The location in memory; -1: none. */
  readonly location: number;
  readonly isChange: boolean;
  /** The position in the source, the outermost function first. */
  readonly levels: readonly Level[];
  /** Events with one number are atomic without any block. */
  readonly turn?: number | undefined;
}

export interface AccessTrace {
  readonly events: readonly AccessEvent[];
  /** Operation to the operations that had returned when it was called, as bits. */
  readonly returnedBefore: readonly number[];
}

/** Are two events of one operation atomic without any block? */
export const areOneTurn = (a: AccessEvent, b: AccessEvent): boolean =>
  a.turn !== undefined && a.turn === b.turn;

export function conflicts(a: AccessEvent, b: AccessEvent): boolean {
  return a.thread !== b.thread && a.location >= 0 && a.location === b.location && (a.isChange || b.isChange);
}

/** Operation to its events, in program order. */
export function operationsOf({ events }: AccessTrace): AccessEvent[][] {
  const operations: AccessEvent[][] = [];
  for (const event of events) {
    operations[event.operation] ??= [];
    operations[event.operation].push(event);
  }
  return Array.from(operations, (list) => list ?? []);
}

/** Threads: all accesses; those that are blocked forever come last, as if they had been done. Event loop: the awaits that ended. */
export const accessesOf = ({ steps, waiting, awaits }: Trace): readonly TraceStep[] =>
  awaits ?? [...steps, ...waiting];

/** `isTimed`: with the real-time order. */
export function accessTrace(trace: Trace, isTimed: boolean): AccessTrace {
  const { history, idOf } = trace;
  const locations = new Map<string, number>();
  const steps = accessesOf(trace).filter(({ kind }) => kind !== CHOOSE);
  const nameOf = namesIn(steps);
  const events = steps.map((step) => eventOf(step, nameOf, locations));
  if (!isTimed) return { events, returnedBefore: [] };
  const position = history.positionsById();
  const { call, return: returned } = history.columns;
  const returnedBefore = idOf.map((own) => {
    let before = 0;
    idOf.forEach((other, operation) => {
      if (returned[position[other]] < call[position[own]]) before |= 1 << operation;
    });
    return before;
  });
  return { events, returnedBefore };
}

/** Names of locations. If a step accesses an object as a whole, all its parts are one location. */
function namesIn(steps: readonly TraceStep[]): (location: LocationName) => string {
  const objectOf = ({ thread, number }: LocationName): string => `${thread} ${number}`;
  const used = steps.flatMap(({ location }) => location ?? []);
  if (used.some(({ extent }) => extent === 'everything')) return () => 'everything';
  const wholes = new Set(used.filter(({ extent }) => extent === 'whole').map(objectOf));
  return (location) =>
    wholes.has(objectOf(location)) ? objectOf(location) : `${objectOf(location)} ${location.field}`;
}

function eventOf(
  { thread, operation, kind, location, levels, turn }: TraceStep,
  nameOf: (location: LocationName) => string,
  locations: Map<string, number>,
): AccessEvent {
  const name = location && nameOf(location);
  if (name !== undefined && !locations.has(name)) locations.set(name, locations.size);
  return {
    thread,
    operation,
    location: name === undefined ? -1 : locations.get(name)!,
    isChange: kind !== READ,
    levels,
    turn,
  };
}
