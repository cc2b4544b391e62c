/** Where one frame has been: what it has passed in the rounds of loops that it is in, and how many rounds there were. */
import type { Place } from '../../base/source-position.js';
import { comparePoints } from '../../execution/atomic-blocks.js';
import type { LoopCount } from '../../execution/memory/call-frames.js';
import { runtime } from '../../instrument/runtime/runtime.js';
import { type SourceLoop, surroundingsOf } from '../../instrument/syntax/loops.js';

/** Where a frame stops: in an access of some kind, or in a call. A place may have a read and a write. */
export interface Stop extends Place {
  readonly kind: number;
}
export const CALLS = -1;

const keyOf = ({ line, column, kind }: Stop): string => `${line}:${column} ${kind}`;

/** The innermost loop that two places of a function are in. */
export function loopAround(a: Place | undefined, b: Place): SourceLoop | undefined {
  const around = new Set(a && surroundingsOf(a)?.loops);
  return surroundingsOf(b)?.loops.find((loop) => around.has(loop));
}

export class Course {
  last: Place | undefined;
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
  loopsAt(place: Place): LoopCount[] {
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
