/**
 * Call frames of each thread, to locate its accesses in blocks of source.
 *
 * A *frame* is one invocation of a function. Its position is the call of the next inner frame; the position of the innermost frame is an
 * access. A frame counts the iterations of its loops. Frame numbers show which frames two accesses of a thread share. Positions and
 * counts show whether the accesses belong to one iteration (execution/atomic-blocks.ts).
 *
 * Recorded only on request, because each call then costs one more coroutine.
 */

/** A frame of a thread; lists of them have the outermost first. */
export interface Level {
  readonly frame: number;
  /** The position of the frame. */
  readonly site: number;
  readonly loops: readonly LoopCount[];
}

/** A loop by the sites of the loop and of its body, and the number of iterations that started. */
export interface LoopCount {
  readonly loop: number;
  readonly body: number;
  readonly rounds: number;
}

interface Frame {
  readonly frame: number;
  site: number;
  /** Site of a loop to its count. */
  readonly loops: Map<number, LoopCount>;
}

export class Frames {
  /** Thread to its frames. */
  readonly #stacks: Frame[][] = [];
  /** Thread to its frames, if they are determined elsewhere. */
  readonly #given: (readonly Level[] | undefined)[] = [];
  #made = 0;

  /** A thread starts a call of the program. */
  begin(thread: number): void {
    this.#stacks[thread] = [];
    this.#given[thread] = undefined;
    this.enter(thread, 0);
  }

  /** A thread calls a function, at a site of the frame it is in. */
  enter(thread: number, site: number): void {
    const stack = this.#stacks[thread];
    if (stack.length > 0) stack[stack.length - 1].site = site;
    stack.push({ frame: this.#made++, site: 0, loops: new Map() });
  }

  leave(thread: number): void {
    this.#stacks[thread].pop();
  }

  /** An iteration of a loop starts. */
  again(thread: number, loop: number, body: number): void {
    const { loops } = this.#stacks[thread].at(-1)!;
    loops.set(loop, { loop, body, rounds: (loops.get(loop)?.rounds ?? 0) + 1 });
  }

  /** Sets the frames of a thread whose calls are not recorded. */
  stand(thread: number, levels: readonly Level[]): void {
    this.#given[thread] = levels;
  }

  /** The frames of a thread that is about to access something at a site. */
  levelsOf(thread: number, site: number): readonly Level[] {
    const given = this.#given[thread];
    if (given) return given;
    return this.#stacks[thread].map(({ frame, site: call, loops }, depth, { length }) => ({
      frame,
      site: depth === length - 1 ? site : call,
      loops: [...loops.values()],
    }));
  }
}
