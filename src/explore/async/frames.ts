/**
 * Where a call of asynchronous code stands, function by function, as `Frames` knows it of threads: told by stacks.
 *
 * V8 tells the functions that have called and those that await them, with their places. A frame that goes back to a line, or
 * waits in the same place again, goes round a loop; that one is taken to begin where it has come to.
 */
import type { Caller } from '../../execution/caller-place.js';
import type { Level, LoopCount } from '../../execution/memory/call-frames.js';
import { type Standing, standingOf } from '../../execution/stack-frames.js';
import { runtime } from '../../instrument/runtime/runtime.js';

export class AsyncFrames {
  /** Operation to where it stood when it was last asked, the outermost function first. */
  readonly #last: Standing[][] = [];
  /** Frame to the loops that it went round, by their sites. */
  readonly #loops = new Map<number, Map<number, LoopCount>>();
  #made = 0;

  /** `callers` come from within an operation, the innermost first. `hasWaited`: since it was last asked. */
  levelsOf(operation: number, callers: readonly Caller[], hasWaited: boolean): Level[] {
    const before = this.#last[operation] ?? [];
    const now = standingOf(callers, before, () => this.#made++);
    if (hasWaited) this.#turn(before, now);
    this.#last[operation] = now;
    return now.map(({ frame, ...place }) => ({
      frame,
      site: runtime.sites.at(place),
      loops: [...(this.#loops.get(frame)?.values() ?? [])],
    }));
  }

  /** Has the innermost frame that is still there gone back? */
  #turn(before: readonly Standing[], now: readonly Standing[]): void {
    const depth = now.findLastIndex(({ frame }, i) => before.at(i)?.frame === frame);
    if (depth < 0) return;
    const [from, to] = [before[depth], now[depth]];
    const isInnermost = depth === now.length - 1 && depth === before.length - 1;
    const isAgain = isInnermost && from.line === to.line && from.column === to.column;
    if (to.line >= from.line && !isAgain) return;
    const body = runtime.sites.at(to);
    // just before it, so that a block around the loop can be told from one inside
    const loop = runtime.sites.at({ ...to, column: to.column - 1 });
    const loops = this.#loops.get(to.frame) ?? new Map<number, LoopCount>();
    loops.set(loop, { loop, body, rounds: (loops.get(loop)?.rounds ?? 1) + 1 });
    this.#loops.set(to.frame, loops);
  }
}
