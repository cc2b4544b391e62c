/** The operations that ended last, with the parts that they belong to: a ring, to draw from when something is wrong. */
import type { OnlineOperation } from '../stream/operation.js';

const ROOM = 512;

export class Recent<P> {
  readonly #operations: OnlineOperation[] = [];
  readonly #parts: P[] = [];
  #next = 0;

  add(operation: OnlineOperation, part: P): void {
    this.#operations[this.#next] = operation;
    this.#parts[this.#next] = part;
    this.#next = (this.#next + 1) % ROOM;
  }

  /** Is none forgotten? */
  get isAll(): boolean {
    return this.#operations.length < ROOM;
  }

  all(): readonly OnlineOperation[] {
    return this.#operations;
  }

  /** Those of a part, the latest first. */
  *of(part: P): Generator<OnlineOperation> {
    const { length } = this.#operations;
    for (let back = 1; back <= length; back++) {
      const at = (this.#next - back + ROOM) % ROOM;
      if (this.#parts[at] === part) yield this.#operations[at];
    }
  }
}
