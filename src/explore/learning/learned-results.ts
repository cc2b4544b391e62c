/** What learned runs say: about each method, and about a result that no run explains. */
import { show } from '../../base/values/show.js';
import { errorText, type Outcomes } from '../../execution/outcomes.js';
import { HistoryBuilder } from '../../history/builder/builder.js';
import type { History } from '../../history/history.js';
import { describeOutcome } from '../../history/model/operation.js';
import { Configurations } from '../automata/configurations.js';
import { type Automaton, DEAD, FAILED } from '../model/automaton.js';
import type { Trace } from '../model/trace-types.js';
import type { NumberedCall } from '../scenario/test-case.js';
import { EXTERNAL, type LearnedRun, type LearnedRuns } from './learned-runs.js';

/** A learned run as a history that can be drawn. */
export function drawnHistory(run: LearnedRun, calls: readonly NumberedCall[], outcomes: Outcomes): History {
  const builder = new HistoryBuilder();
  const entries = new Map<number, number>();
  for (const { operation, delivered } of run) {
    if (operation !== EXTERNAL) entries.set(operation, builder.call(calls[operation]));
    for (const [ended, outcome] of delivered)
      if (outcome >= 0) builder.end(entries.get(ended)!, outcomes.at(outcome));
  }
  return builder.finish();
}

/** The results that learned runs show instead of an unexplained one, after the same results before it, as text. */
export function allowedFor(
  operation: number,
  { history, idOf }: Trace,
  automaton: Automaton,
  outcomes: Outcomes,
): string[] {
  const { columns } = history;
  const position = history.positionsById();
  const configurations = new Configurations(automaton, idOf.length);
  const events = idOf.flatMap((id, k) => {
    const at = position[id];
    const { outcome } = history.at(at);
    const called = { time: columns.call[at], k, outcome: undefined };
    return outcome.kind === 'pending' ? [called] : [called, { time: columns.return[at], k, outcome }];
  });
  let set = configurations.initial;
  for (const { k, outcome } of events.sort((a, b) => a.time - b.time)) {
    if (outcome === undefined) set = configurations.call(set, k);
    else if (k === operation)
      return configurations.results(set, k).map((number) => describeOutcome(outcomes.at(number)));
    else set = configurations.return(set, k, outcome.kind === 'failed' ? FAILED : outcomes.numberOf(outcome));
    if (set === DEAD) return [];
  }
  return [];
}

/** A call that is blocked forever in a learned run, after these calls. */
export interface BlockedCall {
  readonly call: string;
  readonly after: readonly string[];
}

/**
 * The outcomes of a method in learned runs. A method that always threw, or was always blocked, does the same in every
 * schedule, so no violation of it can be found.
 */
export interface MethodResult {
  readonly method: string;
  readonly hasReturned: boolean;
  /** What it threw last. */
  readonly threw?: string;
  /** The shortest run that blocks it. */
  readonly blocked?: BlockedCall;
}

/** `thrown`: operation to the last error that it threw. */
export function methodResults(
  learned: LearnedRuns,
  calls: readonly Pick<NumberedCall, 'method' | 'args'>[],
  thrown: readonly unknown[],
): MethodResult[] {
  const results = new Map<string, MethodResult>();
  const add = (method: string, more: Partial<MethodResult>): void => {
    results.set(method, { method, hasReturned: false, ...results.get(method), ...more });
  };
  for (const { operation, delivered } of learned.steps) {
    if (operation !== EXTERNAL) add(calls[operation].method, {});
    for (const [ended, outcome] of delivered) {
      const { method } = calls[ended];
      // odd numbers are errors: execution/outcomes.ts
      if (outcome >= 0 && outcome % 2 === 1) add(method, { threw: errorText(thrown[ended]) });
      else if (outcome >= 0) add(method, { hasReturned: true });
    }
  }
  const textOf = (operation: number): string =>
    `${calls[operation].method}(${calls[operation].args.map(show).join(', ')})`;
  for (const node of learned.stuck) {
    const run = learned.runTo(node);
    const delivered = new Set(run.flatMap((step) => [...step.delivered.keys()]));
    const started = run.flatMap(({ operation }) => (operation === EXTERNAL ? [] : [operation]));
    for (const [place, operation] of started.entries()) {
      if (delivered.has(operation)) continue;
      const { method } = calls[operation];
      const known = results.get(method)?.blocked;
      if (known === undefined || place < known.after.length)
        add(method, { blocked: { call: textOf(operation), after: started.slice(0, place).map(textOf) } });
    }
  }
  return [...results.values()];
}

/** Over all tests: the methods that always threw. */
export function alwaysThrew(results: readonly MethodResult[]): { method: string; threw: string }[] {
  const others = new Set(
    results.flatMap(({ method, hasReturned, blocked }) => (hasReturned || blocked ? [method] : [])),
  );
  const threw = results.flatMap(({ method, threw: error }) =>
    error === undefined || others.has(method) ? [] : [[method, error] as const],
  );
  return Array.from(new Map(threw), ([method, error]) => ({ method, threw: error }));
}

/** Over all tests: for each method that a learned run blocks, the shortest such run. */
export function blockedInSequence(results: readonly MethodResult[]): BlockedCall[] {
  const shortest = new Map<string, BlockedCall>();
  for (const { method, blocked } of results)
    if (blocked && blocked.after.length < (shortest.get(method)?.after.length ?? Number.POSITIVE_INFINITY))
      shortest.set(method, blocked);
  return [...shortest.values()];
}
