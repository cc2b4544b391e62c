/**
 * Who could have met whom: a graph whose vertices are calls, joined where they overlap and fit.
 *
 * Made in one sweep with the calls open at each moment. Cost: O(n · open).
 */
import { GrowingInts } from '../../../base/collections/growing.js';
import { type Columns, NEVER } from '../../../history/model/columns.js';

export interface PairGraph {
  /** The neighbours of k are `edges[start[k]]` up to `edges[start[k + 1]]`, ascending. */
  readonly start: Int32Array;
  readonly edges: Int32Array;
}

export function pairGraph(
  columns: Columns,
  fit: (a: number, b: number) => boolean,
  takesPart: (k: number) => boolean,
): PairGraph {
  const firsts = new GrowingInts();
  const seconds = new GrowingInts();
  eachOverlap(columns, takesPart, (a, b) => {
    if (!fit(a, b)) return;
    firsts.push(a);
    seconds.push(b);
  });
  const start = new Int32Array(columns.call.length + 1);
  for (let i = 0; i < firsts.length; i++) {
    start[firsts.at(i) + 1]++;
    start[seconds.at(i) + 1]++;
  }
  for (let k = 0; k < columns.call.length; k++) start[k + 1] += start[k];
  const edges = new Int32Array(2 * firsts.length);
  const next = start.slice();
  for (let i = 0; i < firsts.length; i++) {
    edges[next[firsts.at(i)]++] = seconds.at(i);
    edges[next[seconds.at(i)]++] = firsts.at(i);
  }
  return { start, edges };
}

/** Visits each two calls that overlap, the earlier one first. */
export function eachOverlap(
  { events, return: returned }: Columns,
  takesPart: (k: number) => boolean,
  visit: (a: number, b: number) => void,
): void {
  const open: number[] = [];
  const place = new Int32Array(returned.length).fill(-1);
  for (const event of events) {
    const k = event >= 0 ? event : ~event;
    if (event >= 0) {
      if (!takesPart(k)) continue;
      for (let i = 0; i < open.length; i++) visit(open[i], k);
      place[k] = open.push(k) - 1;
    } else if (place[k] >= 0 && returned[k] !== NEVER) {
      const last = open.pop() as number;
      if (last !== k) {
        open[place[k]] = last;
        place[last] = place[k];
      }
    }
  }
}
