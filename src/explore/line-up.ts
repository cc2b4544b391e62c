/**
 * One matrix explored: what serial runs show is learnt, then all other schedules are checked against it.
 *
 *   S. Burckhardt, C. Dern, M. Musuvathi, R. Tan. Line-Up: a complete and automatic
 *   linearizability checker. PLDI 2010.
 *
 * Phase 1 learns from all serial runs, unless there is a spec. If these disagree with each other
 * the object is not deterministic, and no deterministic specification explains it. Phase 2 tries all
 * schedules; if half of the time is not enough for that, all with few preemptions; and then samples.
 */
import { Random, show } from '../base/index.js';
import { type History, HistoryBuilder } from '../history/index.js';
import type { Automaton } from './automaton.js';
import { type Block, Blocks } from './blocks.js';
import type { DporOptions } from './dpor.js';
import type { Coverage, Effort, Engine, Schedule } from './engine.js';
import { byBound, byClasses, byEither, bySamples, byStates } from './engines.js';
import { Execution } from './execution.js';
import { LearntAutomaton } from './learnt-automaton.js';
import type { Matrix } from './matrix.js';
import { OPEN } from './outcomes.js';
import type { Patience } from './patience.js';
import type { Program } from './program.js';
import type { Scenario } from './scenario.js';
import { ScenarioError } from './scenario-error.js';
import { Serial } from './serial.js';
import { type SerialHistory, SerialTrie } from './serial-trie.js';
import { SpecAutomaton } from './spec-automaton.js';
import { PartialOrderSampling } from './strategies/partial-order-sampling.js';
import { Planned } from './strategies/planned.js';
import type { Strategy } from './strategies/strategy.js';
import { type Trace, trace } from './trace.js';
import { programOf, runtime } from './transform/index.js';

export interface LineUpOptions {
  readonly seed: number;
  /** Only schedules with so many preemptions. */
  readonly preemptions?: number | undefined;
  readonly allowNondeterminism?: boolean | undefined;
  /** Nothing less than all of them, in all of the time. */
  readonly isExhaustive?: boolean | undefined;
  /** Only this one. */
  readonly schedule?: Schedule | undefined;
  /** Told of every class of schedules. Then exploring does not end with what is wrong. */
  readonly onClass?: DporOptions['onClass'];
  /** To be run in one step. Then all schedules are tried, or there is no answer. */
  readonly blocks?: readonly Block[] | undefined;
}

/** What is wrong, and how to make it happen again. */
export type Violation =
  | { readonly kind: 'outcome' | 'wait'; readonly operation: number; readonly schedule: Schedule }
  /** Two serial histories that differ only in how the last call ended. */
  | { readonly kind: 'nondeterminism'; readonly histories: readonly [History, History] };

export interface Explored {
  readonly matrix: Matrix;
  readonly program: Program;
  readonly violation: Violation | undefined;
  /** What has been covered, by one engine after another. */
  readonly coverage: readonly Coverage[];
  /** Nodes of the tree of serial histories; 0 where there is a spec. */
  readonly serial: number;
  readonly executions: number;
  readonly steps: number;
  /** Runs that were given up, because they did not come to their end. */
  readonly unfinished: number;
  /** Different states, classes, and histories among the executions, as far as engines have counted them. */
  readonly states: number;
  readonly classes: number;
  readonly histories: number;
}

/** Steps between two looks at the clock. */
const FUEL = 2_000;
/** The share of the time in which each engine has to be done. */
const EXHAUSTIVE = 0.5;
const BOUNDED = 0.8;

export function programOfMatrix({ create, methods }: Scenario, matrix: Matrix): Program {
  return programOf({ create, methods, ...matrix }) as Program;
}

export function lineUp(
  scenario: Scenario,
  matrix: Matrix,
  {
    seed,
    preemptions,
    allowNondeterminism = false,
    isExhaustive = false,
    schedule,
    onClass,
    blocks,
  }: LineUpOptions,
  patience: Patience,
): Explored {
  const program = programOfMatrix(scenario, matrix);
  const execution = new Execution(
    program,
    blocks && new Blocks(blocks, (site) => runtime.sites.placeOf(site)),
  );
  const trie = new SerialTrie(execution.calls.length);
  const serial = new Serial(execution, trie);
  const coverage: Coverage[] = [];
  const engines: Engine[] = [];
  const explored = (violation?: Violation): Explored => {
    const efforts = [serial.effort, ...engines.map(({ effort }) => effort)];
    const sum = (of: keyof Effort) => efforts.reduce((total, effort) => total + effort[of], 0);
    return {
      matrix,
      program,
      violation,
      coverage,
      serial: trie.edges.length - 1,
      executions: sum('executions'),
      steps: sum('steps'),
      unfinished: sum('unfinished'),
      states: sum('states'),
      classes: sum('classes'),
      histories: sum('histories'),
    };
  };

  let automaton: Automaton;
  if (scenario.spec !== undefined)
    automaton = new SpecAutomaton(scenario.spec, execution.calls, execution.outcomes);
  else {
    while (!serial.advance(FUEL)) if (patience.isOver()) return explored();
    // what is not known to the end explains nothing
    if (serial.effort.unfinished > 0) return explored();
    if (trie.nondeterminism !== undefined && !allowNondeterminism) {
      const [one, other] = trie.nondeterminism.map((history) => historyOf(execution, history));
      return explored({ kind: 'nondeterminism', histories: [one, other] });
    }
    automaton = new LearntAutomaton(trie);
  }

  const sampled = (strategy: Strategy, samples: number) => () =>
    bySamples(execution, automaton, strategy, { samples });
  const stages: readonly (readonly [until: number, begin: () => Engine])[] =
    schedule !== undefined
      ? [[1, sampled(new Planned(schedule), 1)]]
      : onClass !== undefined
        ? [[1, () => byClasses(execution, automaton, { onClass })]]
        : blocks !== undefined
          ? [[1, () => byStates(execution, automaton)]]
          : preemptions !== undefined
            ? [[1, () => byBound(execution, automaton, { mostPreemptions: preemptions })]]
            : [
                [isExhaustive ? 1 : EXHAUSTIVE, () => byEither(execution, automaton)],
                [BOUNDED, () => byBound(execution, automaton)],
                [1, sampled(new PartialOrderSampling(new Random(seed)), Number.POSITIVE_INFINITY)],
              ];
  for (const [until, begin] of isExhaustive ? stages.slice(0, 1) : stages) {
    const engine = begin();
    engines.push(engine);
    let found = engine.advance(FUEL);
    const goesOn = () => found === undefined || (onClass !== undefined && found !== 'done');
    while (goesOn() && !patience.isOver(until)) found = engine.advance(FUEL);
    if (engine.coverage !== undefined) coverage.push(engine.coverage);
    if (found === 'done') break;
    if (found === undefined) continue;
    checkControlled(program, found.schedule);
    return explored(found);
  }
  return explored();
}

/** A schedule gives the same again, or something is not under control, and nothing that was seen can be trusted. */
function checkControlled(program: Program, schedule: Schedule): void {
  const [one, other] = [trace(program, schedule), trace(program, schedule)];
  if (one.followed < schedule.length || eventsOf(one) !== eventsOf(other))
    throw new ScenarioError(
      'the same schedule has given other results when it was run again: something keeps state from one execution to the next, or depends on more than its arguments. Make it part of the object, or name its file in `transform`',
    );
}

const eventsOf = ({ history }: Trace): string =>
  Array.from(history, ({ process, method, outcome }) => show([process, method, outcome])).join();

/** A serial history as one that can be drawn. */
function historyOf({ calls, threadOf, outcomes, memory }: Execution, serial: SerialHistory): History {
  const builder = new HistoryBuilder();
  for (const { operation, outcome } of serial) {
    const { method, args } = calls[operation];
    const entry = builder.call({ process: memory.processOf(threadOf[operation]), method, args });
    if (outcome === OPEN) builder.markStuck();
    else builder.end(entry, outcomes.at(outcome));
  }
  return builder.finish();
}
