/** One object that is watched, whichever way: what the monitor of them all sees of it. */

import type { Spec } from '../../spec/spec.js';
import type { OnlineOperation } from '../stream/operation.js';
import type { OnlineCause, Unmonitored } from '../stream/violation.js';

/* The operations that ended last, with the parts that they belong to: a ring, to draw from when something is wrong. */

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

export interface WatchedPart {
  /** The object, the keys, or both. */
  readonly name: string;
  /** The operations that are open, those among them whose callers gave up too. */
  readonly open: readonly OnlineOperation[];
}

/** Where an operation has its place, and what was found there. */
export interface PartViolation {
  readonly part: WatchedPart;
  readonly cause: OnlineCause;
}

export interface WatchedObject {
  /** What it is compared with; undefined where calls meet. */
  readonly spec: Spec | undefined;
  readonly undefinedIsNull: boolean;
  readonly parts: Iterable<WatchedPart>;
  /** Values, operations and configurations that are remembered. */
  readonly held: number;
  /** Parts that were given up. */
  readonly doubts: readonly Unmonitored[];
  /** The operations that ended last, to look at. */
  readonly recent: Recent<WatchedPart>;
  /** Throws where the object has no such method, or it takes more. */
  checkCall(method: string, args: readonly unknown[]): void;
  call(operation: OnlineOperation): PartViolation | undefined;
  /** `operation.outcome` tells how it ended, `now` when. */
  end(operation: OnlineOperation, now: number): PartViolation | undefined;
}
