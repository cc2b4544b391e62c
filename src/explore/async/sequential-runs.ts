/**
 * All serial histories of asynchronous code, from which a specification is learnt: one call at a time.
 *
 * A call that has to wait, with no task left, ends the history. Tasks that earlier calls have left behind may run before
 * the next call, or later; so what depends on them is not deterministic.
 */
import type { SequentialTrie } from '../learning/sequential-trie.js';
import { ChoiceTree } from '../model/choice-tree.js';
import { type ExplorationStats, type Learner, noStats } from '../model/engine.js';
import { type AsyncRun, COUNTS } from './run.js';

export class AsyncSequentialRuns implements Learner {
  readonly stats: ExplorationStats = noStats();
  readonly #run: AsyncRun;
  readonly #trie: SequentialTrie;
  readonly #onStuck: () => void;
  readonly #tree = new ChoiceTree();
  #isOver = false;

  constructor(run: AsyncRun, trie: SequentialTrie, onStuck: () => void) {
    this.#run = run;
    this.#trie = trie;
    this.#onStuck = onStuck;
  }

  advance(fuel: number): boolean {
    const end = this.stats.steps + fuel;
    while (!this.#isOver && this.stats.steps < end) {
      this.#learn();
      this.#isOver = !this.#tree.next();
    }
    return this.#isOver;
  }

  #learn(): void {
    const run = this.#run;
    let place = 0;
    const ending = run.run((alternatives) => this.#tree.take(place++, (1 << alternatives) - 1), {
      isSerial: true,
    });
    this.stats.executions++;
    this.stats.steps += run.steps;
    if (ending === 'unfinished') this.stats.unfinished++;
    // the same order is found as a violation later
    if (ending === 'uncaught') return;
    let node = this.#trie.root;
    // a call that failed, or whose effect is unknown, is learned as one that had no effect; the judge treats it alike
    for (const event of run.events)
      if (event < 0 && run.standing[~event] === COUNTS)
        node = this.#trie.ended(node, ~event, run.outcome[~event]);
    if (ending !== 'stuck') return;
    this.#onStuck();
    const last = run.events.at(-1);
    if (last !== undefined && last >= 0) this.#trie.stuck(node, last);
  }
}
