/**
 * What a program can do, by trying everything: calls and returns are steps of
 * their own, and nothing is left out.
 */
import type { Blocks } from '../../../src/execution/atomic-blocks.js';
import { Execution } from '../../../src/execution/execution.js';
import type { Program } from '../../../src/execution/program.js';
import { ChoiceTree } from '../../../src/explore/model/choice-tree.js';

/** What one execution came to. Sets of operations are bits. */
export interface Ending {
  /** Operation to its outcome as text; '' for one that did not end. */
  readonly outcomes: readonly string[];
  /** The operations that wait for ever. */
  readonly pending: number;
  /** Operation to those that returned before it was called; 0 for one that did not end. */
  readonly after: readonly number[];
}

/**
 * All endings, each once; undefined if there are more executions than `most`. Of blocks that are run in one step those
 * in which none waits inside.
 */
export function allEndings(plain: Program, most: number, blocks?: Blocks): readonly Ending[] | undefined {
  const execution = new Execution(plain, blocks);
  const tree = new ChoiceTree();
  const endings = new Map<string, Ending>();
  for (let executions = 0; executions === 0 || tree.next(); executions++) {
    if (executions === most) return undefined;
    const after = runOnce(execution, tree);
    if (execution.blockOwner >= 0) continue;
    const pending = execution.pending();
    const key = `${execution.outcome.join()} ${pending} ${after.join()}`;
    if (!endings.has(key)) endings.set(key, { outcomes: outcomesOf(execution), pending, after });
  }
  return [...endings.values()];
}

/** One execution. Gives operation to those that returned before it was called; 0 for one that does not end. */
function runOnce(execution: Execution, tree: ChoiceTree): number[] {
  execution.reset();
  const after = execution.calls.map(() => 0);
  let returned = 0;
  for (let place = 0; ; place++) {
    if (execution.choosing >= 0) execution.choose(tree.take(place, (1 << execution.alternatives) - 1));
    else {
      const enabled = place <= tree.repeated ? -1 : execution.enabled();
      if (enabled === 0) break;
      execution.step(tree.take(place, enabled));
    }
    if (execution.isFirst) after[execution.stepped] = returned;
    if (execution.isLast) returned |= 1 << execution.stepped;
  }
  return after.map((before, k) => (returned & (1 << k) ? before : 0));
}

/** What a program comes to under a schedule; whoever ran last goes on where the schedule ends. */
export function endingOf(program: Program, schedule: readonly number[]): Ending {
  const execution = new Execution(program);
  const tree = new ChoiceTree();
  for (const [place, taken] of schedule.entries()) tree.take(place, 1 << taken);
  const after = runOnce(execution, tree);
  return { outcomes: outcomesOf(execution), pending: execution.pending(), after };
}

/** The outcomes of an execution as texts. */
export function outcomesOf({ outcome, outcomes }: Execution): string[] {
  return Array.from(outcome, (number) => (number < 0 ? '' : JSON.stringify(outcomes.at(number))));
}

/** Endings with the most order: outcomes and who waits, with the orders of which no other has more. */
export function mostOrdered(endings: readonly Ending[]): string[] {
  const groups = new Map<string, Map<string, readonly number[]>>();
  for (const { outcomes, pending, after } of endings) {
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

/** A serial history: operations with their outcomes; '' is the outcome of one that waits, the last. */
export type Line = readonly (readonly [operation: number, outcome: string])[];

/** All serial histories. */
export function serialHistories(plain: Program): readonly Line[] {
  const execution = new Execution(plain);
  const tree = new ChoiceTree();
  const lines = new Map<string, Line>();
  do {
    const line = runSerially(execution, tree);
    lines.set(JSON.stringify(line), line);
  } while (tree.next());
  return [...lines.values()];
}

function runSerially(execution: Execution, tree: ChoiceTree): Line {
  execution.reset();
  const line: [number, string][] = [];
  let inside = -1;
  for (let place = 0; ; ) {
    if (execution.choosing >= 0) execution.choose(tree.take(place++, (1 << execution.alternatives) - 1));
    else {
      const enabled = execution.enabled();
      if (inside < 0) {
        // each begins with a step that calls, so whoever has an operation left is enabled
        if (enabled === 0) return line;
        inside = tree.take(place++, enabled);
      }
      if (!(enabled & (1 << inside))) return [...line, [execution.operation[inside], '']];
      execution.step(inside);
    }
    if (!execution.isLast) continue;
    line.push([execution.stepped, outcomesOf(execution)[execution.stepped]]);
    inside = -1;
  }
}

/** Does some serial history explain an ending? Of one in which operations wait, there must be one for each (Line-Up, definition 2). */
export function isExplained({ outcomes, pending, after }: Ending, serial: readonly Line[]): boolean {
  const respects = (line: Line) =>
    line.every(([k], i) => line.slice(0, i).every(([earlier]) => !(after[earlier] & (1 << k))));
  const ended = outcomes.flatMap((outcome, k) => (outcome === '' ? [] : [k]));
  const waiting = outcomes.map((_, k) => k).filter((k) => pending & (1 << k));
  const fits = (line: Line, waits: readonly number[]) =>
    line.length === ended.length + waits.length &&
    line.every(([k, outcome]) => (outcome === '' ? waits.includes(k) : outcome === outcomes[k])) &&
    respects(line.filter(([, outcome]) => outcome !== ''));
  if (waiting.length === 0) return serial.some((line) => fits(line, []));
  return waiting.every((k) => serial.some((line) => fits(line, [k])));
}
