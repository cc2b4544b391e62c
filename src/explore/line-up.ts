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
import { Blocks } from '../execution/atomic-blocks.js';
import { Execution } from '../execution/execution.js';
import { Fingerprint } from '../execution/fingerprint.js';
import type { Program } from '../execution/program.js';
import { programOf } from '../instrument/instrumented-program.js';
import { runtime } from '../instrument/runtime/runtime.js';
import { type AsyncProgram, asyncProgram } from './async/program.js';
import { asyncLineUp } from './async-line-up.js';
import { givenAutomaton } from './automata/spec-automaton.js';
import { Atomicity } from './classes/atomicity.js';
import { DataRaces, placesOf } from './classes/data-races.js';
import { byWholeBlocks } from './engines/engines.js';
import { observedTrie, setFor } from './learning/read-observations.js';
import { Serial } from './learning/serial.js';
import { allowedFor, drawnHistory, type SerialEnding, serialEndings } from './learning/serial-endings.js';
import { LearntAutomaton, SerialTrie } from './learning/serial-trie.js';
import { observationSet } from './learning/write-observations.js';
import { type AnyAutomaton, isMeeting } from './model/automaton.js';
import type { Patience } from './model/deadline.js';
import type { Coverage, Effort, Engine } from './model/engine.js';
import { workerProgram } from './real-threads/program.js';
import type { Explored, LineUpOptions, Violation } from './result.js';
import type { Matrix } from './scenario/matrix.js';
import type { Scenario } from './scenario/scenario.js';
import { runStages, stagesOf } from './stages.js';
import { checkControlled } from './trace/assert-deterministic.js';
import { trace } from './trace/trace.js';

/** Steps between two looks at the clock; those of real threads take long. */
const FUEL = 2_000;
const REAL_FUEL = 50;

export function programOfMatrix(scenario: Scenario, matrix: Matrix): Program | AsyncProgram {
  return scenario.backend === 'async' ? asyncProgram(scenario, matrix) : threadsOf(scenario, matrix);
}

function threadsOf(scenario: Scenario, matrix: Matrix): Program {
  if (scenario.backend === 'workers') return workerProgram(scenario, matrix);
  const { create, methods, spuriousWakeups } = scenario;
  return {
    ...(programOf({ create: create as () => object, methods, ...matrix }) as Program),
    spuriousWakeups,
  };
}

export function lineUp(
  scenario: Scenario,
  matrix: Matrix,
  options: LineUpOptions,
  patience: Patience,
): Explored {
  if (scenario.backend === 'async') return asyncLineUp(scenario, matrix, options, patience);
  const program = threadsOf(scenario, matrix);
  const blocks = options.blocks && new Blocks(options.blocks, (site) => runtime.sites.placeOf(site));
  const execution = new Execution(program, program.isOpaque ? undefined : blocks);
  const fuel = program.isOpaque ? REAL_FUEL : FUEL;
  const races = new DataRaces(execution);
  const atomicity = options.atomicity ? new Atomicity() : undefined;
  const trie = new SerialTrie(execution.calls.length);
  const fingerprint = program.isOpaque ? undefined : new Fingerprint(execution);
  const serial = new Serial(execution, trie, { fingerprint });
  const coverage: Coverage[] = [];
  const engines: Engine[] = [];
  let observations: string | undefined;
  let known = trie;
  let endings: readonly SerialEnding[] = [];
  const explored = (violation?: Violation): Explored => {
    const efforts = [serial.effort, ...engines.map(({ effort }) => effort)];
    const sum = (of: keyof Effort) => efforts.reduce((total, effort) => total + effort[of], 0);
    return {
      matrix,
      program,
      violation,
      coverage,
      serial: known.edges.length - 1,
      endings,
      races: placesOf(races.all),
      warnings: atomicity?.warnings,
      observations,
      asked: [],
      strangers: [],
      seesThreads: execution.memory.isThreadSeen,
      spins: execution.memory.hasSpun,
      executions: sum('executions'),
      steps: sum('steps'),
      unfinished: sum('unfinished'),
      states: sum('states'),
      classes: sum('classes'),
      histories: sum('histories'),
    };
  };

  let automaton: AnyAutomaton;
  const observed = setFor(matrix, options.observed);
  if (observed !== undefined) {
    known = observedTrie(observed, execution);
    automaton = new LearntAutomaton(known);
    // the object that was observed may have told threads apart
    execution.memory.isThreadSeen = true;
  } else if (scenario.spec !== undefined)
    automaton = givenAutomaton(scenario.spec, execution.calls, execution.outcomes);
  else {
    while (!serial.advance(fuel)) if (patience.isOver()) return explored();
    // what is not known to the end explains nothing
    if (serial.effort.unfinished > 0) return explored();
    endings = serialEndings(trie, execution.calls, execution.thrown);
    if (options.isObserving) observations = observationSet(matrix, execution, trie);
    if (trie.nondeterminism !== undefined && !options.allowNondeterminism) {
      const { calls, threadOf, memory, outcomes } = execution;
      const callOf = (k: number) => ({ ...calls[k], process: memory.processOf(threadOf[k]) });
      const [one, other] = trie.nondeterminism.map((history) => drawnHistory(history, callOf, outcomes));
      return explored({ kind: 'nondeterminism', histories: [one, other] });
    }
    automaton = new LearntAutomaton(trie);
  }

  const whole = (of: Blocks) =>
    byWholeBlocks(execution, automaton, of, (schedule) => trace(program, schedule));
  const stages =
    blocks && program.isOpaque
      ? [{ until: 1, begin: () => whole(blocks) }]
      : stagesOf(execution, automaton, { ...options, isOpaque: program.isOpaque }, atomicity);
  const found = runStages(stages, { engines, coverage }, patience, {
    fuel,
    goesOn: options.onClass !== undefined,
  });
  if (found === undefined) return explored();
  const went = checkControlled(program, found.schedule);
  if (isMeeting(automaton) || scenario.spec !== undefined) return explored(found);
  return explored({ ...found, allowed: allowedFor(found.operation, went, automaton, execution.outcomes) });
}
