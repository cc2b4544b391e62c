/**
 * Assembles the engines from their parts.
 *
 * The engines of a test use one execution in turn and share one automaton. Stateful search is the best choice if values
 * are visible and states can be distinguished. Partial-order reduction needs only the announced accesses.
 */

import type { Blocks } from '../../execution/atomic-blocks.js';
import type { Execution } from '../../execution/execution.js';
import { Fingerprint } from '../../execution/fingerprint.js';
import { type Automaton, Configurations } from '../automata/configurations.js';
import { ContractedJudge, WholeBlocks } from '../classes/contract-blocks.js';
import type { Atomicity } from '../classes/data-races.js';
import { HappensBefore, type Steps, Turns } from '../classes/happens-before.js';
import { Boundary, Orders, OwnOrder } from '../classes/orders.js';
import {
  type Coverage,
  type Engine,
  type ExplorationStats,
  type Judge,
  noStats,
  type Schedule,
  type ScheduleViolation,
} from '../model/engine.js';
import type { Trace } from '../model/trace-types.js';
import { Bounded, type BoundedOptions } from './bounded.js';
import { Dpor, type DporOptions } from './dpor.js';
import { Races } from './races.js';
import { Sampling, type SamplingOptions, type Strategy } from './sampling.js';
import { Path, SleepSets } from './sleep-sets.js';
import { Stateful, Tried } from './stateful.js';
import { SymmetricStates } from './symmetric-states.js';

/**
 * Two engines that explore all schedules and take turns: the first to finish decides for both.
 *
 * Stateful search is better if many schedules lead to one state. Partial-order reduction is better if states are many or
 * large and few steps conflict. Which case applies shows only during the exploration. Both execute whole runs, so
 * they can share one execution. An engine that finishes without full coverage drops out, unless it shows that no engine can do better. The second engine starts only
 * if the first does not finish in its first slice. The first gets `favour` times the steps of the others. Cost with two engines: at
 * most 1 + 1/favour times that of the first, and 1 + favour times that of the second.
 */
export class Competition implements Engine {
  readonly #all: Engine[] = [];
  #left: readonly (() => Engine)[];
  readonly #favour: number;

  /** Each function creates an engine, when its first turn comes. */
  constructor(engines: readonly (() => Engine)[], favour = 1) {
    this.#favour = favour;
    this.#left = engines.map((begin) => {
      let engine: Engine | undefined;
      return () => {
        if (engine !== undefined) return engine;
        engine = begin();
        this.#all.push(engine);
        return engine;
      };
    });
  }

  get name(): string {
    return this.#all.map(({ name }) => name).join(' and ');
  }

  get stats(): ExplorationStats {
    const total = noStats();
    for (const { stats } of this.#all) {
      total.executions += stats.executions;
      total.steps += stats.steps;
      total.depth = Math.max(total.depth, stats.depth);
      total.unfinished += stats.unfinished;
      total.states += stats.states;
      total.classes += stats.classes;
      total.histories += stats.histories;
    }
    return total;
  }

  get coverage(): Coverage | undefined {
    return this.#all.find(({ coverage }) => coverage?.kind === 'all')?.coverage;
  }

  advance(budget: number): ScheduleViolation | 'done' | undefined {
    const share = budget / (this.#left.length - 1 + this.#favour);
    const [first] = this.#left;
    for (const own of this.#left) {
      const engine = own();
      const found = engine.advance(own === first ? this.#favour * share : share);
      if (found === undefined) continue;
      if (found !== 'done' || engine.coverage?.kind === 'all' || engine.hasEndlessRun) return found;
      this.#left = this.#left.filter((other) => other !== own);
    }
    return this.#left.length === 0 ? 'done' : undefined;
  }
}

interface EngineOptions {
  /** Runs are abandoned after this many steps. */
  readonly maxSteps?: number | undefined;
  /** Checks each execution that is judged. */
  readonly atomicity?: Atomicity | undefined;
}

/**
 * Explores all schedules, one of each equivalence class. Classes that differ only in the names of threads count as one,
 * unless an option asks for each class.
 */
export function byClasses(
  execution: Execution,
  automaton: Automaton,
  options?: EngineOptions & DporOptions,
): Engine {
  const turns = options?.onClass || options?.atomicity ? undefined : new Turns(execution);
  const { steps, orders } = judging(execution, automaton, options?.atomicity, turns);
  const path = new Path(steps, new SleepSets(execution.threads, execution.memory));
  const races = new Races(execution, steps, path);
  return new Dpor({ execution, steps, path, races, judge: orders, turns }, options);
}

/** Explores all schedules in which every block is atomic, one of each equivalence class. */
export function byWholeBlocks(
  execution: Execution,
  automaton: Automaton,
  blocks: Blocks,
  traceOf: (schedule: Schedule) => Trace,
  maxSteps?: number,
): Engine {
  const { steps, orders } = judging(execution, automaton, undefined);
  const whole = new WholeBlocks(execution.threads);
  const left = ordersOf(execution, automaton, whole);
  const configurations = new Configurations(automaton, execution.calls.length);
  const parts = { execution, configurations, steps, all: orders, whole, left };
  const judge = new ContractedJudge(parts, blocks, traceOf);
  const path = new Path(steps, new SleepSets(execution.threads, execution.memory));
  return new Dpor({ execution, steps, path, races: new Races(execution, steps, path), judge }, { maxSteps });
}

/** Explores all schedules by stateful search. */
export function byStates(execution: Execution, automaton: Automaton, options?: EngineOptions): Engine {
  const configurations = new Configurations(automaton, execution.calls.length);
  const symmetric = SymmetricStates.of(execution, automaton, configurations);
  const fingerprint = symmetric ?? new Fingerprint(execution);
  const tried = new Tried(execution, new SleepSets(execution.threads, execution.memory));
  const turns = new Turns(execution);
  // threads may start in any order where their names do not count
  if (symmetric) turns.drop();
  return new Stateful({ execution, fingerprint, configurations, tried, turns }, options);
}

/** Explores all schedules by stateful search and partial-order reduction in turns. */
export function byEither(execution: Execution, automaton: Automaton, options?: EngineOptions): Engine {
  return new Competition([
    () => byStates(execution, automaton, options),
    () => byClasses(execution, automaton, options),
  ]);
}

/** Explores all schedules without preemptions, then with one, and so on. */
export function byBound(
  execution: Execution,
  automaton: Automaton,
  options?: BoundedOptions & EngineOptions,
): Engine {
  const { steps, orders } = judging(execution, automaton, options?.atomicity);
  const configurations = new Configurations(automaton, execution.calls.length);
  const judge = options?.isSmallest ? new OwnOrder(execution, steps, configurations) : orders;
  return new Bounded(execution, steps, judge, options);
}

/** Explores the schedules that a strategy chooses. */
export function bySamples(
  execution: Execution,
  automaton: Automaton,
  strategy: Strategy,
  options: SamplingOptions & EngineOptions,
): Engine {
  const { steps, orders } = judging(execution, automaton, options.atomicity);
  return new Sampling(execution, steps, orders, strategy, options);
}

function judging(
  execution: Execution,
  automaton: Automaton,
  atomicity: Atomicity | undefined,
  turns?: Turns,
): { steps: HappensBefore; orders: Judge } {
  const steps = new HappensBefore(execution, turns);
  const orders = ordersOf(execution, automaton, steps);
  if (atomicity === undefined) return { steps, orders };
  const judge = (): ScheduleViolation | undefined => {
    atomicity.look(execution, steps);
    return orders.judge();
  };
  return {
    steps,
    orders: {
      judge,
      get histories() {
        return orders.histories;
      },
    },
  };
}

const ordersOf = (execution: Execution, automaton: Automaton, steps: Steps): Orders =>
  new Orders(
    execution,
    steps,
    new Boundary(execution, steps),
    new Configurations(automaton, execution.calls.length),
  );
