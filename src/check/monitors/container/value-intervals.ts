/**
 * Value intervals: when each value of a container was added, definitely present, and removed.
 *
 * All operations on a value count: it is present as soon as one of them has returned, and until the last call of one
 * that returns it. An initial value was added before all moments, in sequence. A value of a pending add that no
 * operation returned was never present: all its moments are NEVER. Cost: one pass.
 */
import { NEVER } from '../../../history/model/columns.js';
import { ADD, type Container, NONE, OPEN_REMOVE } from './container.js';

export class ValueIntervals {
  /** It is added from here on, and is present by `from`. */
  readonly put: Int32Array;
  readonly from: Int32Array;
  /** It is present up to `to`, and removed from there on, before `out`. */
  readonly to: Int32Array;
  readonly out: Int32Array;
  /** The operation that removes it, or NONE. */
  readonly taken: Int32Array;
  /** For each operation, its value, also for pending removals that are assumed to remove it. */
  readonly value: Int32Array;
  /** The end of all moments. */
  readonly end: number;

  /**
   * By default, removals are those of the container; values that are never removed stay until `stay`, or to the end.
   */
  constructor(
    container: Container,
    { taken = container.remove, stay = NEVER }: { taken?: Int32Array; stay?: number } = {},
  ) {
    const { history, role, initial, values } = container;
    const { call, return: returned, events } = history.columns;
    const moments = (): Int32Array => new Int32Array(values).fill(NEVER);
    [this.put, this.from, this.out] = [moments(), moments(), moments()];
    const to = new Int32Array(values).fill(-values);
    this.to = to;
    this.end = events.length;
    this.taken = taken;
    this.value = container.value;
    if (taken !== container.remove) {
      this.value = container.value.slice();
      for (let v = 0; v < values; v++) if (taken[v] !== NONE) this.value[taken[v]] = v;
    }
    const { put, from, out, value, end } = this;

    for (let v = 0; v < initial; v++) {
      put[v] = to[v] = v - initial;
      from[v] = put[v] + 1;
    }
    for (let k = 0; k < history.length; k++) {
      const v = value[k];
      if (v === NONE) continue;
      if (returned[k] < from[v]) from[v] = returned[k];
      if (call[k] > to[v]) to[v] = call[k];
      if (role[k] === ADD) put[v] = call[k];
    }
    for (let v = 0; v < values; v++) {
      if (taken[v] !== NONE) out[v] = Math.min(returned[taken[v]], end);
      else to[v] = from[v] === NEVER ? NEVER : Math.max(to[v], Math.min(stay, end));
    }
  }

  /** Whether it was ever present. */
  was(v: number): boolean {
    return this.from[v] !== NEVER;
  }

  /** Whether all of its operations can take effect at once. Then it need not be present beside others. */
  isBrief(v: number): boolean {
    return this.to[v] < this.from[v];
  }
}

/** The intervals if values whose removal is unknown were removed as early as possible. */
export function bestCase(container: Container): ValueIntervals {
  const { history, role } = container;
  return new ValueIntervals(container, { stay: history.columns.call[role.indexOf(OPEN_REMOVE)] });
}
