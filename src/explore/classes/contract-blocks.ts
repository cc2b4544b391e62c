/**
 * A class of executions without those in which a block is interrupted: its steps once more, the runs of blocks each as one.
 *
 * What happened before one step of a run happened before all of it, and what happened after one step, after all. If
 * a step now comes before itself, every execution of the class interrupts some run, and none is left. Else the runs and
 * all other steps are put one after another; whatever order respects this relation is an execution that has the blocks in one step.
 * (C. Papadimitriou, The serializability of concurrent database updates, 1979.)
 *
 * Cost: O(steps · threads) a round, until nothing changes: seldom more than three.
 */
import { type Blocks, NO_RUN } from '../../execution/atomic-blocks.js';
import { CHOOSE } from '../../execution/memory/access.js';
import type { Judge, Schedule, ScheduleViolation } from '../model/engine.js';
import type { Trace } from '../model/trace-types.js';
import type { HappensBefore, Steps } from './happens-before.js';
import { scheduleThrough } from './orders.js';

export class WholeBlocks implements Steps {
  readonly threads: number;
  length = 0;
  thread: Int32Array = new Int32Array(0);
  operation: Int32Array = new Int32Array(0);
  kind: Int32Array = new Int32Array(0);
  index: Int32Array = new Int32Array(0);
  ends: Int32Array = new Int32Array(0);
  alternative: Int32Array = new Int32Array(0);
  clocks: Int32Array = new Int32Array(0);

  constructor(threads: number) {
    this.threads = threads;
  }

  precedes(x: number, e: number): boolean {
    return this.clocks[e * this.threads + this.thread[x]] >= this.index[x];
  }

  /** Takes the steps of an execution, and the run of a block that each belongs to. Is there an execution left? */
  read(steps: HappensBefore, runs: readonly string[]): boolean {
    const nodes = nodesOf(steps, runs);
    const clocks = steps.clocks.slice(0, steps.length * this.threads);
    const stepAt = stepsByIndex(steps);
    while (spread(steps, nodes, stepAt, clocks));
    if (isCyclic(steps, nodes, stepAt, clocks)) return false;
    this.#take(steps, clocks, inOrder(nodes, clocks, this.threads));
    return true;
  }

  #take(steps: HappensBefore, clocks: Int32Array, order: readonly number[]): void {
    this.length = order.length;
    for (const column of ['thread', 'operation', 'kind', 'index', 'ends', 'alternative'] as const)
      this[column] = Int32Array.from(order, (step) => steps[column][step]);
    this.clocks = Int32Array.from(
      order.flatMap((step) => [...clocks.subarray(step * this.threads, (step + 1) * this.threads)]),
    );
  }
}

/** The steps of each run of a block, and all others alone. A choice belongs to the step before it. */
function nodesOf({ thread, kind, length }: HappensBefore, runs: readonly string[]): number[][] {
  const nodes: number[][] = [];
  const last = new Map<number, { readonly run: string; readonly node: number[] }>();
  for (let step = 0; step < length; step++) {
    const run = runs[step];
    const before = last.get(thread[step]);
    const isSame = before !== undefined && (kind[step] === CHOOSE || (run !== NO_RUN && before.run === run));
    if (isSame) before.node.push(step);
    else {
      const node = [step];
      nodes.push(node);
      last.set(thread[step], { run, node });
    }
  }
  return nodes;
}

/** Thread to its steps by their indices. */
function stepsByIndex({ thread, index, threads, length }: HappensBefore): number[][] {
  const steps: number[][] = Array.from({ length: threads }, () => []);
  for (let step = 0; step < length; step++) steps[thread[step]][index[step]] = step;
  return steps;
}

/** Each node gets to know what its steps know, and what those know who came before. Is there anything new? */
function spread(
  { threads }: HappensBefore,
  nodes: readonly number[][],
  stepAt: readonly number[][],
  clocks: Int32Array,
): boolean {
  let isNew = false;
  const join = (to: number, from: number): void => {
    for (let i = 0; i < threads; i++) {
      if (clocks[from * threads + i] <= clocks[to * threads + i]) continue;
      clocks[to * threads + i] = clocks[from * threads + i];
      isNew = true;
    }
  };
  for (const own of nodes) {
    const last = own[own.length - 1];
    for (const step of own) {
      for (let other = 0; other < threads; other++) {
        const before = clocks[step * threads + other];
        if (before > 0) join(step, stepAt[other][before]);
      }
      join(last, step);
    }
    for (const step of own) join(step, last);
  }
  return isNew;
}

/** Does a node know a later step of its thread, or one of another that knows it? */
function isCyclic(
  { threads, thread, index }: HappensBefore,
  nodes: readonly number[][],
  stepAt: readonly number[][],
  clocks: Int32Array,
): boolean {
  return nodes.some((own) => {
    const [first, last] = [own[0], own[own.length - 1]];
    for (let other = 0; other < threads; other++) {
      const before = clocks[last * threads + other];
      if (
        other === thread[last]
          ? before > index[last]
          : before > 0 && clocks[stepAt[other][before] * threads + thread[first]] >= index[first]
      )
        return true;
    }
    return false;
  });
}

/** Whoever knows more comes later; those who know as much do not know each other. */
function inOrder(nodes: readonly number[][], clocks: Int32Array, threads: number): number[] {
  const known = ([step]: readonly number[]): number =>
    clocks.subarray(step * threads, (step + 1) * threads).reduce((sum, count) => sum + count, 0);
  return nodes.toSorted((a, b) => known(a) - known(b)).flat();
}

/*
 * Judges classes of executions of a program whose blocks are run in one step: those of the program as it is, without the executions that
 * interrupt a block. For programs whose states can not be told apart: whoever goes by classes can not hold threads back (execution/atomic-blocks.ts).
 *
 * Which block a step belongs to takes another run to know, so it is asked only of classes in which something is wrong; and of one that is
 * right, since there must be one: else each would have to wait inside of a block, and nothing was seen.
 */

interface ContractedJudgeParts {
  readonly steps: HappensBefore;
  /** Judges all of a class. */
  readonly all: Judge;
  readonly whole: WholeBlocks;
  /** Judges what is left of it. */
  readonly left: Judge;
}

export class ContractedJudge implements Judge {
  hasSeen = false;
  readonly #parts: ContractedJudgeParts;
  readonly #blocks: Blocks;
  readonly #trace: (schedule: Schedule) => Trace;

  constructor(parts: ContractedJudgeParts, blocks: Blocks, trace: (schedule: Schedule) => Trace) {
    this.#parts = parts;
    this.#blocks = blocks;
    this.#trace = trace;
  }

  get histories(): number {
    return this.#parts.all.histories;
  }

  judge(): ScheduleViolation | undefined {
    const { all, left } = this.#parts;
    const isWrong = all.judge() !== undefined;
    if ((!isWrong && this.hasSeen) || !this.#isPossible()) return undefined;
    this.hasSeen = true;
    return isWrong ? left.judge() : undefined;
  }

  /** Is there an execution of the class that interrupts no block? */
  #isPossible(): boolean {
    const { steps, waiting } = this.#trace(scheduleThrough(this.#parts.steps, []));
    const runs = steps.map(({ levels }) => this.#blocks.runOf(levels));
    const isInside = waiting.some(({ thread, levels }) => {
      const run = this.#blocks.runOf(levels);
      return run !== NO_RUN && run === runs[steps.findLastIndex((step) => step.thread === thread)];
    });
    return !isInside && this.#parts.whole.read(this.#parts.steps, runs);
  }
}
