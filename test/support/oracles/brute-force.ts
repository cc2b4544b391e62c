/**
 * Brute-force oracle for the exploration engines: runs every schedule of a program.
 *
 * It uses no reduction. Calls and returns are separate steps, so every order of them occurs.
 */
import type { Blocks } from '../../../src/execution/atomic-blocks.js';
import { Execution } from '../../../src/execution/execution.js';
import type { Program } from '../../../src/execution/program.js';
import { ChoiceTree, type ScheduleSize } from '../../../src/explore/model/engine.js';

/** The result of one execution. Sets of operations are bit sets. */
export interface ProgramResult {
  /** The outcome of each operation as text; '' if it did not return. */
  readonly outcomes: readonly string[];
  /** Operations that are blocked forever. */
  readonly pending: number;
  /** For each operation, those that returned before it was called; 0 if it did not return. */
  readonly after: readonly number[];
}

/**
 * All distinct results; undefined if there are more executions than `most`. With atomic blocks, executions in which a
 * thread blocks inside a block are impossible and are dropped.
 */
export function allResults(
  plain: Program,
  most: number,
  blocks?: Blocks,
): readonly ProgramResult[] | undefined {
  const execution = new Execution(plain, blocks);
  const tree = new ChoiceTree();
  const results = new Map<string, ProgramResult>();
  for (let executions = 0; executions === 0 || tree.next(); executions++) {
    if (executions === most) return undefined;
    const after = runOnce(execution, tree);
    if (execution.blockOwner >= 0) continue;
    const pending = execution.pending();
    const key = `${execution.outcome.join()} ${pending} ${after.join()}`;
    if (!results.has(key)) results.set(key, { outcomes: outcomesOf(execution), pending, after });
  }
  return [...results.values()];
}

/** Runs one execution; returns the field `after` of its result. */
function runOnce(
  execution: Execution,
  tree: ChoiceTree,
  onStep?: (thread: number, enabled: number) => void,
): number[] {
  execution.reset();
  const after = execution.calls.map(() => 0);
  let returned = 0;
  for (let place = 0; ; place++) {
    if (execution.choosing >= 0) execution.choose(tree.take(place, (1 << execution.alternatives) - 1));
    else {
      const enabled = place <= tree.repeated && !onStep ? -1 : execution.enabled();
      if (enabled === 0) break;
      const thread = tree.take(place, enabled);
      onStep?.(thread, enabled);
      execution.step(thread);
    }
    if (execution.isFirst) after[execution.stepped] = returned;
    if (execution.isLast) returned |= 1 << execution.stepped;
  }
  return after.map((before, k) => (returned & (1 << k) ? before : 0));
}

/** The result of a program under a schedule; after its end, the first enabled thread runs. */
export function resultOf(program: Program, schedule: readonly number[]): ProgramResult {
  const execution = new Execution(program);
  const tree = new ChoiceTree();
  for (const [place, taken] of schedule.entries()) tree.take(place, 1 << taken);
  const after = runOnce(execution, tree);
  return { outcomes: outcomesOf(execution), pending: execution.pending(), after };
}

/** The size of the smallest schedule whose result fails; undefined if there is none, or there are more schedules than `most`. */
export function smallestFailing(
  program: Program,
  fails: (result: ProgramResult) => boolean,
  most: number,
): ScheduleSize | undefined {
  const execution = new Execution(program);
  const tree = new ChoiceTree();
  let least: ScheduleSize | undefined;
  for (let executions = 0; executions === 0 || tree.next(); executions++) {
    if (executions === most) return undefined;
    const threads: number[] = [];
    const isEnabled: boolean[] = [];
    const after = runOnce(execution, tree, (thread, enabled) => {
      isEnabled.push((enabled & (1 << threads[threads.length - 1])) !== 0);
      threads.push(thread);
    });
    if (!fails({ outcomes: outcomesOf(execution), pending: execution.pending(), after })) continue;
    const switches = threads.map((thread, i) => i > 0 && thread !== threads[i - 1]);
    const size = {
      preemptions: switches.filter((isSwitch, i) => isSwitch && isEnabled[i]).length,
      switches: switches.filter(Boolean).length,
      steps: tree.path.length,
    };
    const difference = [
      size.preemptions - (least?.preemptions ?? Number.POSITIVE_INFINITY),
      size.switches - (least?.switches ?? 0),
      size.steps - (least?.steps ?? 0),
    ].find((by) => by !== 0);
    if (difference !== undefined && difference < 0) least = size;
  }
  return least;
}

/** The outcomes of an execution as texts. */
export function outcomesOf({ outcome, outcomes }: Execution): string[] {
  return Array.from(outcome, (number) => (number < 0 ? '' : JSON.stringify(outcomes.at(number))));
}

/** For each combination of outcomes and pending operations, the maximal precedence orders with which it occurs. */
export function maximalOrders(results: readonly ProgramResult[]): string[] {
  const groups = new Map<string, Map<string, readonly number[]>>();
  for (const { outcomes, pending, after } of results) {
    const key = JSON.stringify([outcomes, pending]);
    groups.set(key, (groups.get(key) ?? new Map()).set(after.join(), after));
  }
  const isLess = (a: readonly number[], b: readonly number[]) =>
    a !== b && a.every((set, k) => (set & ~b[k]) === 0);
  return Array.from(groups, ([key, orders]) => {
    const all = [...orders.values()];
    const most = all.filter((after) => !all.some((other) => isLess(after, other)));
    return `${key} ${most
      .map((after) => after.join())
      .sort()
      .join(' ')}`;
  }).sort();
}

/** A sequential history: operations with their outcomes; the last may block, with outcome ''. */
export type SequentialHistory = readonly (readonly [operation: number, outcome: string])[];

/** All sequential histories of a program. */
export function sequentialHistories(plain: Program): readonly SequentialHistory[] {
  const execution = new Execution(plain);
  const tree = new ChoiceTree();
  const histories = new Map<string, SequentialHistory>();
  do {
    const history = runSequentially(execution, tree);
    histories.set(JSON.stringify(history), history);
  } while (tree.next());
  return [...histories.values()];
}

function runSequentially(execution: Execution, tree: ChoiceTree): SequentialHistory {
  execution.reset();
  const history: [number, string][] = [];
  let inside = -1;
  for (let place = 0; ; ) {
    if (execution.choosing >= 0) execution.choose(tree.take(place++, (1 << execution.alternatives) - 1));
    else {
      const enabled = execution.enabled();
      if (inside < 0) {
        // the first step of an operation is its call, so every thread with operations left is enabled
        if (enabled === 0) return history;
        inside = tree.take(place++, enabled);
      }
      if (!(enabled & (1 << inside))) return [...history, [execution.operation[inside], '']];
      execution.step(inside);
    }
    if (!execution.isLast) continue;
    history.push([execution.stepped, outcomesOf(execution)[execution.stepped]]);
    inside = -1;
  }
}

/** Does a sequential history justify a result? A stuck result needs one for each pending operation (Line-Up, definition 2). */
export function hasSequentialWitness(
  { outcomes, pending, after }: ProgramResult,
  histories: readonly SequentialHistory[],
): boolean {
  const respects = (history: SequentialHistory) =>
    history.every(([k], i) => history.slice(0, i).every(([earlier]) => !(after[earlier] & (1 << k))));
  const ended = outcomes.flatMap((outcome, k) => (outcome === '' ? [] : [k]));
  const blocked = outcomes.map((_, k) => k).filter((k) => pending & (1 << k));
  const fits = (history: SequentialHistory, blockedHere: readonly number[]) =>
    history.length === ended.length + blockedHere.length &&
    history.every(([k, outcome]) => (outcome === '' ? blockedHere.includes(k) : outcome === outcomes[k])) &&
    respects(history.filter(([, outcome]) => outcome !== ''));
  if (blocked.length === 0) return histories.some((history) => fits(history, []));
  return blocked.every((k) => histories.some((history) => fits(history, [k])));
}
