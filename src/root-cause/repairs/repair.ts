/**
 * Repairs: sets of blocks of source, each of which is to be atomic.
 *
 * One repair *covers* another if each block of the other lies in one of its own blocks: then it allows no more executions. Overlapping
 * blocks are joined, because each run of one would have to wait for the other.
 */
import { type Block, comparePoints } from '../../execution/atomic-blocks.js';

export type Repair = readonly Block[];

export const containsBlock = (block: Block, { file, start, end }: Block): boolean =>
  block.file === file && comparePoints(block.start, start) <= 0 && comparePoints(end, block.end) <= 0;

/** The smallest repair that covers all these blocks, in the order of the source. */
export function merged(blocks: readonly Block[]): Repair {
  const sorted = blocks.toSorted(
    (a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0) || comparePoints(a.start, b.start),
  );
  const result: Block[] = [];
  for (const block of sorted) {
    const last = result.at(-1);
    if (last === undefined || last.file !== block.file || comparePoints(last.end, block.start) < 0)
      result.push(block);
    else if (comparePoints(last.end, block.end) < 0) result[result.length - 1] = { ...last, end: block.end };
  }
  return result;
}

/** Compares repairs by lines, then by blocks, then by columns. */
export function compareSizes(a: Repair, b: Repair): number {
  return linesOf(a) - linesOf(b) || a.length - b.length || columnsOf(a) - columnsOf(b);
}

const linesOf = (repair: Repair): number =>
  repair.reduce((sum, { start, end }) => sum + end.line - start.line + 1, 0);
const columnsOf = (repair: Repair): number =>
  repair.reduce((sum, { start, end }) => sum + Math.abs(end.column - start.column), 0);

export const repairKey = (repair: Repair): string =>
  repair
    .map(({ file, start, end }) => `${file}:${start.line}:${start.column}-${end.line}:${end.column}`)
    .join(' ');

/** The lines of a repair, as reports print them. */
export const linesKey = (repair: Repair): string =>
  repair.map(({ file, start, end }) => `${file}:${start.line}-${end.line}`).join(' ');

/** The minimal sets of all that were added: none covers another (subsumption). */
export class SmallestSets<T> {
  sets: (readonly T[])[] = [];
  readonly #contains: (part: T, other: T) => boolean;

  constructor(contains: (part: T, other: T) => boolean) {
    this.#contains = contains;
  }

  add(set: readonly T[]): void {
    if (this.isCovered(set)) return;
    this.sets = this.sets.filter((other) => !this.#covers(other, set));
    this.sets.push(set);
  }

  /** Does a set cover one that is kept? */
  isCovered(set: readonly T[]): boolean {
    return this.sets.some((other) => this.#covers(set, other));
  }

  #covers(set: readonly T[], other: readonly T[]): boolean {
    return other.every((part) => set.some((own) => this.#contains(own, part)));
  }
}

const MOST_REPAIRS = 500;

interface Combined {
  readonly repairs: readonly Repair[];
  /** Were repairs dropped, which may be as good as those that are kept? */
  readonly isCut: boolean;
}

/**
 * Repairs of many traces from the repairs of each: one of each, together (CAV 2020, §4.2). Traces are added in sequence. Only minimal
 * repairs are kept, and a limited number of them.
 */
export function combine(
  ofTraces: readonly (readonly Repair[])[],
  mostRepairs: number = MOST_REPAIRS,
): Combined {
  let repairs: readonly Repair[] = [[]];
  let isCut = false;
  for (const own of ofTraces.toSorted((a, b) => a.length - b.length)) {
    const next = new SmallestSets<Block>(containsBlock);
    const alternatives = new SmallestSets<Block>(containsBlock);
    for (const repair of own) alternatives.add(repair);
    for (const repair of repairs) {
      if (alternatives.isCovered(repair)) next.add(repair);
      else for (const other of alternatives.sets) next.add(merged([...repair, ...other]));
    }
    repairs = next.sets;
    if (repairs.length <= mostRepairs) continue;
    repairs = repairs.toSorted(compareSizes).slice(0, mostRepairs);
    isCut = true;
  }
  return { repairs, isCut };
}
