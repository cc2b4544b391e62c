/**
 * Where real threads stand, function by function, as `Frames` knows it of transformed source: told by the stack of
 * each access, and by the source.
 *
 * A frame that comes to a place again, or to a statement before, has begun another round of the loop around both. If there is no
 * such loop, its function has ended and was called again, by a frame that has a loop around the call; and if there is no such
 * frame either, by one that calls it again and again from one place, such as by `forEach`.
 */
import type { SourcePosition } from '../../base/source-position.js';
import { comparePoints } from '../../execution/atomic-blocks.js';
import { type Caller, type TrackedCaller, trackCallers } from '../../execution/callers.js';
import type { Level, LoopCount } from '../../execution/memory/call-frames.js';
import { runtime } from '../../instrument/runtime/runtime.js';
import { type SourceLoop, surroundingsOf } from '../../instrument/syntax/loops.js';

/* Where one frame has been: what it has passed in the rounds of loops that it is in, and how many rounds there were. */

/** Where a frame stops: in an access of some kind, or in a call. A place may have a read and a write. */
interface Stop extends SourcePosition {
  readonly kind: number;
}
const CALLS = -1;

const keyOf = ({ line, column, kind }: Stop): string => `${line}:${column} ${kind}`;

/** The innermost loop that two places of a function are in. */
function loopAround(a: SourcePosition | undefined, b: SourcePosition): SourceLoop | undefined {
  const around = new Set(a && surroundingsOf(a)?.loops);
  return surroundingsOf(b)?.loops.find((loop) => around.has(loop));
}

class Course {
  last: SourcePosition | undefined;
  readonly #passed = new Map<string, Stop>();
  /** Loop to how many rounds it has begun. */
  readonly #rounds = new Map<SourceLoop, number>();
  /** Place to a loop there that the source does not tell. */
  readonly #hidden = new Map<string, SourceLoop>();

  /** Does it go back, to come to a place? */
  isBack(place: Stop): boolean {
    if (this.#passed.has(keyOf(place))) return true;
    const { last } = this;
    if (last === undefined || loopAround(last, place) === undefined) return false;
    return surroundingsOf(place)!.statement < surroundingsOf(last)!.statement;
  }

  /** Another round begins, at a place. A loop that is not known is taken to begin just before. */
  turn(known: SourceLoop | undefined, place: Stop): void {
    const loop = known ?? this.#hiddenAt(place);
    this.#rounds.set(loop, (this.#rounds.get(loop) ?? 1) + 1);
    for (const [key, passed] of this.#passed)
      if (known === undefined || surroundingsOf(passed)?.loops.includes(known)) this.#passed.delete(key);
  }

  goTo(place: Stop): void {
    const before = new Set(this.last && surroundingsOf(this.last)?.loops);
    for (const loop of surroundingsOf(place)?.loops ?? []) {
      if (before.has(loop)) continue;
      if (this.#rounds.has(loop)) this.turn(loop, place);
      else this.#rounds.set(loop, 1);
    }
    this.last = place;
    this.#passed.set(keyOf(place), place);
  }

  /** What is before the body of a loop, such as its test, belongs to the round that follows. */
  loopsAt(place: SourcePosition): LoopCount[] {
    const around = surroundingsOf(place)?.loops ?? [];
    return [...this.#rounds]
      .map(([loop, rounds]) => ({
        loop: runtime.sites.at(loop.start),
        body: runtime.sites.at(loop.body),
        rounds: around.includes(loop) && comparePoints(place, loop.body) < 0 ? rounds - 1 : rounds,
      }))
      .filter(({ rounds }) => rounds > 0);
  }

  #hiddenAt(place: Stop): SourceLoop {
    const key = keyOf(place);
    const { file, line, column } = place;
    const loop = this.#hidden.get(key) ?? {
      start: { file, line, column: column - 1 },
      body: { file, line, column },
    };
    this.#hidden.set(key, loop);
    return loop;
  }
}

export class ThreadFrames {
  /** Thread to where it stood at its last access. */
  readonly #stacks: (readonly TrackedCaller[])[] = [];
  readonly #courses = new Map<number, Course>();
  #made = 0;

  /** A thread begins a call. */
  begin(thread: number): void {
    this.#stacks[thread] = [];
  }

  /** Who has called an access of a thread, the innermost first; and of which kind it is. */
  levelsOf(thread: number, callers: readonly Caller[], kind: number): Level[] {
    const standing = trackCallers(callers, this.#stacks[thread], () => this.#made++);
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
    stack: readonly (TrackedCaller & Stop)[],
    known: number,
  ): [depth: number, loop: SourceLoop | undefined] {
    for (let depth = known; depth >= 0; depth--) {
      const loop = loopAround(this.#courseOf(stack[depth]).last, stack[depth]);
      if (loop) return [depth, loop];
    }
    return [Math.max(0, known - 1), undefined];
  }

  #courseOf({ frame }: TrackedCaller): Course {
    let course = this.#courses.get(frame);
    if (course === undefined) {
      course = new Course();
      this.#courses.set(frame, course);
    }
    return course;
  }
}
