/** A lane for each process, and more where it has several calls open at once. */
import type { History } from '../src/history/history.js';
import { NEVER } from '../src/history/model/columns.js';

interface Lane {
  readonly process: number;
  /** Is it the first of its process? */
  readonly isFirst: boolean;
  /** Positions, by call. */
  readonly operations: readonly number[];
}

export interface Lanes {
  readonly lanes: readonly Lane[];
  /** Position to lane. */
  readonly laneOf: Int32Array;
}

export function lanesOf({ columns, length }: History): Lanes {
  const { process, call, return: returned } = columns;
  const open: { process: number; operations: number[] }[] = [];
  const ofProcess = new Map<number, number[]>();
  const chosen = new Int32Array(length);
  for (let k = 0; k < length; k++) {
    const own = ofProcess.get(process[k]) ?? [];
    ofProcess.set(process[k], own);
    // one that never returned leaves its lane to the next
    let lane = own.find((number) => {
      const last = open[number].operations.at(-1) as number;
      return returned[last] < call[k] || returned[last] === NEVER;
    });
    if (lane === undefined) {
      lane = open.push({ process: process[k], operations: [] }) - 1;
      own.push(lane);
    }
    open[lane].operations.push(k);
    chosen[k] = lane;
  }
  // lanes of one process stand together, processes by their first call
  const order = [...ofProcess.values()].flat();
  const place = new Int32Array(order.length);
  order.forEach((number, i) => {
    place[number] = i;
  });
  return {
    lanes: order.map((number, i) => ({
      ...open[number],
      isFirst: i === 0 || open[order[i - 1]].process !== open[number].process,
    })),
    laneOf: chosen.map((number) => place[number]),
  };
}
