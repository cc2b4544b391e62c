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
import { ValueNumbers } from '../common/call-reader.js';
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
  count = 0;
  /** For each epoch, its value, and how many duplicates are added (initial ones included) and removed. */
  readonly value: Int32Array;
  readonly puts: Int32Array;
  readonly removals: Int32Array;
  readonly peeks: Int32Array;
  /** For each epoch, the one before it of the same value; negative if it is the first. */
  readonly previous: Int32Array;
  /** For each epoch, the operation that adds its first duplicate. */
  readonly first: Int32Array;
  #members: GroupedLists | undefined;
  /** For each epoch, 1 if a value was returned in it, and only then added. */
  readonly #isEarly: Uint8Array;
  /** The values that operations are on, and for each of them the number of all its duplicates. */
  readonly #numbers: ValueNumbers;
  readonly #duplicates: Int32Array;

  constructor(roles: ContainerRoles) {
    const { history } = roles;
    const { events } = history.columns;
    const initial = new Set(roles.initial);
    const room = initial.size + history.length;
    this.roles = roles;
    this.of = new Int32Array(history.length).fill(-1);
    this.value = new Int32Array(room);
    this.puts = new Int32Array(room);
    this.removals = new Int32Array(room);
    this.peeks = new Int32Array(room);
    this.previous = new Int32Array(room);
    this.first = new Int32Array(room).fill(UNKNOWN);
    this.#isEarly = new Uint8Array(room);
    this.#numbers = new ValueNumbers(history, initial.size);
    this.#duplicates = new Int32Array(room);

    const { of, puts, removals, peeks } = this;
    const latest = new Int32Array(room).fill(-1);
    const open = new Int32Array(room);
    const begin = (value: number, number: number): number => {
      const epoch = this.count++;
      this.value[epoch] = value;
      this.previous[epoch] = latest[number];
      latest[number] = epoch;
      return epoch;
    };
    for (const value of initial) {
      const number = this.#numbers.take(value);
      const own = begin(value, number);
      puts[own] = this.#duplicates[number] = 1;
      this.first[own] = INITIAL;
    }
    for (let moment = 0; moment < events.length; moment++) {
      const k = events[moment];
      if (k < 0) {
        const own = of[~k];
        if (own < 0) continue;
        open[own]--;
        if (puts[own] === 0) this.#isEarly[own] = 1;
        continue;
      }
      const value = roles.touched(k);
      if (value < 0) continue;
      const number = this.#numbers.take(value);
      let own = latest[number];
      if (own < 0 || (open[own] === 0 && puts[own] > 0 && puts[own] === removals[own]))
        own = begin(value, number);
      of[k] = own;
      open[own]++;
      const role = roles.of(k);
      if (role === 'add') {
        if (this.first[own] === UNKNOWN) this.first[own] = k;
        puts[own]++;
        this.#duplicates[number]++;
      } else (role === 'remove' ? removals : peeks)[own]++;
    }
  }

  /** Whether it is unclear which duplicates its results give. */
  isUnclear(epoch: number): boolean {
    const [puts, removals] = [this.puts[epoch], this.removals[epoch]];
    if (this.isOnly(epoch) || removals + this.peeks[epoch] === 0) return false;
    return (
      puts > 1 || removals > 1 || (this.previous[epoch] >= 0 && (puts === 0 || this.#isEarly[epoch] === 1))
    );
  }

  /** Whether its value is added at most once in all epochs. */
  isOnly(epoch: number): boolean {
    return this.#duplicates[this.#numbers.of(this.value[epoch])] <= 1;
  }

  /** Its operations, by call. */
  *members(epoch: number): IterableIterator<number> {
    this.#members ??= new GroupedLists(this.count, this.of.length, (k) => this.of[k]);
    for (let k = this.#members.first(epoch); k !== END; k = this.#members.next(k)) yield k;
  }
}
