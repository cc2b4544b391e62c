/**
 * The critical sections of a mutex with owners. Cost: one pass.
 *
 * No two calls of one owner overlap. So the first unlock after a lock ends its critical section, and from the return
 * of the lock to the call of the unlock its owner definitely holds it. The sections can be ordered exactly when no
 * two of these stretches overlap, and then by time.
 *
 * A pending lock may start a last section, which never ends; the first that was called claims it. A pending unlock
 * ends its section if others follow.
 */
import type { History } from '../../../history/history.js';
import { NEVER } from '../../../history/model/columns.js';
import type { Hold, MonitorCause } from '../../model/causes.js';
import { violation } from '../../model/verdict.js';
import type { MonitorResult } from '../common/monitor.js';

/* What calls do to a mutex with owners, and a model of it. */

/** lock, and tryLock → true. */
export const LOCK = 0;
export const UNLOCK = 1;
/** tryLock → false: it is held. */
export const BUSY = 2;
/** unlock that threw NotOwner: another owner holds it. */
export const NOT_OWNER = 3;
/** unlock that threw NotLocked: it is free. */
export const NOT_LOCKED = 4;
/** A pending tryLock: it locks if it can. */
export const OPEN_TRY = 5;
export const OPEN_UNLOCK = 6;

/** No operation, no section, no owner. */
export const NONE = -1;

export interface Owned {
  readonly history: History;
  readonly role: Uint8Array;
  /** For each operation, the number of its owner; and the number of owners. */
  readonly owner: Int32Array;
  readonly owners: number;
}

export class CriticalSections {
  /** For each section, the operations that start and end it; NONE if it does not end. */
  readonly lock: number[] = [];
  readonly unlock: number[] = [];
  /** The operation that may start a last section; or NONE. */
  claim: number = NONE;
  /** The contradiction, if there is one. */
  contradiction: MonitorResult | undefined;

  readonly #owned: Owned;
  /** For each owner, the current section. */
  readonly #own: Int32Array;

  constructor(owned: Owned) {
    this.#owned = owned;
    this.#own = new Int32Array(owned.owners).fill(NONE);
    const { events } = owned.history.columns;
    for (let moment = 0; moment < events.length && !this.contradiction; moment++) {
      if (events[moment] >= 0) this.#call(events[moment]);
      else if (owned.role[~events[moment]] === LOCK) this.#begin(~events[moment]);
    }
  }

  #call(k: number): void {
    const { history, role, owner } = this.#owned;
    const returns = history.columns.return[k] !== NEVER;
    const section = this.#own[owner[k]];
    switch (role[k]) {
      case LOCK:
      case OPEN_TRY:
        if (!returns && this.claim === NONE) this.claim = k;
        break;
      case UNLOCK:
      case OPEN_UNLOCK:
        this.#own[owner[k]] = NONE;
        if (section !== NONE) this.unlock[section] = k;
        else if (returns) this.#contradict([k], { kind: 'not held', operation: this.#id(k) });
        break;
      case NOT_OWNER:
        if (section !== NONE && returns)
          this.#contradict([this.lock[section], k], {
            kind: 'definitely held',
            operation: this.#id(k),
            lock: this.#id(this.lock[section]),
          });
    }
  }

  /** A lock returns. */
  #begin(k: number): void {
    const last = this.lock.length - 1;
    if (last >= 0 && this.unlock[last] === NONE) {
      const [one, two] = [this.#hold(this.lock[last]), this.#hold(k)];
      this.#contradict([...one.operations, ...two.operations], {
        kind: 'two holders',
        operation: this.#id(k),
        holds: [one.hold, two.hold],
      });
    }
    this.#own[this.#owned.owner[k]] = this.lock.length;
    this.lock.push(k);
    this.unlock.push(NONE);
  }

  /** From a lock to the next unlock of its owner. */
  #hold(lock: number): { readonly operations: readonly number[]; readonly hold: Hold } {
    const { history, role, owner } = this.#owned;
    let unlock = lock + 1;
    while (
      unlock < role.length &&
      !(owner[unlock] === owner[lock] && (role[unlock] === UNLOCK || role[unlock] === OPEN_UNLOCK))
    )
      unlock++;
    const isOver = unlock < role.length;
    return {
      operations: isOver ? [lock, unlock] : [lock],
      hold: {
        owner: history.args(lock)[0],
        lock: this.#id(lock),
        unlock: isOver ? this.#id(unlock) : undefined,
      },
    };
  }

  #contradict(operations: readonly number[], cause: MonitorCause): void {
    this.contradiction = violation({ operations, cause });
  }

  #id(k: number): number {
    return this.#owned.history.columns.id[k];
  }
}
