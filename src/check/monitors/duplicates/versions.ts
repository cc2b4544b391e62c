/**
 * The operations on one value of a container, divided by real time.
 *
 * All of a generation have returned before any of the next is called, and as many copies were taken out in it as were put in. The last
 * one may be unfinished. So in every order the generations of a value follow each other; the first takes out all copies that it
 * puts in, none is left for a call that never returned or for the next, and so on: whatever a generation gives is a copy of its own.
 * A generation of one copy leaves no doubt which; and where a value is put in once in all, there is none either.
 *
 * Cost: O(n).
 */
import type { History } from '../../../history/history.js';
import { NEVER, numberOfValue, RETURNED } from '../../../history/model/columns.js';
import type { Spec } from '../../../spec/spec.js';
import { END, GroupedLists } from '../common/grouped-lists.js';

/* What the operations of a history do to a container, and to which value. */

export class ContainerRoles {
  readonly history: History;
  readonly #role: readonly ('add' | 'remove' | 'peek' | undefined)[];
  readonly #nothing: number;
  /** The values inside at first. */
  readonly initial: readonly number[];

  constructor(history: History, { family }: Spec) {
    const { add, remove, peek } = family?.roles ?? {};
    const { tables } = history;
    this.history = history;
    this.#role = tables.methods.map((name) =>
      name === add ? 'add' : name === remove ? 'remove' : name === peek ? 'peek' : undefined,
    );
    this.#nothing = numberOfValue(tables, family?.empty) ?? -1;
    this.initial = ((family?.initial ?? []) as readonly unknown[]).flatMap(
      (value) => tables.values.find(value) ?? [],
    );
  }

  of(k: number): 'add' | 'remove' | 'peek' | undefined {
    return this.#role[this.history.columns.method[k]];
  }

  /** The value that an operation puts in or gives; negative if it does neither. */
  touched(k: number): number {
    const { argument, argumentStart, status, result } = this.history.columns;
    if (this.of(k) === 'add') return argument[argumentStart[k]];
    return status[k] === RETURNED && result[k] !== this.#nothing ? result[k] : -1;
  }

  /** A prefix has cut it off: it never returned, but its result is known, though not of which copy. */
  isCutOff(k: number): boolean {
    return this.isOpenRemoval(k) && this.history.columns.status[k] === RETURNED;
  }

  /** It never returned, and may have taken out anything. */
  isOpenRemoval(k: number): boolean {
    return this.of(k) === 'remove' && this.history.columns.return[k] === NEVER;
  }
}

/** In place of who put a copy in: it was there at first; or nobody can tell. */
export const INITIAL = -1;
export const UNKNOWN = -2;

export class Versions {
  readonly roles: ContainerRoles;
  /** Operation to its generation; negative if it is on no value. */
  readonly of: Int32Array;
  /** Generation to its value, and to how many copies are put in (what is there at first included) and taken out. */
  readonly value: number[] = [];
  readonly puts: number[] = [];
  readonly removals: number[] = [];
  readonly peeks: number[] = [];
  /** Generation to the one before it of the same value; negative if it is the first. */
  readonly previous: number[] = [];
  /** Generation to who puts its first copy in. */
  readonly first: number[] = [];
  readonly #members: GroupedLists;
  readonly #isUnclear: boolean[];
  /** Value to how many copies there are in all. */
  readonly #copies = new Map<number, number>();
  readonly #initial: ReadonlySet<number>;

  constructor(roles: ContainerRoles) {
    const { history } = roles;
    const { events } = history.columns;
    this.roles = roles;
    this.of = new Int32Array(history.length).fill(-1);
    this.#initial = new Set(roles.initial);
    const latest = new Map<number, number>();
    const open: number[] = [];
    /** Generations in which a value was given, and only then put in. */
    const early = new Set<number>();
    const begin = (value: number): number => {
      const generation = this.value.push(value) - 1;
      this.previous.push(latest.get(value) ?? -1);
      latest.set(value, generation);
      this.first.push(UNKNOWN);
      for (const counts of [this.puts, this.removals, this.peeks, open]) counts.push(0);
      return generation;
    };
    for (const value of this.#initial) {
      const own = begin(value);
      this.puts[own] = 1;
      this.first[own] = INITIAL;
    }
    for (const event of events) {
      const k = event < 0 ? ~event : event;
      const value = roles.touched(k);
      if (value < 0) continue;
      const role = roles.of(k);
      if (event < 0) {
        open[this.of[k]]--;
        if (this.puts[this.of[k]] === 0) early.add(this.of[k]);
        continue;
      }
      let own = latest.get(value) ?? begin(value);
      if (open[own] === 0 && this.puts[own] > 0 && this.puts[own] === this.removals[own]) own = begin(value);
      this.of[k] = own;
      open[own]++;
      if (role === 'add' && this.first[own] === UNKNOWN) this.first[own] = k;
      (role === 'add' ? this.puts : role === 'remove' ? this.removals : this.peeks)[own]++;
    }
    this.#members = new GroupedLists(this.count, history.length, (k) => this.of[k]);
    this.value.forEach((value, g) => {
      this.#copies.set(value, (this.#copies.get(value) ?? 0) + this.puts[g]);
    });
    this.#isUnclear = this.puts.map((puts, g) => {
      const removals = this.removals[g];
      if (this.isOnly(g) || removals + this.peeks[g] === 0) return false;
      return puts > 1 || removals > 1 || (this.previous[g] >= 0 && (puts === 0 || early.has(g)));
    });
  }

  get count(): number {
    return this.value.length;
  }

  /** Is there a doubt which copy its answers give? */
  isUnclear(generation: number): boolean {
    return this.#isUnclear[generation];
  }

  /** Is its value put in once at most, in all generations? */
  isOnly(generation: number): boolean {
    return (this.#copies.get(this.value[generation]) ?? 0) <= 1;
  }

  /** Its operations, by call. */
  *members(generation: number): IterableIterator<number> {
    for (let k = this.#members.first(generation); k !== END; k = this.#members.next(k)) yield k;
  }
}
