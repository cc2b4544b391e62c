/** The interface of a monitored object, plain or rendezvous. */

import type { Spec } from '../../spec/spec.js';
import type { OnlineOperation } from '../stream/steps.js';
import type { OnlineCause, Unmonitored } from '../stream/violation.js';

/* The operations that ended last, with their parts: a ring buffer for the report of a violation. */

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

  /** Whether no operation was dropped. */
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
  /** The open operations, including those of unknown outcome. */
  readonly open: readonly OnlineOperation[];
}

/** A violation, and the part that it is in. */
export interface PartViolation {
  readonly part: WatchedPart;
  readonly cause: OnlineCause;
}

export interface WatchedObject {
  /** Undefined for rendezvous objects. */
  readonly spec: Spec | undefined;
  readonly undefinedIsNull: boolean;
  readonly parts: Iterable<WatchedPart>;
  /** The number of values, operations and configurations in memory. */
  readonly held: number;
  /** Parts that are no longer monitored. */
  readonly doubts: readonly Unmonitored[];
  /** The operations that ended last. */
  readonly recent: Recent<WatchedPart>;
  /** Throws if the object has no such method, or the method takes more arguments. */
  checkCall(method: string, args: readonly unknown[]): void;
  call(operation: OnlineOperation): PartViolation | undefined;
  /** `operation.outcome` is how it ended, `now` is when. */
  end(operation: OnlineOperation, now: number): PartViolation | undefined;
}
