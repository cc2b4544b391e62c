/**
 * Repairs: sets of blocks of source, each of which is to be run in one step.
 *
 * One repair *covers* another if each block of that one lies in a block of its own: then it allows
 * no more. Blocks that overlap are one, since each run of the one would have to wait for the other.
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

/** Lines, and where these are as many, columns: what tells which of two repairs is smaller. */
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
