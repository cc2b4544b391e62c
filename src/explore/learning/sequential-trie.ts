/**
 * Serial histories as a tree: each edge is an operation and how it ended, or that it had to wait.
 *
 * If a node has two edges for one operation, the object is not deterministic: after the same
 * calls with the same outcomes it answered one way and another. Line-Up calls this a
 * violation, since no deterministic specification can be behind it.
 */

import { ListInterner } from '../../base/collections/list-interner.js';
import { ABSENT, PairMap } from '../../base/collections/pair-map.js';
import { OPEN } from '../../execution/outcomes.js';
import { type Automaton, DEAD } from '../model/automaton.js';

/** Operations one after another with their outcomes; OPEN is one that has to wait, the last. */
export type SequentialHistory = readonly { readonly operation: number; readonly outcome: number }[];

export class SequentialTrie {
  readonly root = 0;
  readonly operations: number;
  /** Node to its edges, as letters, and to the letter and the node that lead to it. */
  readonly edges: number[][] = [[]];
  readonly #letterTo: number[] = [-1];
  readonly #before: number[] = [-1];
  readonly #children = new PairMap();
  /** Two histories, the same but for the outcome of their last operation. */
  nondeterminism: readonly [SequentialHistory, SequentialHistory] | undefined;

  constructor(operations: number) {
    this.operations = operations;
  }

  /** An operation ends after a history. Gives the node of the longer one. */
  ended(node: number, operation: number, outcome: number): number {
    return this.#child(node, (outcome + 1) * this.operations + operation);
  }

  /** An operation has to wait after a history. */
  stuck(node: number, operation: number): void {
    this.ended(node, operation, OPEN);
  }

  /** What may follow one history may follow another: all of it, if nothing will be added there. */
  graft(node: number, other: number): void {
    for (const letter of this.edges[other]) this.graft(this.#child(node, letter), this.child(other, letter));
  }

  /** Where an edge leads. */
  child(node: number, letter: number): number {
    return this.#children.get(node, letter);
  }

  operationOf(letter: number): number {
    return letter % this.operations;
  }

  outcomeOf(letter: number): number {
    return Math.floor(letter / this.operations) - 1;
  }

  /** All histories that nothing goes on from. */
  histories(): SequentialHistory[] {
    return this.edges.flatMap((edges, node) =>
      edges.length === 0 && node !== this.root ? [this.#historyTo(node)] : [],
    );
  }

  /** The histories whose last operation has to wait. */
  blocked(): SequentialHistory[] {
    return this.#letterTo.flatMap((letter, node) =>
      node !== this.root && this.outcomeOf(letter) === OPEN ? [this.#historyTo(node)] : [],
    );
  }

  #child(node: number, letter: number): number {
    const known = this.#children.get(node, letter);
    if (known !== ABSENT) return known;
    const other = this.edges[node].find((edge) => this.operationOf(edge) === this.operationOf(letter));
    const child = this.edges.push([]) - 1;
    this.#letterTo.push(letter);
    this.#before.push(node);
    this.edges[node].push(letter);
    this.#children.add(node, letter, child);
    if (other !== undefined)
      this.nondeterminism ??= [this.#historyTo(this.child(node, other)), this.#historyTo(child)];
    return child;
  }

  #historyTo(node: number): SequentialHistory {
    const letters: number[] = [];
    for (let at = node; at !== this.root; at = this.#before[at]) letters.push(this.#letterTo[at]);
    return letters
      .reverse()
      .map((letter) => ({ operation: this.operationOf(letter), outcome: this.outcomeOf(letter) }));
  }
}

/*
 * The smallest automaton that has exactly the serial histories of a trie.
 *
 * Nodes below which the same can happen are one state: from the leaves upward, nodes
 * with equal edges to equal states get equal numbers (hash consing). A trie of
 * 1,680 histories of a stack becomes 132 states.
 *
 * Cost: O(edges).
 */

export class LearnedAutomaton implements Automaton {
  readonly initial: number;
  states = 0;
  readonly #operations: number;
  /** State and letter to the state after it. */
  readonly #after = new PairMap();
  /** State and operation to the outcomes that it may have there. */
  readonly #answers: number[][][] = [];

  constructor(trie: SequentialTrie) {
    this.#operations = trie.operations;
    const stateOf = new Int32Array(trie.edges.length);
    const numbers = new ListInterner();
    // children have larger numbers than their parents
    for (let node = trie.edges.length - 1; node >= 0; node--) {
      const letters = trie.edges[node].toSorted((a, b) => a - b);
      const list = Int32Array.from(letters.flatMap((letter) => [letter, stateOf[trie.child(node, letter)]]));
      const state = numbers.intern(list, list.length);
      if (state === this.states) this.#add(trie, letters, list);
      stateOf[node] = state;
    }
    this.initial = stateOf[trie.root];
  }

  answers(state: number, operation: number): readonly number[] {
    return this.#answers[state][operation] ?? NO_ANSWERS;
  }

  after(state: number, operation: number, outcome: number): number {
    const next = this.#after.get(state, (outcome + 1) * this.#operations + operation);
    return next === ABSENT ? DEAD : next;
  }

  blocks(state: number, operation: number): boolean {
    return this.#after.get(state, operation) !== ABSENT;
  }

  #add(trie: SequentialTrie, letters: readonly number[], list: Int32Array): void {
    const state = this.states++;
    const answers: number[][] = [];
    letters.forEach((letter, i) => {
      this.#after.add(state, letter, list[2 * i + 1]);
      if (trie.outcomeOf(letter) === OPEN) return;
      answers[trie.operationOf(letter)] ??= [];
      answers[trie.operationOf(letter)].push(trie.outcomeOf(letter));
    });
    this.#answers.push(answers);
  }
}

const NO_ANSWERS: readonly number[] = [];
