/** The histories of all executions of asynchronous code, or of those that a reduced search runs. */
import { Outcomes } from '../../../src/execution/outcomes.js';
import { SharedStates } from '../../../src/explore/async/client-names.js';
import { AsyncClasses } from '../../../src/explore/async/dpor.js';
import { AsyncTree, type Look } from '../../../src/explore/async/engines.js';
import type { AsyncProgram, Ending } from '../../../src/explore/async/program.js';
import { AsyncRun } from '../../../src/explore/async/run.js';
import { AsyncStates } from '../../../src/explore/async/stateful.js';

/** Programs with more executions are skipped. */
const MOST = 1_000;

/** A history as text: the outcomes of calls, and which calls returned before others were called. */
function historyOf({ events, outcome, standing, outcomes }: AsyncRun, ending: Ending): string {
  const ended = [...outcome].map((number, k) =>
    number < 0 ? 'open' : `${JSON.stringify(outcomes.at(number))}${standing[k]}`,
  );
  const orders = events.flatMap((event, i) =>
    event < 0 ? events.slice(i + 1).flatMap((later) => (later >= 0 ? [`${~event}<${later}`] : [])) : [],
  );
  return `${ending}: ${ended.join()}; ${orders.sort().join()}`;
}

export interface Explored {
  readonly histories: readonly string[];
  readonly executions: number;
  readonly classes: number;
  readonly strangers: readonly string[];
  /** What was not visible to the stateful search. */
  readonly declined: string | undefined;
}

function explore(
  program: AsyncProgram,
  engineOf: (run: AsyncRun, look: Look) => AsyncTree | AsyncClasses | AsyncStates,
  most: number = MOST,
): Explored | undefined {
  const run = new AsyncRun(program, new Outcomes());
  const histories = new Set<string>();
  const engine = engineOf(run, (ending) => {
    histories.add(historyOf(run, ending));
    return undefined;
  });
  while (engine.advance(1_000) !== 'done') if (engine.stats.executions > most) return undefined;
  const strangers = engine instanceof AsyncClasses ? [...engine.footprints.strangers] : [];
  const { executions, classes } = engine.stats;
  const declined = engine instanceof AsyncStates ? engine.declined : undefined;
  return { histories: [...histories].sort(), executions, classes, strangers, declined };
}

export const exploreAll = (program: AsyncProgram, most?: number): Explored | undefined =>
  explore(program, (run, look) => new AsyncTree(run, look), most);
export const exploreReduced = (program: AsyncProgram, most?: number): Explored | undefined =>
  explore(program, (run, look) => new AsyncClasses(run, look), most);

/** With the whole history as part of the state, so that no history is lost. */
export const exploreStates = (program: AsyncProgram, most?: number): Explored | undefined =>
  explore(
    program,
    (run, look) => {
      const judge = { scope: 'none', memoryIn: () => historyOf(run, 'left') } as const;
      return new AsyncStates(run, look, judge, new SharedStates(false));
    },
    most,
  );
