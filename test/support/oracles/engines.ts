/**
 * Runs the exploration engines to the end, for comparison with brute force.
 *
 * Parts of the engines can be replaced by faulty ones, to test that the comparison detects the fault.
 */
import type { Blocks } from '../../../src/execution/atomic-blocks.js';
import { Execution } from '../../../src/execution/execution.js';
import { Fingerprint } from '../../../src/execution/fingerprint.js';
import type { Program } from '../../../src/execution/program.js';
import { Configurations } from '../../../src/explore/automata/configurations.js';
import { ContractedJudge, WholeBlocks } from '../../../src/explore/classes/contract-blocks.js';
import { DataRaces, placesOf, type RacePlaces } from '../../../src/explore/classes/data-races.js';
import { HappensBefore, Turns } from '../../../src/explore/classes/happens-before.js';
import { Boundary, Orders } from '../../../src/explore/classes/orders.js';
import { Dpor } from '../../../src/explore/engines/dpor.js';
import { byBound, byEither, bySamples } from '../../../src/explore/engines/engines.js';
import { Races } from '../../../src/explore/engines/races.js';
import type { Strategy } from '../../../src/explore/engines/sampling.js';
import { Path, SleepSets } from '../../../src/explore/engines/sleep-sets.js';
import { Stateful, Tried } from '../../../src/explore/engines/stateful.js';
import { SymmetricStates } from '../../../src/explore/engines/symmetric-states.js';
import { LearnedAutomaton, LearnedRuns } from '../../../src/explore/learning/learned-runs.js';
import { SequentialRuns } from '../../../src/explore/learning/sequential-runs.js';
import type {
  Coverage,
  Engine,
  ExplorationStats,
  Judge,
  ScheduleViolation,
} from '../../../src/explore/model/engine.js';
import { traceProgram } from '../../../src/explore/trace/trace.js';
import { type World, worldText } from '../generators/random-program.js';
import { outcomesOf, type ProgramResult } from './brute-force.js';
import { closeUnderSymmetry } from './renamed.js';

/** The replaceable parts of the engines. */
export interface Parts {
  readonly Races: typeof Races;
  readonly HappensBefore: typeof HappensBefore;
  readonly Boundary: typeof Boundary;
  readonly Configurations: typeof Configurations;
  readonly Fingerprint: typeof Fingerprint;
  readonly Turns: typeof Turns;
  readonly SleepSets: typeof SleepSets;
  readonly Tried: typeof Tried;
  readonly SymmetricStates: typeof SymmetricStates;
}
export const PARTS: Parts = {
  Races,
  HappensBefore,
  Boundary,
  Configurations,
  Fingerprint,
  Turns,
  SleepSets,
  Tried,
  SymmetricStates,
};

/** All results by partial-order reduction: every order of each equivalence class, closed under symmetry of threads. */
export function resultsByDpor(program: Program, parts: Parts = PARTS): readonly ProgramResult[] {
  const execution = new Execution(program);
  const turns = new parts.Turns(execution);
  const steps = new parts.HappensBefore(execution, turns);
  const boundary = new parts.Boundary(execution, steps);
  const results: ProgramResult[] = [];
  const judge = () => {
    boundary.read();
    for (const after of ordersOf(boundary))
      results.push({ outcomes: outcomesOf(execution), pending: execution.pending(), after });
    return undefined;
  };
  runToEnd(createDpor(execution, steps, { judge, histories: 0 }, turns, parts));
  return closeUnderSymmetry(results, execution);
}

/** The data races that one schedule of each equivalence class shows. */
export function racesByDpor(program: Program, parts: Parts = PARTS): readonly RacePlaces[] {
  const execution = new Execution(program);
  const races = new DataRaces(execution);
  const turns = new parts.Turns(execution);
  const steps = new parts.HappensBefore(execution, turns);
  runToEnd(createDpor(execution, steps, { judge: () => undefined, histories: 0 }, turns, parts));
  return placesOf(races.all);
}

/** All results that the stateful search reaches. The history is part of its state, so no two histories are merged. */
export function resultsByStates(
  program: Program,
  parts: Parts = PARTS,
): readonly ProgramResult[] | undefined {
  const execution = new Execution(program);
  const histories = new Histories(execution);
  const fingerprint = new parts.Fingerprint(execution);
  const tried = new parts.Tried(execution, new parts.SleepSets(execution.threads, execution.memory));
  const turns = new parts.Turns(execution);
  const configurations = histories as unknown as Configurations;
  runToEnd(new Stateful({ execution, fingerprint, configurations, tried, turns }));
  return fingerprint.hasOpaqueObjects ? undefined : closeUnderSymmetry(histories.results, execution);
}

/** What a `ProgramResult` has, so far: outcomes by number, and the operations that have returned. */
interface PartialHistory {
  readonly after: readonly number[];
  readonly outcomes: readonly number[];
  readonly returned: number;
}

/** Configurations that explain everything: each history is one. */
class Histories {
  readonly initial: number = 0;
  readonly results: ProgramResult[] = [];
  readonly #execution: Execution;
  readonly #numbers = new Map<string, number>();
  readonly #histories: PartialHistory[];

  constructor(execution: Execution) {
    this.#execution = execution;
    this.#histories = [
      { after: execution.calls.map(() => 0), outcomes: execution.calls.map(() => -1), returned: 0 },
    ];
  }

  call(set: number, operation: number): number {
    const history = this.#histories[set];
    return this.#numberOf({ ...history, after: history.after.with(operation, history.returned) });
  }

  return(set: number, operation: number, outcome: number): number {
    const history = this.#histories[set];
    const outcomes = history.outcomes.with(operation, outcome);
    return this.#numberOf({ ...history, outcomes, returned: history.returned | (1 << operation) });
  }

  needlessWait(set: number): number {
    const { after, outcomes, returned } = this.#histories[set];
    const texts = outcomes.map((outcome) =>
      outcome < 0 ? '' : JSON.stringify(this.#execution.outcomes.at(outcome)),
    );
    const ended = after.map((before, k) => (returned & (1 << k) ? before : 0));
    this.results.push({ outcomes: texts, pending: this.#execution.pending(), after: ended });
    return -1;
  }

  #numberOf(history: PartialHistory): number {
    const key = JSON.stringify(history);
    const number = this.#numbers.get(key) ?? this.#histories.push(history) - 1;
    this.#numbers.set(key, number);
    return number;
  }
}

/** All results of a program with atomic blocks, by contracting the equivalence classes of the program without them. */
export function resultsByContraction(program: Program, blocks: Blocks): readonly ProgramResult[] {
  const execution = new Execution(program);
  const steps = new HappensBefore(execution);
  const whole = new WholeBlocks(execution.threads);
  const boundary = new Boundary(execution, whole);
  const results: ProgramResult[] = [];
  const judge = () => {
    boundary.read();
    for (const after of ordersOf(boundary))
      results.push({ outcomes: outcomesOf(execution), pending: execution.pending(), after });
    return undefined;
  };
  const wrong = { judge: () => ({ kind: 'outcome', operation: 0, schedule: [] }) as const, histories: 0 };
  // every wait is allowed: this oracle is about executions that end
  const configurations = { initial: 0, call: () => 0, return: () => 0, needlessWait: () => -1 };
  const parts = {
    execution,
    configurations: configurations as unknown as Configurations,
    steps,
    all: wrong,
    whole,
    left: { judge, histories: 0 },
  };
  const judged = new ContractedJudge(parts, blocks, (schedule) => traceProgram(program, schedule));
  runToEnd(createDpor(execution, steps, judged, undefined, PARTS));
  return results;
}

/** All orders of calls and returns in an equivalence class: for each operation, those that returned before its call. */
function ordersOf(boundary: Boundary): number[][] {
  const { ended, callAfterCalls, callAfterReturns, returnAfterCalls, returnAfterReturns } = boundary;
  const orders = new Map<string, number[]>();
  const after = Array.from(callAfterCalls, () => 0);
  const extend = (called: number, returned: number): void => {
    if (returned === ended) orders.set(after.join(), [...after]);
    for (let k = 0; k < after.length; k++) {
      const bit = 1 << k;
      if (!(ended & bit)) continue;
      if (!(called & bit)) {
        if (callAfterCalls[k] & ~called || callAfterReturns[k] & ~returned) continue;
        after[k] = returned;
        extend(called | bit, returned);
        after[k] = 0;
      } else if (!(returned & bit) && !(returnAfterCalls[k] & ~called || returnAfterReturns[k] & ~returned))
        extend(called, returned | bit);
    }
  };
  extend(0, 0);
  return [...orders.values()];
}

/**
 * The violations that an engine finds, against the specification learned from sequential runs. `symmetric`: stateful search, with states
 * up to names where that is possible.
 */
export function violationsBy(
  program: Program,
  engine: 'dpor' | 'stateful' | 'symmetric',
  parts: Parts = PARTS,
): readonly ScheduleViolation[] {
  if (engine === 'symmetric') return symmetricSearch(program, parts);
  const { execution, automaton } = learn(program);
  const configurations = new parts.Configurations(automaton, execution.calls.length);
  const turns = new parts.Turns(execution);
  if (engine === 'stateful') {
    const fingerprint = new parts.Fingerprint(execution);
    const tried = new parts.Tried(execution, new parts.SleepSets(execution.threads, execution.memory));
    return runToEnd(new Stateful({ execution, fingerprint, configurations, tried, turns }));
  }
  const steps = new parts.HappensBefore(execution, turns);
  const orders = new Orders(execution, steps, new parts.Boundary(execution, steps), configurations);
  return runToEnd(createDpor(execution, steps, orders, turns, parts));
}

/** Stateful search with states up to names, if that is possible. */
function symmetricSearch(program: Program, parts: Parts): readonly ScheduleViolation[] {
  const { execution, automaton } = learn(program);
  const configurations = new parts.Configurations(automaton, execution.calls.length);
  const tried = new parts.Tried(execution, new parts.SleepSets(execution.threads, execution.memory));
  const turns = new parts.Turns(execution);
  const symmetric = parts.SymmetricStates.of(execution, automaton, configurations);
  if (symmetric) turns.drop();
  const fingerprint = symmetric ?? new parts.Fingerprint(execution);
  return runToEnd(new Stateful({ execution, fingerprint, configurations, tried, turns }));
}

/** What stateful search visits without a specification. */
interface Visited {
  readonly states: number;
  /** The final states: shared variables and locks, and the calls that are blocked, without the names of threads. */
  readonly final: ReadonlySet<string>;
  readonly isSymmetric: boolean;
}

/** Visits all states. No set of configurations distinguishes them, so each merge shows. `areNamesIgnored`: states are compared up to names. */
export function visitedBy(program: Program, areNamesIgnored: boolean, parts: Parts = PARTS): Visited {
  const execution = new Execution({ ...program, symmetricThreads: [] });
  const final = new Set<string>();
  const needlessWait = (_: number, pending: readonly number[]): number => {
    const blocked = pending.map((operation) => execution.calls[operation].method).sort();
    final.add(`${worldText(execution.object as World)} ${blocked}`);
    return -1;
  };
  const unconstrained = { initial: 0, call: () => 0, return: () => 0, renamed: () => 0, needlessWait };
  const configurations = unconstrained as unknown as Configurations;
  const automaton = { renames: 'threads' } as unknown as LearnedAutomaton;
  const tried = new parts.Tried(execution, new parts.SleepSets(execution.threads, execution.memory));
  const turns = new Turns(execution);
  const symmetric = areNamesIgnored && parts.SymmetricStates.of(execution, automaton, configurations);
  const fingerprint = symmetric || new Fingerprint(execution);
  const engine = new Stateful({ execution, fingerprint, configurations, tried, turns });
  runToEnd(engine);
  return { states: engine.stats.states, final, isSymmetric: Boolean(symmetric) };
}

/** The number of states up to names against the specification learned from sequential runs; undefined if there is no symmetry. */
export function statesUpToNames(program: Program, parts: Parts): number | undefined {
  const { execution, automaton } = learn({ ...program, symmetricThreads: [] });
  const configurations = new parts.Configurations(automaton, execution.calls.length);
  const fingerprint = parts.SymmetricStates.of(execution, automaton, configurations);
  if (!fingerprint) return undefined;
  const tried = new parts.Tried(execution, new parts.SleepSets(execution.threads, execution.memory));
  const turns = new parts.Turns(execution);
  const engine = new Stateful({ execution, fingerprint, configurations, tried, turns });
  runToEnd(engine);
  return engine.stats.states;
}

/** The statistics of partial-order reduction on a program. */
export function dporStats(program: Program, parts: Parts): ExplorationStats {
  const execution = new Execution(program);
  const turns = new parts.Turns(execution);
  const steps = new parts.HappensBefore(execution, turns);
  const engine = createDpor(execution, steps, { judge: () => undefined, histories: 0 }, turns, parts);
  runToEnd(engine);
  return engine.stats;
}

function createDpor(
  execution: Execution,
  steps: HappensBefore,
  judge: Judge,
  turns: Turns | undefined,
  parts: Parts,
): Engine {
  const path = new Path(steps, new parts.SleepSets(execution.threads, execution.memory));
  return new Dpor({ execution, steps, path, races: new parts.Races(execution, steps, path), judge, turns });
}

function runToEnd(engine: Engine): readonly ScheduleViolation[] {
  const violations: ScheduleViolation[] = [];
  for (;;) {
    const found = engine.advance(1_000);
    if (found === 'done') break;
    if (found) violations.push(found);
    if (engine.stats.executions > 200_000 || engine.stats.unfinished > 0)
      throw new Error(`${engine.name}: not finished after ${JSON.stringify(engine.stats)}`);
  }
  return violations;
}

/** The violations found by stateful search and partial-order reduction in turns. */
export function violationsByAlternation(program: Program): {
  violations: readonly ScheduleViolation[];
  coverage: Coverage | undefined;
} {
  const { execution, automaton } = learn(program);
  const engine = byEither(execution, automaton);
  return { violations: runToEnd(engine), coverage: engine.coverage };
}

/**
 * The violations found by raising the preemption bound until it no longer limits any schedule. With `isSmallest` until the end of the
 * bound that has the first one, and each is smaller than the one before.
 */
export function violationsByBound(
  program: Program,
  isSmallest = false,
): {
  violations: readonly ScheduleViolation[];
  coverage: Coverage | undefined;
} {
  const { execution, automaton } = learn(program);
  const engine = byBound(execution, automaton, { isSmallest });
  return { violations: runToEnd(engine), coverage: engine.coverage };
}

/** Does random sampling find a violation? */
export function isFoundBySampling(program: Program, strategy: Strategy, samples: number): boolean {
  const { execution, automaton } = learn(program);
  return runToEnd(bySamples(execution, automaton, strategy, { samples })).length > 0;
}

/** The sequential histories of a program, and the number of executions; `isShared` reuses known continuations of equal states. */
export function sequentialRuns(
  program: Program,
  isShared: boolean,
  OwnFingerprint: typeof Fingerprint = Fingerprint,
): { histories: readonly string[]; executions: number } {
  const execution = new Execution(program);
  const learned = new LearnedRuns(execution.calls.length);
  const fingerprint = isShared ? new OwnFingerprint(execution) : undefined;
  const runs = new SequentialRuns(execution, learned, { fingerprint });
  runs.advance(Number.POSITIVE_INFINITY);
  const histories = Array.from(learned.runs(), ({ run }) =>
    run
      .map(({ operation, delivered }) => [
        operation,
        ...Array.from(delivered.values(), (outcome) => JSON.stringify(execution.outcomes.at(outcome))),
      ])
      .join(' '),
  );
  return { histories: histories.sort(), executions: runs.stats.executions };
}

function learn(program: Program): { execution: Execution; automaton: LearnedAutomaton } {
  const execution = new Execution(program);
  const learned = new LearnedRuns(execution.calls.length);
  new SequentialRuns(execution, learned, { fingerprint: new Fingerprint(execution) }).advance(
    Number.POSITIVE_INFINITY,
  );
  return { execution, automaton: new LearnedAutomaton(learned) };
}
