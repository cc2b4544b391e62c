/**
 * Pending operations that need not have taken effect, because no operation depends on it.
 *
 * Take a linearization with the fewest pending operations, and a pending operation P in it:
 *
 *   state b ── P ──► state s ── Q ──► state t        Q: the next operation that is no read of state s
 *
 * If Q leads from b to t as well, and the reads of s fit b too, then P could be omitted, and there would be fewer. So a
 * search need not let Q follow P. Of many writes with unknown outcomes, only those take effect whose value is read, or
 * decides a compare-and-swap, a removal or the like; and they do so directly before.
 *
 * Any state is still visited: what leads to it without needless operations, and at most one at the end.
 *
 * An *entry* stands for a state and, if a pending operation was the last to take effect and nothing depends on it yet,
 * the state before it. An entry without such an operation is the state itself; others are negative.
 */
import { ABSENT, PairMap } from '../../../base/collections/int-set.js';

/** Instead of the state before a pending operation: the last operation was needed. */
export const NEEDED = -1;

export class NeedlessEffects {
  /** A state and the state before it to the number of the pair. */
  readonly #pairs = new PairMap();
  readonly #states: number[] = [];
  readonly #before: number[] = [];

  get bytes(): number {
    return this.#states.length === 0 ? 0 : this.#pairs.bytes + 16 * this.#states.length;
  }

  entry(state: number, before: number): number {
    if (before === NEEDED) return state;
    let pair = this.#pairs.get(state, before);
    if (pair === ABSENT) {
      pair = this.#states.push(state) - 1;
      this.#before.push(before);
      this.#pairs.add(state, before, pair);
    }
    return ~pair;
  }

  stateOf(entry: number): number {
    return entry >= 0 ? entry : this.#states[~entry];
  }

  /** The state before the pending operation that nothing depends on yet, or NEEDED. */
  beforeOf(entry: number): number {
    return entry >= 0 ? NEEDED : this.#before[~entry];
  }
}
