/**
 * Which calls of an object without a state can be alone, and which two can synchronise.
 *
 * A spec with `pairs` promises to have no state; the promise is checked for each rendezvous that is used. For any
 * other spec it is checked while calls are compared: a rendezvous that leads to another state is an obstacle. In a
 * history that never closes it, a closeable channel has no state.
 */
import { ABSENT, PairMap } from '../../../base/collections/int-set.js';
import { type Columns, NEVER } from '../../../history/model/columns.js';
import { DEAD } from '../../../spec/machine/machine.js';
import type { SyncMachine } from '../../../spec/rendezvous/sync-machine.js';

/** The calls change the state, so pairs are not sufficient. */
export class HasState extends Error {}

export class PairRules {
  readonly machine: SyncMachine;
  /** For each operation, its letter. */
  readonly letters: Int32Array;
  /** The classes of letters and of their partners, if the spec gives them. */
  readonly pairs: ReturnType<SyncMachine['pairKeys']>;
  readonly #returned: Int32Array;
  readonly #alone: readonly number[];
  readonly #together: readonly number[];
  readonly #isAlone: Int8Array;
  readonly #known = new PairMap();

  constructor({ return: returned }: Columns, machine: SyncMachine, letters: Int32Array) {
    this.machine = machine;
    this.letters = letters;
    this.pairs = machine.pairKeys();
    this.#returned = returned;
    const modes = machine.modes.filter(({ starred }) => starred === undefined);
    this.#alone = modes.filter(({ roles }) => roles.length === 1).map(({ number }) => number);
    this.#together = modes.filter(({ roles }) => roles.length === 2).map(({ number }) => number);
    this.#isAlone = new Int8Array(machine.letterCount).fill(-1);
  }

  /** Whether all rendezvous have one or two members. */
  static isFor({ modes }: SyncMachine): boolean {
    return modes.every(({ roles, starred }) => starred === undefined && roles.length <= 2);
  }

  /** Can it take effect, or be left out, without another? */
  mayBeAlone(k: number): boolean {
    return this.#returned[k] === NEVER || this.isAlone(k);
  }

  /** Whether it can take effect alone. */
  isAlone(k: number): boolean {
    const letter = this.letters[k];
    if (this.#isAlone[letter] < 0)
      this.#isAlone[letter] = Number(this.#alone.some((mode) => this.#isEnabled(mode, [letter])));
    return this.#isAlone[letter] === 1;
  }

  /** Whether two overlapping calls can synchronise; by class if both have one. */
  fit(a: number, b: number): boolean {
    if (!this.pairs || this.#returned[a] === NEVER || this.#returned[b] === NEVER)
      return this.fitBySpec(a, b);
    const { own, other } = this.pairs;
    const [first, second] = [this.letters[a], this.letters[b]];
    return own[first] >= 0 && own[first] === other[second] && other[first] === own[second];
  }

  /** The same, according to the spec. */
  fitBySpec(a: number, b: number): boolean {
    const [first, second] = [this.letters[a], this.letters[b]];
    const [low, high] = first < second ? [first, second] : [second, first];
    let known = this.#known.get(low, high);
    if (known === ABSENT) {
      known = Number(this.#order(first, second) !== undefined);
      this.#known.add(low, high, known);
    }
    return known === 1;
  }

  /** Two calls in the order of their roles. */
  inOrder(a: number, b: number): Int32Array | undefined {
    const order = this.#order(this.letters[a], this.letters[b]);
    return order && Int32Array.from(order === 'first' ? [a, b] : [b, a]);
  }

  #order(first: number, second: number): 'first' | 'second' | undefined {
    for (const mode of this.#together) {
      if (this.#isEnabled(mode, [first, second])) return 'first';
      if (this.#isEnabled(mode, [second, first])) return 'second';
    }
    return undefined;
  }

  #isEnabled(mode: number, letters: readonly number[]): boolean {
    const { initial, modes } = this.machine;
    if (letters.some((letter, i) => this.machine.methodOf(letter) !== modes[mode].roles[i])) return false;
    const next = this.machine.synchronise(initial, mode, letters);
    if (next !== DEAD && next !== initial) throw new HasState();
    return next !== DEAD;
  }
}
