/**
 * A linearization of a register or map with distinct values whose times come from clocks with an error.
 *
 * The order of each process by its own clock is not one of intervals, so parts cannot be decided alone. `Saturation` finds
 * what must come before what. Its greedy search needs a hint of the true order. By recorded times it is stuck soon; by
 * corrected times it hardly ever is. The clocks are corrected by what is known: if `m` comes before `n`,
 * `offset(m) - offset(n) <= return(n) - call(m)`. The least bounds between clocks, closed under addition, leave a range
 * for each offset, and its middle is taken. Clocks may drift, so this is also tried in blocks of time.
 *
 * The order is only a proposal, which the caller verifies.
 *
 * If an operation must come before itself, there is no linearization. All operations on a version, or a read, can be
 * left out of a linearization. So they are left out as long as some operation must still come before itself. What is
 * left is short enough for a search, which decides and explains it.
 *
 * Cost: of `Saturation`, and O(n · p + blocks · p³) for p processes.
 *
 * The browser build leaves it out: there, a search decides such histories, or does not.
 */
import type { History } from '../../history/history.js';
import { NEVER } from '../../history/model/columns.js';
import type { Spec } from '../../spec/spec.js';
import { type Hint, Saturation } from './saturation.js';
import { CELLS, Versions } from './versions.js';

const BLOCKS = [1, 8, 40];
const MOST_WORK = 200_000_000;
const MOST_ATTEMPTS = 40;

/** The ids of the operations in an order that may be a linearization; undefined if none is found. */
export function orderByClocks(given: History, spec: Spec, isOver: () => boolean): Int32Array | undefined {
  const read = CELLS.get(spec.family?.kind ?? '');
  if (!read || !Object.hasOwn(spec.family ?? {}, 'initial') || given.stuck) return undefined;
  const history = given.withoutFailed();
  const acts = read(history.withoutAfter(), spec);
  if (typeof acts === 'string') return undefined;
  const versions = new Versions(acts, true);
  const limits = { mostWork: MOST_WORK, mostAttempts: MOST_ATTEMPTS, isOver };
  const saturation = Saturation.of(versions, limits);
  if (!saturation?.addTime()) return undefined;
  const times = new Times(history);
  for (const blocks of BLOCKS) {
    const order = saturation.decideBy(hintOf(versions, saturation, times, blocks));
    if (order === 'none') return undefined;
    if (order !== 'unknown') return Int32Array.from(order, (k) => history.columns.id[k]);
    if (isOver()) return undefined;
  }
  return undefined;
}

/** Operations that are read while the contradiction is made shorter, in all; and how many may be left. */
const MOST_READ = 1_000_000;
const LONGEST_CORE = 100;

/** Few operations without a linearization, if the order of clocks shows that there is none; the caller decides them. */
export function coreByClocks(given: History, spec: Spec, isOver: () => boolean): History | undefined {
  const read = CELLS.get(spec.family?.kind ?? '');
  if (!read || !Object.hasOwn(spec.family ?? {}, 'initial') || given.stuck) return undefined;
  let isRead = 0;
  const versionsOf = (history: History): Versions | undefined => {
    const acts = read(history.withoutAfter(), spec);
    return typeof acts === 'string' ? undefined : new Versions(acts, true);
  };
  const isContradictory = (history: History): boolean => {
    isRead += history.length;
    const versions = versionsOf(history);
    const saturation = versions && Saturation.of(versions, { mostWork: MOST_WORK, mostAttempts: 0, isOver });
    return saturation !== undefined && !saturation.addTime();
  };
  const hasTime = (): boolean => isRead < MOST_READ && !isOver();
  const without = (history: History, unitOf: (k: number) => number): History =>
    shortened(history, unitOf, isContradictory, hasTime);

  const history = given.withoutFailed();
  if (!isContradictory(history)) return undefined;
  const versions = versionsOf(history) as Versions;
  const few = without(history, (k) => (versions.wrote[k] >= 0 ? versions.wrote[k] : versions.saw[k]));
  const left = versionsOf(few) as Versions;
  const core = without(few, (k) => (left.wrote[k] >= 0 ? -1 : k));
  return core.length <= LONGEST_CORE ? core : undefined;
}

/** Without groups of units, larger ones first, that a test can do without; the unit -1 stays. */
function shortened(
  history: History,
  unitOf: (k: number) => number,
  passes: (history: History) => boolean,
  hasTime: () => boolean,
): History {
  const units = Array.from({ length: history.length }, (_, k) => unitOf(k));
  const having = (some: readonly number[]): History => {
    const kept = new Set([...some, -1]);
    return history.select((k) => kept.has(units[k]));
  };
  let left = [...new Set(units)].filter((unit) => unit !== -1);
  let best = history;
  for (let size = Math.ceil(left.length / 2); size >= 1; size = Math.floor(size / 2))
    for (let begin = 0; begin < left.length && hasTime(); ) {
      const rest = left.toSpliced(begin, size);
      const shorter = having(rest);
      if (passes(shorter)) [left, best] = [rest, shorter];
      else begin += size;
    }
  return best;
}

/** The times of calls and returns as they were recorded, or moments. */
class Times {
  readonly call: Float64Array;
  readonly return: Float64Array;

  constructor({ columns, tables, length }: History) {
    const { id, call, return: returned } = columns;
    const { times } = tables;
    this.call = new Float64Array(length);
    this.return = new Float64Array(length);
    for (let k = 0; k < length; k++) {
      this.call[k] = times ? times.call[id[k]] : call[k];
      if (returned[k] === NEVER) this.return[k] = Number.POSITIVE_INFINITY;
      else this.return[k] = times ? times.return[id[k]] : returned[k];
    }
  }
}

/** Version by version: the middle of its time by corrected clocks. */
function hintOf(versions: Versions, saturation: Saturation, times: Times, blocks: number): Hint {
  const { wrote, saw } = versions;
  const corrected = correctionOf(saturation, times, blocks);
  const [first, last] = [new Float64Array(versions.count), new Float64Array(versions.count)];
  first.fill(Number.POSITIVE_INFINITY);
  last.fill(Number.NEGATIVE_INFINITY);
  for (let k = 0; k < wrote.length; k++) {
    const version = wrote[k] >= 0 ? wrote[k] : saw[k];
    if (version < 0) continue;
    first[version] = Math.min(first[version], corrected(k, times.return[k]));
    last[version] = Math.max(last[version], corrected(k, times.call[k]));
  }
  return (k) => first[wrote[k]] + last[wrote[k]];
}

/** Corrects a time of an operation. */
function correctionOf(
  saturation: Saturation,
  times: Times,
  blocks: number,
): (k: number, time: number) => number {
  const { lanes } = saturation;
  let [begin, end] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const time of times.call) [begin, end] = [Math.min(begin, time), Math.max(end, time)];
  const width = (end - begin) / blocks || 1;
  const blockOf = (time: number): number =>
    Math.max(0, Math.min(blocks - 1, Math.floor((time - begin) / width)));
  const bounds = Array.from({ length: blocks }, () =>
    new Float64Array(lanes * lanes).fill(Number.POSITIVE_INFINITY),
  );
  saturation.forEachPair((m, n) => {
    const own = bounds[blockOf(times.call[n])];
    const place = lanes * saturation.laneOf(m) + saturation.laneOf(n);
    own[place] = Math.min(own[place], times.return[n] - times.call[m]);
  });
  for (const own of bounds) closeUnderAddition(own, lanes);
  const offsets = offsetsOf(bounds, lanes);
  return (k, time) => {
    const lane = saturation.laneOf(k);
    // between the middles of two blocks, the offset changes evenly
    const at = (time - begin) / width - 0.5;
    if (!Number.isFinite(at)) return time;
    const block = Math.max(0, Math.min(blocks - 1, Math.floor(at)));
    const next = Math.min(blocks - 1, block + 1);
    const share = Math.max(0, Math.min(1, at - block));
    return time + offsets[block][lane] * (1 - share) + offsets[next][lane] * share;
  };
}

/** The least bounds between all lanes (Floyd and Warshall). */
function closeUnderAddition(bounds: Float64Array, lanes: number): void {
  for (let lane = 0; lane < lanes; lane++) bounds[lanes * lane + lane] = 0;
  for (let via = 0; via < lanes; via++)
    for (let a = 0; a < lanes; a++)
      for (let b = 0; b < lanes; b++) {
        const sum = bounds[lanes * a + via] + bounds[lanes * via + b];
        if (sum < bounds[lanes * a + b]) bounds[lanes * a + b] = sum;
      }
}

/** Of each block and lane, the offset: the middle of its range, if the lane with the least ranges stands still. */
function offsetsOf(bounds: readonly Float64Array[], lanes: number): Float64Array[] {
  const MOST = 1e12;
  let [still, least] = [0, Number.POSITIVE_INFINITY];
  for (let lane = 0; lane < lanes; lane++) {
    let sum = 0;
    for (const own of bounds)
      for (let other = 0; other < lanes; other++)
        sum += Math.min(MOST, own[lanes * other + lane] + own[lanes * lane + other]);
    if (sum < least) [still, least] = [lane, sum];
  }
  const offsets = bounds.map((own) =>
    Float64Array.from(
      { length: lanes },
      (_, lane) => (own[lanes * lane + still] - own[lanes * still + lane]) / 2,
    ),
  );
  // a lane without bounds keeps the offset of another block
  for (let lane = 0; lane < lanes; lane++) {
    const known = offsets.find((own) => Number.isFinite(own[lane]))?.[lane] ?? 0;
    for (let block = 0, before = known; block < offsets.length; block++) {
      if (!Number.isFinite(offsets[block][lane])) offsets[block][lane] = before;
      before = offsets[block][lane];
    }
  }
  return offsets;
}
