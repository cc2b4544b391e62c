/**
 * Columns of what had been called by a moment: the first stretch of each column, since
 * operations are numbered by their calls. Numbers and moments stay as they are, and so do all
 * columns but the returns: those after the moment never come.
 *
 * Sound for operations that come "after" others only if those had been called too.
 * Cost: O(n), and 4 bytes an operation.
 */
import { type Columns, NEVER } from '../model/columns.js';
import { CutColumns } from './cut-columns.js';

export function beginning(columns: Columns, moment: number): Columns {
  const { id, call, after } = columns;
  const length = calledBy(call, moment);
  const own = {
    id: id.subarray(0, length),
    events: columns.events.subarray(0, moment + 1),
    ...(after && {
      after: {
        start: after.start.subarray(0, length + 1),
        items: after.items.subarray(0, after.start[length]),
      },
    }),
  };
  if (columns instanceof CutColumns) return columns.beginning(length, own);
  const returned = columns.return.slice(0, length);
  for (let k = 0; k < length; k++) if (returned[k] > moment) returned[k] = NEVER;
  return {
    ...own,
    object: columns.object.subarray(0, length),
    process: columns.process.subarray(0, length),
    method: columns.method.subarray(0, length),
    argumentStart: columns.argumentStart.subarray(0, length + 1),
    argument: columns.argument.subarray(0, columns.argumentStart[length]),
    status: columns.status.subarray(0, length),
    result: columns.result.subarray(0, length),
    call: call.subarray(0, length),
    return: returned,
  };
}

/** How many operations had been called by a moment, by halving: calls ascend. */
function calledBy(call: Int32Array, moment: number): number {
  let low = 0;
  for (let high = call.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if (call[middle] <= moment) low = middle + 1;
    else high = middle;
  }
  return low;
}
