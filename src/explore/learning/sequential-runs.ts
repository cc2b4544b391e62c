/**
 * All serial histories of a program: phase 1 of Line-Up, from which a specification is learnt.
 *
 *   S. Burckhardt, C. Dern, M. Musuvathi, R. Tan. Line-Up: a complete and automatic
 *   linearizability checker. PLDI 2010, figure 5.
 *
 * One operation at a time, in every order that the threads allow, without any bound.
 * An operation that has to wait ends the history: it is stuck, and says that here one may have to wait.
 * What happened goes into a trie (serial-trie.ts).
 *
 * Between two operations an object is often in a state that it was in before, after others: what can follow is known then, and is not run
 * again. Not so once anybody had to choose, since then one history may lead to several states.
 */
import { lowestBit } from '../../base/collections/ints.js';
import type { Execution } from '../../execution/execution.js';
import type { Fingerprint } from '../../execution/fingerprint.js';
import { ChoiceTree } from '../model/choice-tree.js';
import { type ExplorationStats, type Learner, MAX_STEPS, noStats, withoutStacks } from '../model/engine.js';
import type { SequentialTrie } from './sequential-trie.js';

export interface SerialOptions {
  readonly mostSteps?: number;
  /** Tells states apart, if anybody can. */
  readonly fingerprint?: Fingerprint | undefined;
}

export class SequentialRuns implements Learner {
  readonly name: string = 'serial histories';
  readonly stats: ExplorationStats = noStats();
  readonly #execution: Execution;
  readonly #trie: SequentialTrie;
  readonly #mostSteps: number;
  readonly #tree = new ChoiceTree();
  #fingerprint: Fingerprint | undefined;
  /** State to the history that first led to it. */
  readonly #nodes: number[] = [];
  #isOver = false;

  constructor(
    execution: Execution,
    trie: SequentialTrie,
    { mostSteps = MAX_STEPS, fingerprint }: SerialOptions = {},
  ) {
    this.#execution = execution;
    this.#trie = trie;
    this.#mostSteps = mostSteps;
    this.#fingerprint = fingerprint;
  }

  advance(fuel: number): boolean {
    const end = this.stats.steps + fuel;
    while (!this.#isOver && this.stats.steps < end) {
      withoutStacks(() => this.#run());
      this.#isOver = !this.#tree.next();
    }
    return this.#isOver;
  }

  #run(): void {
    const execution = this.#execution;
    this.stats.executions++;
    execution.reset(true);
    let node = this.#trie.root;
    /** The thread that is inside of an operation, or -1. */
    let inside = -1;
    for (let place = 0, steps = 0; ; steps++) {
      if (steps === this.#mostSteps) {
        this.stats.unfinished++;
        return;
      }
      if (execution.choosing >= 0) {
        this.#fingerprint = undefined;
        execution.choose(this.#tree.take(place++, (1 << execution.alternatives) - 1));
      } else {
        if (inside < 0) {
          const next = this.#alive();
          if (next === 0 || (place > this.#tree.repeated && this.#isKnown(node, next))) return;
          inside = this.#tree.take(place++, next);
        }
        if (!(execution.enabled() & (1 << inside))) {
          this.#trie.stuck(node, execution.operation[inside]);
          return;
        }
        execution.step(inside);
        this.stats.steps++;
        this.stats.depth = Math.max(this.stats.depth, steps + 1);
      }
      if (!execution.isLast) continue;
      node = this.#trie.ended(node, execution.stepped, execution.outcome[execution.stepped]);
      inside = -1;
    }
  }

  /** Is it known what may follow a history? Where one thread is left it is as soon run as asked. */
  #isKnown(node: number, threads: number): boolean {
    if (this.#fingerprint === undefined || (threads & (threads - 1)) === 0) return false;
    const state = this.#fingerprint.numberOf(0);
    if (this.#fingerprint.hasOpaqueObjects) return false;
    const known = this.#nodes[state];
    if (known === undefined) this.#nodes[state] = node;
    else this.#trie.graft(node, known);
    return known !== undefined;
  }

  /** The threads that have an operation to make, even if it has to wait. */
  #alive(): number {
    let threads = 0;
    for (let rest = this.#execution.pending(); rest !== 0; rest &= rest - 1)
      threads |= 1 << this.#execution.threadOf[lowestBit(rest)];
    return threads;
  }
}
