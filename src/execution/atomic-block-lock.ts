/**
 * Who is inside of a block that is run in one step: until it has left it, nobody else may go on.
 *
 * A block is only begun by who can run it to its end: a run in which its thread has to wait inside
 * is none that a program with such a block has, and is left out.
 */
import { type Blocks, NO_RUN } from './atomic-blocks.js';
import type { Frames } from './memory/call-frames.js';

export class Holder {
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
