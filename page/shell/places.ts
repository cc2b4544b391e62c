/** Where things are drawn: the lane of an operation, the span of an annotation, the point at which an operation takes effect. */
import { printable } from '../../src/base/values/show.js';
import { faultsAndOthers } from '../../src/consistency/faults.js';
import type { History } from '../../src/history/history.js';
import { NEVER } from '../../src/history/model/columns.js';
import type { Annotation } from '../../src/history/model/operation.js';

interface Lane {
  readonly process: number;
  /** Is it the first of its process? */
  readonly isFirst: boolean;
  /** Positions, by call. */
  readonly operations: readonly number[];
}

/** One lane per process, and more where a process has several calls open at once. */
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
    // a pending operation leaves its lane to the next one
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
  // lanes of a process are adjacent; processes are sorted by their first call
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

/** What annotations describe: a moment, or a fault with its duration, by the rules of `--faults`. */
export interface Mark {
  readonly text: string;
  /** Between two events: half a moment before the event that came next. */
  readonly from: number;
  /** Equals `from` for a moment; infinite for a span without an end. */
  readonly to: number;
}

export function marksOf(annotations: readonly Annotation[]): Mark[] {
  const { faults, others } = faultsAndOthers(annotations);
  return [
    ...faults.map(({ text, from, until }) => ({ text, from, to: until })),
    ...others.map(({ text, moment }) => ({ text, from: moment, to: moment })),
  ]
    .sort((one, other) => one.from - other.from)
    .map(({ text, from, to }) => ({
      text: printable(text),
      from: from - 0.5,
      to: to === NEVER ? Number.POSITIVE_INFINITY : to - 0.5,
    }));
}

/**
 * Moments, with fractions, at which the operations of a linearization take effect, given their positions in order.
 * An operation cannot take effect before the latest call in the order up to it.
 */
export function pointsOf({ columns }: History, order: readonly number[]): number[] {
  let latest = 0;
  return spread(
    order.map((k) => {
      latest = Math.max(latest, columns.call[k]);
      return latest;
    }),
  );
}

/** Spreads equal moments evenly up to the next event. */
export function spread(moments: readonly number[]): number[] {
  const sizes = new Map<number, number>();
  for (const moment of moments) sizes.set(moment, (sizes.get(moment) ?? 0) + 1);
  const used = new Map<number, number>();
  return moments.map((moment) => {
    const place = (used.get(moment) ?? 0) + 1;
    used.set(moment, place);
    return moment + place / ((sizes.get(moment) ?? 0) + 1);
  });
}
