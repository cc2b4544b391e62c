/**
 * Where real threads stand, function by function, as `Frames` knows it of transformed source: told by the stack of
 * each access, and by the source.
 *
 * A frame that comes to a place again, or to a statement before, has begun another round of the loop around both. If there is no
 * such loop, its function has ended and was called again, by a frame that has a loop around the call; and if there is no such
 * frame either, by one that calls it again and again from one place, such as by `forEach`.
 */
import type { Caller } from '../../execution/caller-place.js';
import type { Level } from '../../execution/memory/call-frames.js';
import { type Standing, standingOf } from '../../execution/stack-frames.js';
import { runtime } from '../../instrument/runtime/runtime.js';
import type { SourceLoop } from '../../instrument/syntax/loops.js';
import { CALLS, Course, loopAround, type Stop } from './course.js';

export class ThreadFrames {
  /** Thread to where it stood at its last access. */
  readonly #stacks: (readonly Standing[])[] = [];
  readonly #courses = new Map<number, Course>();
  #made = 0;

  /** A thread begins a call. */
  begin(thread: number): void {
    this.#stacks[thread] = [];
  }

  /** Who has called an access of a thread, the innermost first; and of which kind it is. */
  levelsOf(thread: number, callers: readonly Caller[], kind: number): Level[] {
    const standing = standingOf(callers, this.#stacks[thread], () => this.#made++);
    let stack = standing.map((one, i) => ({ ...one, kind: i === standing.length - 1 ? kind : CALLS }));
    const known = stack.findLastIndex(({ frame }) => this.#courses.has(frame));
    if (known >= 0 && this.#courseOf(stack[known]).isBack(stack[known])) {
      const [depth, loop] = this.#turning(stack, known);
      stack = stack.map((one, i) => (i <= depth ? one : { ...one, frame: this.#made++ }));
      this.#courseOf(stack[depth]).turn(loop, stack[depth]);
    }
    for (const one of stack) this.#courseOf(one).goTo(one);
    this.#stacks[thread] = stack;
    return stack.map((one) => ({
      frame: one.frame,
      site: runtime.sites.at(one),
      loops: this.#courseOf(one).loopsAt(one),
    }));
  }

  /** The frame that goes round a loop, by its depth, and that loop, where the source tells. */
  #turning(
    stack: readonly (Standing & Stop)[],
    known: number,
  ): [depth: number, loop: SourceLoop | undefined] {
    for (let depth = known; depth >= 0; depth--) {
      const loop = loopAround(this.#courseOf(stack[depth]).last, stack[depth]);
      if (loop) return [depth, loop];
    }
    return [Math.max(0, known - 1), undefined];
  }

  #courseOf({ frame }: Standing): Course {
    let course = this.#courses.get(frame);
    if (course === undefined) {
      course = new Course();
      this.#courses.set(frame, course);
    }
    return course;
  }
}
