/**
 * One matrix of asynchronous code explored, as line-up.ts does for threads: learn from serial runs, unless there is a spec,
 * then try all orders of tasks; if half of the time is not enough for that, those with few preemptions; and then samples.
 */
import { control } from '../event-loop/control.js';
import { type Foreign, foreignIn } from '../event-loop/foreign-handles.js';
import { checkOwnTask } from '../event-loop/own-task.js';
import { Blocks } from '../execution/atomic-blocks.js';
import { ScenarioError } from '../execution/memory/program-error.js';
import { Outcomes } from '../execution/outcomes.js';
import { runtime } from '../instrument/runtime/runtime.js';
import { AsyncClasses } from './async/dpor.js';
import { AsyncPlanned, AsyncSamples, AsyncTree, type Look, planned } from './async/engines.js';
import { AsyncJudge, isInterrupted } from './async/judge.js';
import { type AsyncProgram, asyncProgram } from './async/program.js';
import { AsyncRun } from './async/run.js';
import { AsyncSerial } from './async/serial.js';
import { asyncTrace, processOf } from './async/trace.js';
import { Configurations } from './automata/configurations.js';
import { givenAutomaton } from './automata/spec-automaton.js';
import { allowedFor, drawnHistory, type SerialEnding, serialEndings } from './learning/serial-endings.js';
import { LearntAutomaton, SerialTrie } from './learning/serial-trie.js';
import { type AnyAutomaton, isMeeting } from './model/automaton.js';
import type { Patience } from './model/deadline.js';
import type { Coverage, Engine, Finding } from './model/engine.js';
import type { Explored, LineUpOptions, Violation } from './result.js';
import type { Matrix } from './scenario/matrix.js';
import type { Scenario } from './scenario/scenario.js';
import { BOUNDED, EXHAUSTIVE, runStages, type Stage } from './stages.js';
import { checkControlled } from './trace/assert-deterministic.js';

/** Tasks between two looks at the clock. */
const FUEL = 500;

export function asyncLineUp(
  scenario: Scenario,
  matrix: Matrix,
  options: LineUpOptions,
  patience: Patience,
): Explored {
  control();
  checkOwnTask();
  const program = asyncProgram(scenario, matrix);
  const { calls } = program;
  const outcomes = new Outcomes();
  const run = new AsyncRun(program, outcomes);
  const trie = new SerialTrie(calls.length);
  const outside = new Outside(run);
  const serial = new AsyncSerial(run, trie, () => outside.check(true));
  const coverage: Coverage[] = [];
  const engines: Engine[] = [];
  let endings: readonly SerialEnding[] = [];
  const explored = (violation?: Violation): Explored => {
    const efforts = [serial.effort, ...engines.map(({ effort }) => effort)];
    const sum = (of: 'executions' | 'steps' | 'unfinished' | 'classes') =>
      efforts.reduce((total, effort) => total + effort[of], 0);
    return {
      matrix,
      program,
      violation,
      coverage,
      serial: trie.edges.length - 1,
      endings,
      executions: sum('executions'),
      steps: sum('steps'),
      unfinished: sum('unfinished'),
      states: 0,
      classes: sum('classes'),
      histories: 0,
      asked: [...run.asked],
      strangers: engines.flatMap((engine) =>
        engine instanceof AsyncClasses ? [...engine.footprints.strangers] : [],
      ),
      seesThreads: false,
      spins: false,
      races: [],
      warnings: undefined,
      observations: undefined,
    };
  };

  let automaton: AnyAutomaton;
  if (scenario.spec !== undefined) automaton = givenAutomaton(scenario.spec, calls, outcomes);
  else {
    while (!serial.advance(FUEL)) if (patience.isOver()) return explored();
    if (serial.effort.unfinished > 0) return explored();
    endings = serialEndings(trie, calls, run.thrown);
    // a stub that may fail gives two answers, as it is meant to
    if (trie.nondeterminism !== undefined && !options.allowNondeterminism && !program.hasFaults) {
      const callOf = (k: number) => ({ ...calls[k], process: processOf(program, calls[k].thread) });
      const [one, other] = trie.nondeterminism.map((history) => drawnHistory(history, callOf, outcomes));
      return explored({ kind: 'nondeterminism', histories: [one, other] });
    }
    automaton = new LearntAutomaton(trie);
  }

  const { onClass } = options;
  const blocks = options.blocks && new Blocks(options.blocks, (site) => runtime.sites.placeOf(site));
  const judge = new AsyncJudge(run, new Configurations(automaton, calls.length));
  const look: Look = (ending) => {
    if (ending === 'stuck') outside.check(false);
    const judged = judge.judge(ending);
    const finding = judged && blocks && isLeftOut(program, judged, blocks) ? undefined : judged;
    if (ending !== 'unfinished') onClass?.(finding, () => [...run.schedule]);
    return finding;
  };
  const found = runStages(stagesOf(run, look, options), { engines, coverage }, patience, {
    fuel: FUEL,
    goesOn: onClass !== undefined,
  });
  if (found === undefined) return explored();
  const went = checkControlled(program, found.schedule);
  if (isMeeting(automaton) || scenario.spec !== undefined) return explored(found);
  return explored({ ...found, allowed: allowedFor(found.operation, went, automaton, outcomes) });
}

/** As for threads: all orders, or one of each class of them; then those with few preemptions, then samples. */
function stagesOf(
  run: AsyncRun,
  look: Look,
  { seed, preemptions, isExhaustive = false, schedule, onClass, blocks }: LineUpOptions,
): readonly Stage[] {
  if (schedule !== undefined) return [{ until: 1, begin: () => new AsyncPlanned(run, look, schedule) }];
  if (preemptions !== undefined) return [{ until: 1, begin: () => new AsyncTree(run, look, preemptions) }];
  const isReduced = canBeReduced(run.program) && onClass === undefined && blocks === undefined;
  const all = () => (isReduced ? new AsyncClasses(run, look) : new AsyncTree(run, look));
  if (isExhaustive || onClass !== undefined || blocks !== undefined) return [{ until: 1, begin: all }];
  return [
    { until: EXHAUSTIVE, begin: all },
    { until: BOUNDED, begin: () => new AsyncTree(run, look, Number.POSITIVE_INFINITY) },
    { until: 1, begin: () => new AsyncSamples(run, look, seed) },
  ];
}

/** Do tasks tell what they read and write? When calls are aborted, any of them may be in the way of that. */
const canBeReduced = ({ isRecorded, abort }: AsyncProgram): boolean => isRecorded && abort === undefined;

/** Executions in which a block is interrupted are left out; whether it is, is asked only of what is wrong. */
const isLeftOut = (program: AsyncProgram, { schedule }: Finding, blocks: Blocks): boolean =>
  isInterrupted(asyncTrace(program, schedule).awaits ?? [], blocks);

/** Does a call wait for something that is not explored? Asked once for each set of calls that wait. */
class Outside {
  readonly #run: AsyncRun;
  readonly #asked = new Set<string>();
  #first: Foreign | undefined;

  constructor(run: AsyncRun) {
    this.#run = run;
    // what is made only once, such as a connection, is made in the first execution
    this.#first = foreignIn(() => run.run(() => 0));
  }

  /** The execution that has just ended is stuck. */
  check(isSerial: boolean): void {
    const { events, schedule, program } = this.#run;
    const waiting = events.filter((event) => event >= 0 && !events.includes(~event));
    if (this.#asked.has(waiting.join())) return;
    this.#asked.add(waiting.join());
    const again = new AsyncRun(program, new Outcomes());
    const choices = [...schedule];
    const foreign = foreignIn(() => again.run(planned(choices), { isSerial })) ?? this.#first;
    if (foreign === undefined) return;
    const { method } = program.calls[waiting[0]];
    throw new ScenarioError(
      `${method} waits for something outside of the event loop that is explored: ${foreign.type}${foreign.place === '' ? '' : `, made at ${foreign.place}`}. Give the scenario a stub for it`,
    );
  }
}
