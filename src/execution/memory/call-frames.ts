/**
 * Where each thread stands in the source, function by function: what code blocks are told by.
 *
 * A *frame* is one run of a function. It stands at a call, of the frame above it, or if it is the
 * topmost one at an access. Of each loop that it has entered it knows how often the body was begun.
 * So two accesses of a thread have in common the frames that both were made in, and whether
 * they belong to one round of a loop can be told from their places (execution/atomic-blocks.ts).
 *
 * Kept only where somebody asks for it: a call costs a coroutine more.
 */

/** One frame of those that a thread is in, the outermost first. */
export interface Level {
  readonly frame: number;
  /** Where it stands. */
  readonly site: number;
  readonly loops: readonly LoopCount[];
}

/** A loop by the sites where it and its body begin, and how often the body was begun. */
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
  /** Thread to where it stands, if somebody else tells. */
  readonly #given: (readonly Level[] | undefined)[] = [];
  #made = 0;

  /** A thread begins a call of the program. */
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

  /** The body of a loop begins, for the first time or again. */
  again(thread: number, loop: number, body: number): void {
    const { loops } = this.#stacks[thread].at(-1)!;
    loops.set(loop, { loop, body, rounds: (loops.get(loop)?.rounds ?? 0) + 1 });
  }

  /** A thread stands there now: for those whose calls nobody tells of. */
  stand(thread: number, levels: readonly Level[]): void {
    this.#given[thread] = levels;
  }

  /** Where a thread stands that is about to make an access at a site. */
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
