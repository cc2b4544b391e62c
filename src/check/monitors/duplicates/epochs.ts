/**
 * Epochs: the operations on one value of a container, divided by real time.
 *
 * All operations of an epoch have returned before any of the next is called, and as many duplicates were removed in
 * it as were added. The last epoch may be unfinished. So in every linearization the epochs of a value follow each
 * other. The first removes all duplicates that it adds, none is left for a pending removal or for the next epoch,
 * and so on: an epoch returns only its own duplicates. In an epoch of one duplicate there is no doubt which; nor is
 * there if a value is added once in all.
 *
 * Cost: O(n).
 */
import type { History } from '../../../history/history.js';
import { NEVER, numberOfValue, RETURNED } from '../../../history/model/columns.js';
import type { Spec } from '../../../spec/spec.js';
import { END, GroupedLists } from '../common/lists.js';

/* What the operations of a history do to a container, and to which value. */

const ROLES = ['add', 'remove', 'peek'] as const;

export class ContainerRoles {
  readonly history: History;
  readonly family: Spec['family'];
  readonly #role: readonly ('add' | 'remove' | 'peek' | undefined)[];
  /** The result of an empty container; -1 if the history does not have it. */
  readonly nothing: number;
  /** The initial values. */
  readonly initial: readonly number[];

  constructor(history: History, { family }: { readonly family?: Spec['family'] | undefined }) {
    this.family = family;
    const { tables } = history;
    this.history = history;
    const roles = Object.entries(family?.roles ?? {});
    this.#role = tables.methods.map((name) => {
      const [role] = roles.find(([, method]) => method === name) ?? [];
      // a deque adds and removes at two ends
      return ROLES.find((own) => role?.startsWith(own));
    });
    this.nothing = numberOfValue(tables, family?.empty) ?? -1;
    const initial: readonly unknown[] = Array.isArray(family?.initial) ? family.initial : [];
    this.initial = initial.flatMap((value) => numberOfValue(tables, value) ?? []);
  }

  of(k: number): 'add' | 'remove' | 'peek' | undefined {
    return this.#role[this.history.columns.method[k]];
  }

  /** The value that an operation adds or returns; negative if it does neither. */
  touched(k: number): number {
    const { argument, argumentStart, status, result } = this.history.columns;
    if (this.of(k) === 'add') return argument[argumentStart[k]];
    return status[k] === RETURNED && result[k] !== this.nothing ? result[k] : -1;
  }

  /** Whether a value equals the result of an empty container: then it is not known which operations are on it. */
  hasNothingAsValue(): boolean {
    if (this.nothing < 0) return false;
    const { columns, length } = this.history;
    if (this.initial.includes(this.nothing)) return true;
    for (let k = 0; k < length; k++)
      if (this.of(k) === 'add' && columns.argument[columns.argumentStart[k]] === this.nothing) return true;
    return false;
  }

  /** Whether a prefix has cut it off: it never returned, but its result is known, though not which duplicate. */
  isCutOff(k: number): boolean {
    return this.isOpenRemoval(k) && this.history.columns.status[k] === RETURNED;
  }

  /** Whether it is a pending removal of unknown value. */
  isOpenRemoval(k: number): boolean {
    return this.of(k) === 'remove' && this.history.columns.return[k] === NEVER;
  }
}

/** Instead of the operation that added a duplicate: it is initial; or unknown. */
export const INITIAL = -1;
export const UNKNOWN = -2;

export class Epochs {
  readonly roles: ContainerRoles;
  /** For each operation, its epoch; negative if it is on no value. */
  readonly of: Int32Array;
  /** For each epoch, its value, and how many duplicates are added (initial ones included) and removed. */
  readonly value: number[] = [];
  readonly puts: number[] = [];
  readonly removals: number[] = [];
  readonly peeks: number[] = [];
  /** For each epoch, the one before it of the same value; negative if it is the first. */
  readonly previous: number[] = [];
  /** For each epoch, the operation that adds its first duplicate. */
  readonly first: number[] = [];
  readonly #members: GroupedLists;
  readonly #isUnclear: boolean[];
  /** For each value, the number of all its duplicates. */
  readonly #duplicates = new Map<number, number>();
  readonly #initial: ReadonlySet<number>;

  constructor(roles: ContainerRoles) {
    const { history } = roles;
    const { events } = history.columns;
    this.roles = roles;
    this.of = new Int32Array(history.length).fill(-1);
    this.#initial = new Set(roles.initial);
    const latest = new Map<number, number>();
    const open: number[] = [];
    /** Epochs in which a value was returned, and only then added. */
    const early = new Set<number>();
    const begin = (value: number): number => {
      const epoch = this.value.push(value) - 1;
      this.previous.push(latest.get(value) ?? -1);
      latest.set(value, epoch);
      this.first.push(UNKNOWN);
      for (const counts of [this.puts, this.removals, this.peeks, open]) counts.push(0);
      return epoch;
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
      this.#duplicates.set(value, (this.#duplicates.get(value) ?? 0) + this.puts[g]);
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

  /** Whether it is unclear which duplicates its results give. */
  isUnclear(epoch: number): boolean {
    return this.#isUnclear[epoch];
  }

  /** Whether its value is added at most once in all epochs. */
  isOnly(epoch: number): boolean {
    return (this.#duplicates.get(this.value[epoch]) ?? 0) <= 1;
  }

  /** Its operations, by call. */
  *members(epoch: number): IterableIterator<number> {
    for (let k = this.#members.first(epoch); k !== END; k = this.#members.next(k)) yield k;
  }
}
