/**
 * Blocks of source that are run in one step: no other thread comes between two accesses of one.
 *
 * A block is a range of one function's source. A thread *runs* it from its first access that stands
 * in the range, or is made by a call that does, as long as it stays in that frame and in the range. A loop
 * around the block ends the run with each round; one that begins inside of the range does not.
 *
 * The test of a loop and what it does between rounds stand before its body, but belong to the round that follows.
 */
import type { Place } from '../base/source-position.js';
import type { Frames, Level, LoopCount } from './memory/call-frames.js';

export interface Block {
  readonly file: string;
  /** The first and the last place in it, as accesses have them. */
  readonly start: Point;
  readonly end: Point;
}

export type Point = Pick<Place, 'line' | 'column'>;

/** Negative if a stands before b, positive if after. */
export const comparePoints = (a: Point, b: Point): number => a.line - b.line || a.column - b.column;

const NO_BLOCK = -1;

/** What an access outside of all blocks belongs to. */
export const NO_RUN = '';

export class Blocks {
  readonly #blocks: readonly Block[];
  readonly #placeOf: (site: number) => Place;
  /** Site to its block. */
  readonly #at = new Map<number, number>();

  constructor(blocks: readonly Block[], placeOf: (site: number) => Place) {
    this.#blocks = blocks;
    this.#placeOf = placeOf;
  }

  /** The run of a block that an access belongs to: accesses of one thread with equal names are in one step. */
  runOf(levels: readonly Level[]): string {
    for (const { frame, site, loops } of levels) {
      const block = this.#blockAt(site);
      if (block === NO_BLOCK) continue;
      // a loop is known from its first body on, so the test before that is told by nothing but its place
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

const isIn = (place: Place, { file, start, end }: Block): boolean =>
  place.file === file && comparePoints(start, place) <= 0 && comparePoints(place, end) <= 0;

/** The round of a loop that a frame is in when it stands at a site. */
export function roundOf(
  { loop, body, rounds }: LoopCount,
  site: number,
  placeOf: (site: number) => Place,
): number {
  const place = placeOf(site);
  const isBefore = comparePoints(placeOf(loop), place) <= 0 && comparePoints(place, placeOf(body)) < 0;
  return isBefore ? rounds + 1 : rounds;
}

/*
 * Who is inside of a block that is run in one step: until it has left it, nobody else may go on.
 *
 * A block is only begun by who can run it to its end: a run in which its thread has to wait inside
 * is none that a program with such a block has, and is left out.
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

  /** A thread has announced an access, having done the one that it had announced before. */
  announced(thread: number, site: number): void {
    const run = this.#blocks.runOf(this.#frames.levelsOf(thread, site));
    this.thread = run !== NO_RUN && run === this.#runs[thread] ? thread : -1;
    this.#runs[thread] = run;
  }
}
