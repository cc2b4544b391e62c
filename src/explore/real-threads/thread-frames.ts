/**
 * The call frames of real threads, with the rounds of their loops. `Frames` has them for instrumented code; here they are
 * derived from the stack at each access and from the source.
 *
 * A frame that reaches a position again, or an earlier statement, has started another round of the innermost loop around both.
 * If there is no such loop, the function was called again: by a frame with a loop around the call or, if there is none, by a
 * frame that calls it repeatedly from one position, such as by `forEach`.
 */
import type { SourcePosition } from '../../base/source-position.js';
import { comparePoints } from '../../execution/atomic-blocks.js';
import { type Caller, type TrackedCaller, trackCallers } from '../../execution/callers.js';
import type { Level, LoopCount } from '../../execution/memory/call-frames.js';
import { runtime } from '../../instrument/runtime/runtime.js';
import { type SourceLoop, surroundingsOf } from '../../instrument/syntax/loops.js';

/** A position where a frame stops: at an access, with its kind, or in a call. One position may have a read and a write. */
interface Stop extends SourcePosition {
  readonly kind: number;
}
const CALLS = -1;

const keyOf = ({ line, column, kind }: Stop): string => `${line}:${column} ${kind}`;

/** The innermost loop around two positions of a function. */
function loopAround(a: SourcePosition | undefined, b: SourcePosition): SourceLoop | undefined {
  const around = new Set(a && surroundingsOf(a)?.loops);
  return surroundingsOf(b)?.loops.find((loop) => around.has(loop));
}

/** The path of one frame: the positions that it has passed in the current rounds of its loops, and the number of rounds. */
class Course {
  last: SourcePosition | undefined;
  readonly #passed = new Map<string, Stop>();
  /** Loop to the number of rounds that were started. */
  readonly #rounds = new Map<SourceLoop, number>();
  /** Position to a loop there that is not in the source, such as that of `forEach`. */
  readonly #hidden = new Map<string, SourceLoop>();

  /** Does the frame go back to reach a position? */
  isBack(place: Stop): boolean {
    if (this.#passed.has(keyOf(place))) return true;
    const { last } = this;
    if (last === undefined || loopAround(last, place) === undefined) return false;
    return surroundingsOf(place)!.statement < surroundingsOf(last)!.statement;
  }

  /** Starts another round at a position. A loop that is not in the source starts just before the position. */
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

  /** The rounds of each loop. Code before the body of a loop, such as its test, belongs to the next round. */
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
  /** Thread to its stack at its last access. */
  readonly #stacks: (readonly TrackedCaller[])[] = [];
  readonly #courses = new Map<number, Course>();
  #made = 0;

  /** A thread starts a call. */
  begin(thread: number): void {
    this.#stacks[thread] = [];
  }

  /** The frames of a thread at an access. `callers`: the stack, innermost first; `kind`: that of the access. */
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

  /** The depth of the frame that starts another round, and the loop; undefined if it is not in the source. */
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
