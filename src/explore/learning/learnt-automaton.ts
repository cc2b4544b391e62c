/**
 * The smallest automaton that has exactly the serial histories of a trie.
 *
 * Nodes below which the same can happen are one state: from the leaves upward, nodes
 * with equal edges to equal states get equal numbers (hash consing). A trie of
 * 1,680 histories of a stack becomes 132 states.
 *
 * Cost: O(edges).
 */
import { ListNumbers } from '../../base/collections/list-interner.js';
import { ABSENT, PairMap } from '../../base/collections/pair-map.js';
import { OPEN } from '../../execution/outcomes.js';
import { type Automaton, DEAD } from '../model/automaton.js';
import type { SerialTrie } from './serial-trie.js';

export class LearntAutomaton implements Automaton {
  readonly initial: number;
  states = 0;
  readonly #operations: number;
  /** State and letter to the state after it. */
  readonly #after = new PairMap();
  /** State and operation to the outcomes that it may have there. */
  readonly #answers: number[][][] = [];

  constructor(trie: SerialTrie) {
    this.#operations = trie.operations;
    const stateOf = new Int32Array(trie.edges.length);
    const numbers = new ListNumbers();
    // children have larger numbers than their parents
    for (let node = trie.edges.length - 1; node >= 0; node--) {
      const letters = trie.edges[node].toSorted((a, b) => a - b);
      const list = Int32Array.from(letters.flatMap((letter) => [letter, stateOf[trie.child(node, letter)]]));
      const state = numbers.numberOf(list, list.length);
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

  #add(trie: SerialTrie, letters: readonly number[], list: Int32Array): void {
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
