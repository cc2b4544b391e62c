/**
 * One matrix explored: what serial runs show is learnt, then all other schedules are checked against it.
 *
 *   S. Burckhardt, C. Dern, M. Musuvathi, R. Tan. Line-Up: a complete and automatic
 *   linearizability checker. PLDI 2010.
 *
 * Phase 1 learns from all serial runs, unless there is a spec. If these disagree with each other
 * the object is not deterministic, and no deterministic specification explains it. Phase 2 tries
 * schedules, as stages.ts tells.
 */
import { type History, HistoryBuilder } from '../history/index.js';
import { Atomicity, type Warnings } from './atomicity.js';
import type { Automaton } from './automaton.js';
import { Blocks } from './blocks.js';
import { checkControlled } from './controlled.js';
import { DataRaces } from './data-races.js';
import type { Coverage, Effort, Engine, Schedule } from './engine.js';
import { Execution } from './execution.js';
import { LearntAutomaton } from './learnt-automaton.js';
import type { Matrix } from './matrix.js';
import { OPEN } from './outcomes.js';
import type { Patience } from './patience.js';
import type { Program } from './program.js';
import { placesOf, type RacePlaces } from './race-places.js';
import type { Scenario } from './scenario.js';
import { Serial } from './serial.js';
import { type SerialHistory, SerialTrie } from './serial-trie.js';
import { SpecAutomaton } from './spec-automaton.js';
import { type StageOptions, stagesOf } from './stages.js';
import { programOf, runtime } from './transform/index.js';

export interface LineUpOptions extends StageOptions {
  readonly allowNondeterminism?: boolean | undefined;
  /** Are executions also asked whether they are serializable? */
  readonly atomicity?: boolean | undefined;
}

/** What is wrong, and how to make it happen again. */
export type Violation =
  | { readonly kind: 'outcome' | 'wait'; readonly operation: number; readonly schedule: Schedule }
  /** Two serial histories that differ only in how the last call ended. */
  | { readonly kind: 'nondeterminism'; readonly histories: readonly [History, History] };

/** What came of a test. Counts of an effort are sums over all engines. */
export interface Explored extends Readonly<Omit<Effort, 'depth'>> {
  readonly matrix: Matrix;
  readonly program: Program;
  readonly violation: Violation | undefined;
  /** What has been covered, by one engine after another. */
  readonly coverage: readonly Coverage[];
  /** Nodes of the tree of serial histories; 0 where there is a spec. */
  readonly serial: number;
  /** Between plain accesses. */
  readonly races: readonly RacePlaces[];
  readonly warnings: Warnings | undefined;
}

/** Steps between two looks at the clock. */
const FUEL = 2_000;

export function programOfMatrix({ create, methods }: Scenario, matrix: Matrix): Program {
  return programOf({ create, methods, ...matrix }) as Program;
}

export function lineUp(
  scenario: Scenario,
  matrix: Matrix,
  options: LineUpOptions,
  patience: Patience,
): Explored {
  const { blocks } = options;
  const program = programOfMatrix(scenario, matrix);
  const execution = new Execution(
    program,
    blocks && new Blocks(blocks, (site) => runtime.sites.placeOf(site)),
  );
  const races = new DataRaces(execution);
  const atomicity = options.atomicity ? new Atomicity() : undefined;
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
      races: placesOf(races.all),
      warnings: atomicity?.warnings,
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
    if (trie.nondeterminism !== undefined && !options.allowNondeterminism) {
      const [one, other] = trie.nondeterminism.map((history) => historyOf(execution, history));
      return explored({ kind: 'nondeterminism', histories: [one, other] });
    }
    automaton = new LearntAutomaton(trie);
  }

  for (const { until, begin } of stagesOf(execution, automaton, options, atomicity)) {
    const engine = begin();
    engines.push(engine);
    let found = engine.advance(FUEL);
    const goesOn = () => found === undefined || (options.onClass !== undefined && found !== 'done');
    while (goesOn() && !patience.isOver(until)) found = engine.advance(FUEL);
    if (engine.coverage !== undefined) coverage.push(engine.coverage);
    if (found === 'done') break;
    if (found === undefined) continue;
    checkControlled(program, found.schedule);
    return explored(found);
  }
  return explored();
}

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
