/**
 * All configurations that explain a history so far, as one integer.
 *
 * A configuration is a state of the automaton, and the outcome of each operation that has been called and has not
 * returned: OPEN until it starts, WAITING until another step completes it. Outcomes are guessed when an operation takes effect and
 * compared when it returns, so nothing else of the past is kept. After each call the set is closed under all moves.
 *
 *   call      the operation is open; close
 *   return    keep the configurations in which the operation has this outcome
 *   empty     no linearization includes this return
 *
 * A configuration also has pairs: which object of the run stands for which object of the history (`withPairs`). Results that
 * contain objects are equal up to this bijection.
 *
 * With `isFair`, an operation starts when it is called, and not later: the doorway of a fair lock.
 *
 * Sets are numbered, and their steps are cached: a step is a look-up. With p open operations and s states there are at most
 * s·2^p configurations.
 */
import { ABSENT, PairMap } from '../../base/collections/int-set.js';
import { ListInterner } from '../../base/collections/interners.js';
import { OPEN, type OutcomeParts, type Outcomes } from '../../execution/outcomes.js';

/*
 * The behaviour that a spec, or learned runs, allow the operations of one test.
 *
 * States and outcomes are integers; operations are those of the test. Made of a spec (automata/spec-automaton.ts) or of
 * learned runs (learning/learned-runs.ts).
 */

export interface Automaton {
  readonly initial: number;
  /** All that may happen next. `called` are the operations, ascending, that have been called and have not started. */
  moves(state: number, called: readonly number[]): readonly Move[];
  /**
   * One of the pending operations that is blocked forever in none of these configurations, or -1. A configuration is a
   * state, followed by the outcome of each pending operation.
   */
  unblocked(configurations: readonly (readonly number[])[], pending: readonly number[]): number;
  /** What can be renamed in its states; nothing, if it is absent. */
  readonly renames?: 'threads' | 'threads and values' | undefined;
  /** A state in one order of the threads, up to names of values. */
  termOf?(state: number, order: ThreadOrder): StateTerm;
}

/** An order of the threads (explore/engines/symmetric-states.ts). */
export interface ThreadOrder {
  /** The number of this order. */
  readonly index: number;
  /** Operation to the position of its thread, and how many operations of the thread come after it, in one number. */
  readonly roleOf: Int32Array;
  /** The number of the value that an outcome is; -1 if it is no value that can be renamed. */
  nameOf(outcome: number): number;
}

/** States with equal shapes have the same continuations, if the threads and the values are renamed. */
export interface StateTerm {
  readonly shape: number;
  /** The values in it, in the order of the first occurrence. */
  readonly names: readonly number[];
}

/** Operations take effect together, each with its outcome; WAITING if an operation starts and is completed later. */
export interface Move {
  readonly operations: readonly number[];
  readonly outcomes: readonly number[];
  readonly next: number;
}

/** The states of configurations in which no pending operation has started. */
export const untouched = (configurations: readonly (readonly number[])[]): number[] =>
  configurations.flatMap(([state, ...outcomes]) => (outcomes.every((one) => one === OPEN) ? [state] : []));

/** No state: this cannot happen. */
export const DEAD = -1;

/** Outcomes that are no results, beside OPEN: the call has started and waits; it had no effect; its effect is unknown. */
export const WAITING = -2;
export const FAILED = -3;
export const UNKNOWN = -4;

/** A bijection: identities of a history and of a run in turn, ordered by those of the history. */
type Pairs = readonly number[];

export const pairsOf = (pairs: Pairs): [history: number, run: number][] =>
  pairs.flatMap((identity, i) => (i % 2 === 0 ? [[identity, pairs[i + 1]] as [number, number]] : []));

/** The bijection together with the pairs of two outcomes; undefined if these are not equal up to it. */
export function withPairs(pairs: Pairs, ofHistory: OutcomeParts, ofRun: OutcomeParts): Pairs | undefined {
  if (ofHistory.shape !== ofRun.shape) return undefined;
  const all = pairsOf(pairs);
  for (const [i, identity] of ofHistory.identities.entries()) {
    const other = ofRun.identities[i];
    const known = all.find(([one, two]) => one === identity || two === other);
    if (known === undefined) all.push([identity, other]);
    else if (known[0] !== identity || known[1] !== other) return undefined;
  }
  return all.sort(([a], [b]) => a - b).flat();
}

/** Configurations with the same open operations: a state, then the outcome of each, then the pairs. */
interface ConfigurationSet {
  readonly open: readonly number[];
  readonly members: readonly (readonly number[])[];
}

interface ConfigurationOptions {
  readonly isFair?: boolean;
  /** What outcomes are, if objects in them are compared up to a bijection. */
  readonly outcomes?: Pick<Outcomes, 'partsOf'> | undefined;
  /** Of `renamed`, if numbers are compared with those of other tests. */
  readonly rows?: ListInterner;
  readonly images?: ListInterner;
}

export class Configurations {
  readonly initial: number;
  readonly #automaton: Automaton;
  readonly #operations: number;
  readonly #isFair: boolean;
  readonly #outcomes: Pick<Outcomes, 'partsOf'> | undefined;
  readonly #sets: ConfigurationSet[] = [];
  readonly #numbers = new ListInterner();
  readonly #calls = new PairMap();
  /** Sets up to names: their rows, their numbers, and those of each set, order and list of names. */
  readonly #rows: ListInterner;
  readonly #images: ListInterner;
  readonly #renamings = new ListInterner();
  readonly #imageOf: number[] = [];
  #key: Int32Array = new Int32Array(16);
  readonly #returns = new PairMap();

  constructor(
    automaton: Automaton,
    operations: number,
    { isFair = false, outcomes, rows, images }: ConfigurationOptions = {},
  ) {
    this.#rows = rows ?? new ListInterner();
    this.#images = images ?? new ListInterner();
    this.#automaton = automaton;
    this.#operations = operations;
    this.#isFair = isFair;
    this.#outcomes = outcomes;
    this.initial = this.#numberOf([], [[automaton.initial]]);
  }

  /** After the call of an operation. */
  call(set: number, operation: number): number {
    const known = this.#calls.get(set, operation);
    if (known !== ABSENT) return known;
    const { members } = this.#sets[set];
    const open = [...this.#sets[set].open, operation];
    const called = members.map((member) => member.toSpliced(open.length, 0, OPEN));
    const closed = this.#isFair ? this.#start(open, called) : this.#close(open, called, open);
    const next = closed.length > 0 ? this.#numberOf(open, closed) : DEAD;
    this.#calls.add(set, operation, next);
    return next;
  }

  /** After the return of an open operation, or DEAD if no configuration is left. FAILED: it had no effect. */
  return(set: number, operation: number, outcome: number): number {
    const letter = (outcome - FAILED) * this.#operations + operation;
    const known = this.#returns.get(set, letter);
    if (known !== ABSENT) return known;
    const { open, members } = this.#sets[set];
    const place = open.indexOf(operation) + 1;
    const left = members.flatMap((member) => {
      const pairs = this.#pairs(member.slice(open.length + 1), member[place], outcome);
      return pairs ? [[...member.slice(0, open.length + 1).toSpliced(place, 1), ...pairs]] : [];
    });
    const next = left.length
      ? this.#numberOf(
          open.filter((other) => other !== operation),
          left,
        )
      : DEAD;
    this.#returns.add(set, letter, next);
    return next;
  }

  /** The pairs after an operation has returned; undefined if its outcome in a run is another one. */
  #pairs(pairs: readonly number[], ofRun: number, ofHistory: number): readonly number[] | undefined {
    if (ofHistory === FAILED) return ofRun === FAILED || ofRun === OPEN ? pairs : undefined;
    if (!this.#outcomes || ofRun < 0) return ofRun === ofHistory ? pairs : undefined;
    return withPairs(pairs, this.#outcomes.partsOf(ofHistory), this.#outcomes.partsOf(ofRun));
  }

  /** The results with which an open operation may return. */
  results(set: number, operation: number): number[] {
    const { open, members } = this.#sets[set];
    const place = open.indexOf(operation) + 1;
    return [...new Set(members.map((member) => member[place]))].filter((outcome) => outcome >= 0);
  }

  /** Of operations that are blocked forever, called or not, one that no configuration leaves blocked; or -1. */
  needlessWait(set: number, pending: readonly number[]): number {
    const { open, members } = this.#sets[set];
    const places = pending.map((operation) => open.indexOf(operation) + 1);
    const outcomesIn = (member: readonly number[]): number[] =>
      places.map((place) => (place > 0 ? member[place] : OPEN));
    return this.#automaton.unblocked(
      members.map((member) => [member[0], ...outcomesIn(member)]),
      pending,
    );
  }

  /**
   * The number of a set if the threads have this order and values these numbers. Sets with equal numbers differ only in names. Values
   * without a number get the next ones, in the order that gives the smallest result.
   */
  renamed(set: number, order: ThreadOrder, names: readonly number[]): number {
    if (names.length + 2 > this.#key.length) this.#key = new Int32Array(2 * names.length + 2);
    this.#key[0] = set;
    this.#key[1] = order.index;
    for (let i = 0; i < names.length; i++) this.#key[i + 2] = names[i];
    const number = this.#renamings.intern(this.#key, names.length + 2);
    this.#imageOf[number] ??= this.#rename(this.#sets[set], order, names);
    return this.#imageOf[number];
  }

  #rename({ open, members }: ConfigurationSet, order: ThreadOrder, names: readonly number[]): number {
    const places = open.map((_, i) => i).sort((a, b) => order.roleOf[open[a]] - order.roleOf[open[b]]);
    const terms = members.map(([state]) => this.#automaton.termOf!(state, order));
    const others: number[] = [];
    const note = (name: number): void => {
      if (name >= 0 && !names.includes(name) && !others.includes(name)) others.push(name);
    };
    for (const [i, member] of members.entries()) {
      for (const name of terms[i].names) note(name);
      for (const place of places) note(nameIn(order, member[place + 1]));
    }
    const ways = others.length === 0 ? [names] : permutations(others).map((way) => [...names, ...way]);
    const images = ways.map((all) => {
      const image = [open.length, ...places.map((place) => order.roleOf[open[place]])];
      const rows = members.map((member, i) => {
        const row = [terms[i].shape];
        for (const name of terms[i].names) row.push(all.indexOf(name));
        for (const place of places) {
          const name = nameIn(order, member[place + 1]);
          row.push(name < 0 ? 2 * member[place + 1] : 2 * all.indexOf(name) + 1);
        }
        for (let i = open.length + 1; i < member.length; i++) row.push(member[i]);
        return this.#rows.intern(new Int32Array(row), row.length);
      });
      rows.sort((a, b) => a - b);
      for (const [i, row] of rows.entries()) if (i === 0 || row !== rows[i - 1]) image.push(row);
      return this.#images.intern(new Int32Array(image), image.length);
    });
    return Math.min(...images);
  }

  /** Lets the last operation start at once. Other moves start no operation. */
  #start(open: readonly number[], members: readonly number[][]): number[][] {
    const started = this.#close(open, members, open.slice(-1)).filter(
      (member) => member[open.length] !== OPEN,
    );
    return this.#close(open, started, []);
  }

  /** Adds all configurations that moves lead to, if these operations may start. */
  #close(open: readonly number[], members: readonly number[][], startable: readonly number[]): number[][] {
    const all = new Map(members.map((member) => [member.join(), member]));
    for (const member of all.values()) {
      const called = startable.filter((operation) => member[open.indexOf(operation) + 1] === OPEN);
      called.sort((a, b) => a - b);
      for (const { operations, outcomes, next } of this.#automaton.moves(member[0], called)) {
        const after = member.slice();
        after[0] = next;
        operations.forEach((operation, i) => {
          after[open.indexOf(operation) + 1] = outcomes[i];
        });
        const key = after.join();
        if (!all.has(key)) all.set(key, after);
      }
    }
    return [...all.values()];
  }

  /** Sets with equal members have equal numbers, whatever the order of the calls. */
  #numberOf(open: readonly number[], members: readonly (readonly number[])[]): number {
    const order = open.map((_, i) => i).sort((a, b) => open[a] - open[b]);
    const sorted = order.map((i) => open[i]);
    const ordered = members.map((member) => [
      member[0],
      ...order.map((i) => member[i + 1]),
      ...member.slice(open.length + 1),
    ]);
    const rows = ordered.length === 1 ? ordered : distinctRows(ordered);
    const list = new Int32Array([sorted.length, ...sorted, ...rows.flat()]);
    const number = this.#numbers.intern(list, list.length);
    if (number === this.#sets.length) this.#sets.push({ open: sorted, members: rows });
    return number;
  }
}

const nameIn = (order: ThreadOrder, outcome: number): number => (outcome < 0 ? -1 : order.nameOf(outcome));

/** All orders of some items. */
export function permutations(items: readonly number[]): number[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, i) => permutations(items.toSpliced(i, 1)).map((rest) => [item, ...rest]));
}

/** Each row once, in an order that depends only on the rows. */
const distinctRows = (rows: readonly (readonly number[])[]): (readonly number[])[] =>
  [...new Map(rows.map((row) => [row.join(), row])).entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, row]) => row);
