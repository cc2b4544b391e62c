/**
 * A trace: the accesses of one execution in their order, and which operations were over before others began.
 *
 *   program order   accesses of one thread
 *   conflict        accesses of one location by two threads, one of which at least changes it
 *   real time       all accesses of an operation that returned before another was called come before
 *                   those of that one
 *
 * This room follows B. Çirisci, C. Enea, A. Farzan, S. Mutluergil, Root causing linearizability violations, CAV 2020.
 * The last relation is our own: without it some violations have no cause (docs/papers.md).
 */
import type { Level } from '../../execution/memory/call-frames.js';

export interface AccessEvent {
  readonly thread: number;
  readonly operation: number;
  /** Where in memory; -1: nowhere. */
  readonly location: number;
  readonly isChange: boolean;
  /** Where in the source, the outermost function first. */
  readonly levels: readonly Level[];
}

export interface AccessTrace {
  readonly events: readonly AccessEvent[];
  /** Operation to those that had returned when it was called, as bits. */
  readonly returnedBefore: readonly number[];
}

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
