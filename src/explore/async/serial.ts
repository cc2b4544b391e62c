/**
 * All serial histories of asynchronous code, from which a specification is learnt: one call at a time.
 *
 * A call that has to wait, with no task left, ends the history. Tasks that earlier calls have left behind may run before
 * the next call, or later; so what depends on them is not deterministic.
 */
import type { SerialTrie } from '../learning/serial-trie.js';
import { ChoiceTree } from '../model/choice-tree.js';
import { type Effort, type Learner, noEffort } from '../model/engine.js';
import type { AsyncRun } from './run.js';

export class AsyncSerial implements Learner {
  readonly effort: Effort = noEffort();
  readonly #run: AsyncRun;
  readonly #trie: SerialTrie;
  readonly #onStuck: () => void;
  readonly #tree = new ChoiceTree();
  #isOver = false;

  constructor(run: AsyncRun, trie: SerialTrie, onStuck: () => void) {
    this.#run = run;
    this.#trie = trie;
    this.#onStuck = onStuck;
  }

  advance(fuel: number): boolean {
    const end = this.effort.steps + fuel;
    while (!this.#isOver && this.effort.steps < end) {
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
    this.effort.executions++;
    this.effort.steps += run.steps;
    if (ending === 'unfinished') this.effort.unfinished++;
    let node = this.#trie.root;
    for (const event of run.events) if (event < 0) node = this.#trie.ended(node, ~event, run.outcome[~event]);
    if (ending !== 'stuck') return;
    this.#onStuck();
    const last = run.events.at(-1);
    if (last !== undefined && last >= 0) this.#trie.stuck(node, last);
  }
}
