/**
 * Atomic blocks: ranges of source that run without interruption by other threads.
 *
 * A block is a range of one function's source. A thread *runs* it from its first access inside the range, or in a call from the range,
 * for as long as it stays in that frame and range. Each iteration of a loop around the block is a new run; a loop that starts inside the
 * range is part of one run.
 *
 * The test and the update of a loop precede its body in the source, but belong to the iteration that follows.
 */
import type { SourcePosition } from '../base/source-position.js';
import type { Frames, Level, LoopCount } from './memory/call-frames.js';

export interface Block {
  readonly file: string;
  /** The first and the last position in it, as accesses have them. */
  readonly start: Point;
  readonly end: Point;
}

export type Point = Pick<SourcePosition, 'line' | 'column'>;

/** Negative if a is before b, positive if after. */
export const comparePoints = (a: Point, b: Point): number => a.line - b.line || a.column - b.column;

const NO_BLOCK = -1;

/** The run of an access outside of all blocks. */
export const NO_RUN = '';

export class Blocks {
  readonly #blocks: readonly Block[];
  readonly #placeOf: (site: number) => SourcePosition;
  /** Site to its block. */
  readonly #at = new Map<number, number>();

  constructor(blocks: readonly Block[], placeOf: (site: number) => SourcePosition) {
    this.#blocks = blocks;
    this.#placeOf = placeOf;
  }

  /** The run of a block that an access belongs to: accesses of one thread with equal runs are atomic together. */
  runOf(levels: readonly Level[]): string {
    for (const { frame, site, loops } of levels) {
      const block = this.#blockAt(site);
      if (block === NO_BLOCK) continue;
      // a loop is recorded from its first body on, so the test before that is recognised by its position only
      const rounds = loops
        .filter(({ loop }) => this.#blockAt(loop) !== block)
        .map((loop) => [loop.loop, roundOf(loop, site, this.#placeOf)] as const)
        .filter(([, round]) => round > 1);
      return [block, frame, ...rounds.flat()].join();
    }
    return NO_RUN;
  }

  #blockAt(site: number): number {
    let block = this.#at.get(site);
    if (block === undefined) {
      const place = this.#placeOf(site);
      block = this.#blocks.findIndex((one) => isIn(place, one));
      this.#at.set(site, block);
    }
    return block;
  }
}

const isIn = (place: SourcePosition, { file, start, end }: Block): boolean =>
  place.file === file && comparePoints(start, place) <= 0 && comparePoints(place, end) <= 0;

/** The iteration of a loop that a frame is in when it is at a site. */
export function roundOf(
  { loop, body, rounds }: LoopCount,
  site: number,
  placeOf: (site: number) => SourcePosition,
): number {
  const place = placeOf(site);
  const isBefore = comparePoints(placeOf(loop), place) <= 0 && comparePoints(place, placeOf(body)) < 0;
  return isBefore ? rounds + 1 : rounds;
}

/**
 * The thread inside an atomic block: until it leaves the block, no other thread may take a step.
 */
export class AtomicBlockLock {
  /** The thread, or -1. */
  thread = -1;
  readonly #blocks: Blocks;
  readonly #frames: Frames;
  /** Thread to the run of a block that the access which it announced last belongs to. */
  readonly #runs: string[] = [];

  constructor(blocks: Blocks, frames: Frames) {
    this.#blocks = blocks;
    this.#frames = frames;
  }

  reset(): void {
    this.thread = -1;
    this.#runs.length = 0;
  }

  /** A thread has announced an access, and done the one before. */
  announced(thread: number, site: number): void {
    const run = this.#blocks.runOf(this.#frames.levelsOf(thread, site));
    this.thread = run !== NO_RUN && run === this.#runs[thread] ? thread : -1;
    this.#runs[thread] = run;
  }
}
