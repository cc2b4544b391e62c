/**
 * An equivalence class of executions with every run of an atomic block contracted to one node.
 *
 * A step that happens before one step of a node happens before all of them; the same holds for steps after it. If the
 * extended relation has a cycle, every execution of the class interrupts some block. Otherwise the nodes are
 * sorted topologically, and every order of them that respects the relation is an execution with atomic blocks.
 * (C. Papadimitriou, The serializability of concurrent database updates, 1979.)
 *
 * Cost: O(steps · threads²) a round, until the relation no longer changes; seldom more than three rounds.
 */
import { type Blocks, NO_RUN } from '../../execution/atomic-blocks.js';
import type { Execution } from '../../execution/execution.js';
import { CHOOSE, LOCK, READ, WAIT } from '../../execution/memory/access.js';
import { type Configurations, DEAD } from '../automata/configurations.js';
import type { Judge, Schedule, ScheduleViolation } from '../model/engine.js';
import type { Trace, TraceStep } from '../model/trace-types.js';
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

  /** Contracts the steps of an execution; `runs` has the block run of each step. Returns false if no execution has atomic blocks. */
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

/** The nodes: the steps of each run of a block, and every other step alone. A choice belongs to the step before it. */
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

/** One round: joins the clocks of the steps of each node, and of the steps before them. Returns whether a clock has changed. */
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

/** Does a node come after a later step of its own thread, or after a step of another thread that comes after the node? */
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

/** Sorts the nodes topologically: a later node has a larger clock sum, and nodes with equal sums are concurrent. */
function inOrder(nodes: readonly number[][], clocks: Int32Array, threads: number): number[] {
  const known = ([step]: readonly number[]): number =>
    clocks.subarray(step * threads, (step + 1) * threads).reduce((sum, count) => sum + count, 0);
  return nodes.toSorted((a, b) => known(a) - known(b)).flat();
}

/*
 * Judging. A violating class counts only if it has an execution in which every block is atomic. Programs with hidden state are
 * explored as they are, without atomic blocks, so the blocks of a class are found by running it once more. That is done for
 * violating classes, for classes in which a thread sleeps, and until one class is known to be possible.
 *
 * A thread that sleeps inside a block and needs another call to wake it is in a deadlock there: no other thread may take a step.
 * The execution up to that point is the smallest one that contains the steps before the sleep.
 */

interface ContractedJudgeParts {
  readonly execution: Execution;
  readonly configurations: Configurations;
  readonly steps: HappensBefore;
  /** Judges all of a class. */
  readonly all: Judge;
  readonly whole: WholeBlocks;
  /** Judges the executions of it in which blocks are atomic. */
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
    const { all, left, whole, steps } = this.#parts;
    const isViolating = all.judge() !== undefined;
    const sleeps = stepsOfKind(steps, WAIT);
    if (!isViolating && this.hasSeen && sleeps.length === 0) return undefined;
    const trace = this.#trace(scheduleThrough(steps, []));
    const runs = trace.steps.map(({ levels }) => this.#blocks.runOf(levels));
    for (const sleep of sleeps) {
      const found = this.#deadlockAt(sleep, runs, trace);
      if (found) return found;
    }
    const isInside = trace.waiting.some(({ thread, levels }) => {
      const run = this.#blocks.runOf(levels);
      return run !== NO_RUN && run === runs[trace.steps.findLastIndex((step) => step.thread === thread)];
    });
    if (isInside || !whole.read(steps, runs)) return undefined;
    this.hasSeen = true;
    return isViolating ? left.judge() : undefined;
  }

  /** The deadlock of a thread that sleeps inside a block and resumes inside it, if other threads could not wake it. */
  #deadlockAt(sleep: number, runs: readonly string[], trace: Trace): ScheduleViolation | undefined {
    const { steps } = this.#parts;
    const thread = steps.thread[sleep];
    const resumed =
      trace.steps.find((step, i) => i > sleep && step.thread === thread) ??
      trace.waiting.find((step) => step.thread === thread);
    // a limited wait announces an update: it ends by itself
    if (resumed === undefined || (resumed.kind !== READ && resumed.kind !== LOCK)) return undefined;
    const run = this.#blocks.runOf(resumed.levels);
    if (run === NO_RUN || run !== runs[sleep]) return undefined;
    const prefix = this.#prefixOf(sleep, runs);
    return prefix && this.#judgePrefix(prefix, resumed);
  }

  /** The steps that come before a sleep, the blocks of other threads whole, then the block around it; undefined if that is impossible. */
  #prefixOf(sleep: number, runs: readonly string[]): readonly number[] | undefined {
    const { steps } = this.#parts;
    const nodes = nodesOf(steps, runs);
    const own = nodes.find((node) => node.includes(sleep))!;
    const block = own.filter((step) => step <= sleep);
    const before = new Set<number>();
    const add = (step: number): void => {
      if (before.has(step) || block.includes(step)) return;
      before.add(step);
      for (let other = 0; other < steps.length; other++)
        if (other !== step && steps.precedes(other, step)) add(other);
      for (const other of nodes.find((node) => node.includes(step))!) add(other);
    };
    for (let step = 0; step < steps.length; step++)
      if (block.some((inside) => step !== inside && steps.precedes(step, inside))) add(step);
    const isLate = (step: number): boolean => own.includes(step) || steps.precedes(block[0], step);
    if ([...before].some(isLate)) return undefined;
    return [...[...before].sort((a, b) => a - b), ...block];
  }

  #judgePrefix(
    prefix: readonly number[],
    { operation: waiting, site, kind }: TraceStep,
  ): ScheduleViolation | undefined {
    const { execution, configurations, steps } = this.#parts;
    const { outcome, calls, threadOf } = execution;
    let set = configurations.initial;
    const called = new Set<number>();
    const returned = new Set<number>();
    for (const step of prefix) {
      const operation = steps.operation[step];
      if (steps.ends[step] & 1) {
        set = configurations.call(set, operation);
        called.add(operation);
      }
      if (!(steps.ends[step] & 2)) continue;
      set = configurations.return(set, operation, outcome[operation]);
      if (set === DEAD) return undefined;
      returned.add(operation);
    }
    const isAlone = [...called].every((operation) => operation === waiting || returned.has(operation));
    if (kind === READ && !isAlone) return undefined;
    const main = execution.hasMain ? execution.threads - 1 : -1;
    const next = new Map<number, number>();
    calls.forEach((_, k) => {
      if (!returned.has(k) && !next.has(threadOf[k])) next.set(threadOf[k], k);
    });
    const pending = [...next].filter(([thread, k]) => thread !== main || k === waiting).map(([, k]) => k);
    const operation = configurations.needlessWait(set, pending);
    if (operation < 0) return undefined;
    const schedule = prefix.map((step) =>
      steps.kind[step] === CHOOSE ? steps.alternative[step] : steps.thread[step],
    );
    return { kind: 'wait', operation, schedule, blocked: { operation: waiting, site } };
  }
}

const stepsOfKind = ({ kind, length }: HappensBefore, wanted: number): number[] =>
  Array.from(kind.subarray(0, length), (_, step) => step).filter((step) => kind[step] === wanted);
