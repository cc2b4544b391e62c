/**
 * All ways to explain a history so far, as one integer.
 *
 * A configuration says which state the automaton is in and which open operations have
 * taken effect, with which outcomes. Outcomes are guessed when an operation
 * takes effect and compared when it returns, so nothing of the past is kept but
 * the set of configurations. After each call the set is closed: whatever is open may take effect, alone or,
 * where calls meet, several together.
 *
 *   call      the operation is open; close
 *   return    keep the configurations in which it has taken effect with this outcome
 *   none left no order explains the history
 *
 * Sets are numbered, and their steps remembered: a step is a look-up.
 */
import { ListInterner } from '../../base/collections/list-interner.js';
import { ABSENT, PairMap } from '../../base/collections/pair-map.js';
import { OPEN } from '../../execution/outcomes.js';
import { type AnyAutomaton, DEAD, isRendezvous, type Move } from '../model/automaton.js';

/** A set of configurations. Each has the same open operations, and says of each its outcome, or OPEN. */
interface ConfigurationSet {
  readonly open: readonly number[];
  readonly members: readonly (readonly number[])[];
}

export class Configurations {
  readonly initial: number;
  readonly #automaton: AnyAutomaton;
  readonly #operations: number;
  readonly #sets: ConfigurationSet[] = [];
  readonly #numbers = new ListInterner();
  readonly #calls = new PairMap();
  readonly #returns = new PairMap();

  constructor(automaton: AnyAutomaton, operations: number) {
    this.#automaton = automaton;
    this.#operations = operations;
    this.initial = this.#numberOf([], [[automaton.initial]]);
  }

  /** After the call of an operation. */
  call(set: number, operation: number): number {
    const known = this.#calls.get(set, operation);
    if (known !== ABSENT) return known;
    const { open, members } = this.#sets[set];
    const next = this.#numberOf(
      [...open, operation],
      this.#close(
        [...open, operation],
        members.map((member) => [...member, OPEN]),
      ),
    );
    this.#calls.add(set, operation, next);
    return next;
  }

  /** After the return of an open operation, or DEAD where no configuration is left. */
  return(set: number, operation: number, outcome: number): number {
    const letter = outcome * this.#operations + operation;
    const known = this.#returns.get(set, letter);
    if (known !== ABSENT) return known;
    const { open, members } = this.#sets[set];
    const place = open.indexOf(operation);
    const left = members.filter((member) => member[place + 1] === outcome);
    const next = left.length
      ? this.#numberOf(
          open.filter((other) => other !== operation),
          left.map((member) => member.toSpliced(place + 1, 1)),
        )
      : DEAD;
    this.#returns.add(set, letter, next);
    return next;
  }

  /** The outcomes with which an open operation may return. */
  results(set: number, operation: number): number[] {
    const { open, members } = this.#sets[set];
    const place = open.indexOf(operation) + 1;
    return [...new Set(members.map((member) => member[place]))].filter((outcome) => outcome !== OPEN);
  }

  /**
   * Of operations that wait for ever, one that may not when all else that is open has had no effect, and never will; or -1.
   * Where calls meet it is any of them, unless there is a way that none can.
   */
  needlessWait(set: number, pending: readonly number[]): number {
    const untouched = this.#sets[set].members.filter(([, ...outcomes]) =>
      outcomes.every((outcome) => outcome === OPEN),
    );
    return this.#needless(untouched, pending);
  }

  /** The same whatever effect all else that is open has had. */
  needlessWaitWhatever(set: number, pending: readonly number[]): number {
    return this.#needless(this.#sets[set].members, pending);
  }

  #needless(members: readonly (readonly number[])[], pending: readonly number[]): number {
    const automaton = this.#automaton;
    if (isRendezvous(automaton))
      return members.some(([state]) => automaton.rests(state, pending)) ? -1 : (pending[0] ?? -1);
    return pending.find((operation) => !members.some(([state]) => automaton.blocks(state, operation))) ?? -1;
  }

  /** Lets open operations take effect in all ways. */
  #close(open: readonly number[], members: readonly number[][]): number[][] {
    const all = new Map(members.map((member) => [member.join(), member]));
    for (const member of all.values())
      for (const { operations, outcomes, next } of this.#moves(open, member)) {
        const after = member.slice();
        after[0] = next;
        operations.forEach((operation, i) => {
          after[open.indexOf(operation) + 1] = outcomes[i];
        });
        if (!all.has(after.join())) all.set(after.join(), after);
      }
    return [...all.values()];
  }

  /** What may happen in a configuration: operations take effect, one alone or several together. */
  #moves(open: readonly number[], [state, ...outcomes]: readonly number[]): readonly Move[] {
    const automaton = this.#automaton;
    const waiting = open.filter((_, i) => outcomes[i] === OPEN);
    if (isRendezvous(automaton))
      return automaton.moves(
        state,
        waiting.sort((a, b) => a - b),
      );
    return waiting.flatMap((operation) =>
      automaton.answers(state, operation).map((outcome) => ({
        operations: [operation],
        outcomes: [outcome],
        next: automaton.after(state, operation, outcome),
      })),
    );
  }

  /** Sets with equal members have equal numbers, in whatever order operations were opened. */
  #numberOf(open: readonly number[], members: readonly (readonly number[])[]): number {
    const order = open.map((_, i) => i).sort((a, b) => open[a] - open[b]);
    const sorted = order.map((i) => open[i]);
    const ordered = members.map((member) => [member[0], ...order.map((i) => member[i + 1])]);
    const rows = ordered.length === 1 ? ordered : distinctRows(ordered);
    const list = Int32Array.from([sorted.length, ...sorted, ...rows.flat()]);
    const number = this.#numbers.intern(list, list.length);
    if (number === this.#sets.length) this.#sets.push({ open: sorted, members: rows });
    return number;
  }
}

/** In an order that depends on nothing but the rows. */
const distinctRows = (rows: readonly (readonly number[])[]): (readonly number[])[] =>
  [...new Map(rows.map((row) => [row.join(), row])).entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, row]) => row);
