/** An execution that was run again (`trace`), as the accesses that a cause is looked for in. */
import { CHOOSE, READ } from '../execution/memory/access.js';
import type { Trace, TraceStep } from '../explore/model/trace-types.js';
import type { AccessEvent, AccessTrace } from './repairs/access-trace.js';

/** Of threads, what waits for ever comes last, as if it had been done. Of an event loop, the awaits that came to an end. */
export const accessesOf = ({ steps, waiting, awaits }: Trace): readonly TraceStep[] =>
  awaits ?? [...steps, ...waiting];

/** `isTimed`: with who had returned before whom was called. */
export function accessTrace(trace: Trace, isTimed: boolean): AccessTrace {
  const { history, idOf } = trace;
  const locations = new Map<string, number>();
  const events = accessesOf(trace)
    .filter(({ kind }) => kind !== CHOOSE)
    .map((step) => eventOf(step, locations));
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

function eventOf(
  { thread, operation, kind, location, levels }: TraceStep,
  locations: Map<string, number>,
): AccessEvent {
  const name = location && `${location.thread} ${location.number} ${location.field}`;
  if (name !== undefined && !locations.has(name)) locations.set(name, locations.size);
  return {
    thread,
    operation,
    location: name === undefined ? -1 : locations.get(name)!,
    isChange: kind !== READ,
    levels,
  };
}
