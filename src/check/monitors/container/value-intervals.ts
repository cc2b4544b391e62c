/**
 * When each value of a container was put in, surely inside, and taken out.
 *
 * Of a value, all operations count: it is inside as soon as one of them has returned, and up to the last call of
 * one that gives it. A value that was there at first was put in before all moments, one behind another. One that was put in by a
 * call that never returned, and that nobody saw, never was: all its moments are NEVER. Cost: one pass.
 */
import { NEVER } from '../../../history/model/columns.js';
import { ADD, type Container, NONE, OPEN_REMOVE } from './container.js';

export class ValueIntervals {
  /** It is put in from here on, and is inside by `from`. */
  readonly put: Int32Array;
  readonly from: Int32Array;
  /** It is inside up to `to`, and taken out from there on, before `out`. */
  readonly to: Int32Array;
  readonly out: Int32Array;
  /** Who takes it out, or NONE. */
  readonly taken: Int32Array;
  /** Operation to its value, for calls that never returned too, where one is meant to take it out. */
  readonly value: Int32Array;
  /** The end of all moments. */
  readonly end: number;

  /** Who takes values out is as the container says, if not told; those that nobody takes out stay until `stay`, or to the end. */
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

  /** Was it ever inside? */
  was(v: number): boolean {
    return this.from[v] !== NEVER;
  }

  /** Can all of its operations take effect at once? Then it need not be inside beside others. */
  isBrief(v: number): boolean {
    return this.to[v] < this.from[v];
  }
}

/** If those that nobody is known to have taken out were taken out as early as can be. */
export function bestCase(container: Container): ValueIntervals {
  const { history, role } = container;
  return new ValueIntervals(container, { stay: history.columns.call[role.indexOf(OPEN_REMOVE)] });
}
