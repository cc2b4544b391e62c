/**
 * The engines as the tests see them: what they find out about a program. Parts can be replaced by
 * wrong ones, to see whether anybody notices.
 */
import type { Blocks } from '../../../src/execution/atomic-blocks.js';
import { Execution } from '../../../src/execution/execution.js';
import { Fingerprint } from '../../../src/execution/fingerprint.js';
import type { Program } from '../../../src/execution/program.js';
import { Configurations } from '../../../src/explore/automata/configurations.js';
import { Boundary } from '../../../src/explore/classes/boundary.js';
import { Uninterrupted, WholeBlocks } from '../../../src/explore/classes/contract-blocks.js';
import { HappensBefore, Turns } from '../../../src/explore/classes/happens-before.js';
import { Orders } from '../../../src/explore/classes/orders.js';
import { Dpor } from '../../../src/explore/engines/dpor.js';
import { byBound, byEither, bySamples } from '../../../src/explore/engines/engines.js';
import { Path } from '../../../src/explore/engines/path.js';
import { Races } from '../../../src/explore/engines/races.js';
import type { Strategy } from '../../../src/explore/engines/sampling.js';
import { SleepSets } from '../../../src/explore/engines/sleep-sets.js';
import { Stateful, Tried } from '../../../src/explore/engines/stateful.js';
import { SequentialRuns } from '../../../src/explore/learning/sequential-runs.js';
import { LearnedAutomaton, SequentialTrie } from '../../../src/explore/learning/sequential-trie.js';
import type {
  Coverage,
  Engine,
  ExplorationStats,
  Judge,
  ScheduleViolation,
} from '../../../src/explore/model/engine.js';
import { traceProgram } from '../../../src/explore/trace/trace.js';
import { type Ending, outcomesOf } from './brute-force.js';
import { renamed } from './renamed.js';

/** The parts of the engines. */
export interface Parts {
  readonly Races: typeof Races;
  readonly HappensBefore: typeof HappensBefore;
  readonly Boundary: typeof Boundary;
  readonly Configurations: typeof Configurations;
  readonly Fingerprint: typeof Fingerprint;
  readonly Turns: typeof Turns;
  readonly SleepSets: typeof SleepSets;
  readonly Tried: typeof Tried;
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
};

/** All endings that one engine says there are: all orders of each class, whatever threads that make the same calls are called. */
export function endingsByClass(program: Program, parts: Parts = PARTS): readonly Ending[] {
  const execution = new Execution(program);
  const turns = new parts.Turns(execution);
  const steps = new parts.HappensBefore(execution, turns);
  const boundary = new parts.Boundary(execution, steps);
  const endings: Ending[] = [];
  const judge = () => {
    boundary.read();
    for (const after of ordersOf(boundary))
      endings.push({ outcomes: outcomesOf(execution), pending: execution.pending(), after });
    return undefined;
  };
  runToEnd(byClasses(execution, steps, { judge, histories: 0 }, turns, parts));
  return renamed(endings, execution);
}

/** All endings of a program whose blocks are run in one step, by the classes of what it is without. */
export function endingsByWholeBlocks(program: Program, blocks: Blocks): readonly Ending[] {
  const execution = new Execution(program);
  const steps = new HappensBefore(execution);
  const whole = new WholeBlocks(execution.threads);
  const boundary = new Boundary(execution, whole);
  const endings: Ending[] = [];
  const judge = () => {
    boundary.read();
    for (const after of ordersOf(boundary))
      endings.push({ outcomes: outcomesOf(execution), pending: execution.pending(), after });
    return undefined;
  };
  const wrong = { judge: () => ({ kind: 'outcome', operation: 0, schedule: [] }) as const, histories: 0 };
  const parts = { steps, all: wrong, whole, left: { judge, histories: 0 } };
  const judged = new Uninterrupted(parts, blocks, (schedule) => traceProgram(program, schedule));
  runToEnd(byClasses(execution, steps, judged, undefined, PARTS));
  return endings;
}

/** All orders of calls and returns that a class allows: operation to those that returned before it was called. */
function ordersOf(boundary: Boundary): number[][] {
  const { ended, callAfterCalls, callAfterReturns, returnAfterCalls, returnAfterReturns } = boundary;
  const orders = new Map<string, number[]>();
  const after = Array.from(callAfterCalls, () => 0);
  const goOn = (called: number, returned: number): void => {
    if (returned === ended) orders.set(after.join(), [...after]);
    for (let k = 0; k < after.length; k++) {
      const bit = 1 << k;
      if (!(ended & bit)) continue;
      if (!(called & bit)) {
        if (callAfterCalls[k] & ~called || callAfterReturns[k] & ~returned) continue;
        after[k] = returned;
        goOn(called | bit, returned);
        after[k] = 0;
      } else if (!(returned & bit) && !(returnAfterCalls[k] & ~called || returnAfterReturns[k] & ~returned))
        goOn(called, returned | bit);
    }
  };
  goOn(0, 0);
  return [...orders.values()];
}

/** What the two engines find in a program, against the specification learnt from its serial runs. */
export function findingsOf(
  program: Program,
  engine: 'classes' | 'states',
  parts: Parts = PARTS,
): readonly ScheduleViolation[] {
  const { execution, automaton } = learnt(program);
  const configurations = new parts.Configurations(automaton, execution.calls.length);
  const turns = new parts.Turns(execution);
  if (engine === 'states') {
    const fingerprint = new parts.Fingerprint(execution);
    const tried = new parts.Tried(execution, new parts.SleepSets(execution.threads));
    return runToEnd(new Stateful({ execution, fingerprint, configurations, tried, turns }));
  }
  const steps = new parts.HappensBefore(execution, turns);
  const orders = new Orders(execution, steps, new parts.Boundary(execution, steps), configurations);
  return runToEnd(byClasses(execution, steps, orders, turns, parts));
}

/** What it costs to explore a program by classes. */
export function effortByClasses(program: Program, parts: Parts): ExplorationStats {
  const execution = new Execution(program);
  const turns = new parts.Turns(execution);
  const steps = new parts.HappensBefore(execution, turns);
  const engine = byClasses(execution, steps, { judge: () => undefined, histories: 0 }, turns, parts);
  runToEnd(engine);
  return engine.stats;
}

function byClasses(
  execution: Execution,
  steps: HappensBefore,
  judge: Judge,
  turns: Turns | undefined,
  parts: Parts,
): Engine {
  const path = new Path(steps, new parts.SleepSets(execution.threads));
  return new Dpor({ execution, steps, path, races: new parts.Races(execution, steps, path), judge, turns });
}

function runToEnd(engine: Engine): readonly ScheduleViolation[] {
  const findings: ScheduleViolation[] = [];
  for (;;) {
    const found = engine.advance(1_000);
    if (found === 'done') break;
    if (found) findings.push(found);
    if (engine.stats.executions > 200_000 || engine.stats.unfinished > 0)
      throw new Error(`${engine.name}: no end after ${JSON.stringify(engine.stats)}`);
  }
  return findings;
}

/** What is found by states and by classes in turns. */
export function findingsByEither(program: Program): {
  findings: readonly ScheduleViolation[];
  coverage: Coverage | undefined;
} {
  const { execution, automaton } = learnt(program);
  const engine = byEither(execution, automaton);
  return { findings: runToEnd(engine), coverage: engine.coverage };
}

/** What is found with no bound on preemptions in the end. */
export function findingsByBound(program: Program): {
  findings: readonly ScheduleViolation[];
  coverage: Coverage | undefined;
} {
  const { execution, automaton } = learnt(program);
  const engine = byBound(execution, automaton);
  return { findings: runToEnd(engine), coverage: engine.coverage };
}

/** Does one of some samples show a violation? */
export function sampled(program: Program, strategy: Strategy, samples: number): boolean {
  const { execution, automaton } = learnt(program);
  return runToEnd(bySamples(execution, automaton, strategy, { samples })).length > 0;
}

/** The serial histories of a program, and how often it was run; `isShared`: what is known of a state is not run again. */
export function serialRuns(
  program: Program,
  isShared: boolean,
  OwnFingerprint: typeof Fingerprint = Fingerprint,
): { histories: readonly string[]; executions: number } {
  const execution = new Execution(program);
  const trie = new SequentialTrie(execution.calls.length);
  const fingerprint = isShared ? new OwnFingerprint(execution) : undefined;
  const serial = new SequentialRuns(execution, trie, { fingerprint });
  serial.advance(Number.POSITIVE_INFINITY);
  const histories = trie
    .histories()
    .map((history) =>
      history
        .map(({ operation, outcome }) => [operation, JSON.stringify(execution.outcomes.at(outcome))])
        .join(' '),
    );
  return { histories: histories.sort(), executions: serial.stats.executions };
}

function learnt(program: Program): { execution: Execution; automaton: LearnedAutomaton } {
  const execution = new Execution(program);
  const trie = new SequentialTrie(execution.calls.length);
  new SequentialRuns(execution, trie, { fingerprint: new Fingerprint(execution) }).advance(
    Number.POSITIVE_INFINITY,
  );
  return { execution, automaton: new LearnedAutomaton(trie) };
}
