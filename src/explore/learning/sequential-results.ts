/**
 * Sequential runs, method by method: a method that threw, or was blocked, in all of them teaches nothing. It does the same in
 * every schedule, so a violation of it is never found.
 */
import { show } from '../../base/values/show.js';
import { errorText, OPEN, type Outcomes } from '../../execution/outcomes.js';
import { HistoryBuilder } from '../../history/builder/builder.js';
import type { History } from '../../history/history.js';
import { describeOutcome } from '../../history/model/operation.js';
import { Configurations } from '../automata/configurations.js';
import { type Automaton, DEAD } from '../model/automaton.js';
import type { Trace } from '../model/trace-types.js';
import type { NumberedCall } from '../scenario/test-case.js';
import type { SequentialHistory, SequentialTrie } from './sequential-trie.js';

/* A serial history as one that can be drawn. */

export function drawnHistory(
  serial: SequentialHistory,
  calls: readonly NumberedCall[],
  outcomes: Outcomes,
): History {
  const builder = new HistoryBuilder();
  for (const { operation, outcome } of serial) {
    const entry = builder.call(calls[operation]);
    if (outcome === OPEN) builder.markStuck();
    else builder.end(entry, outcomes.at(outcome));
  }
  return builder.finish();
}

/* Of a result that nothing explains: those that serial runs have shown at its place, after the results before it. */

/** In words; none where another result is the first that nothing explains. */
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
    // it has not happened
    if (outcome.kind === 'failed') return [];
    const called = { time: columns.call[at], k, outcome: undefined };
    return outcome.kind === 'pending' ? [called] : [called, { time: columns.return[at], k, outcome }];
  });
  let set = configurations.initial;
  for (const { k, outcome } of events.sort((a, b) => a.time - b.time)) {
    if (outcome === undefined) set = configurations.call(set, k);
    else if (k !== operation) set = configurations.return(set, k, outcomes.numberOf(outcome));
    else return configurations.results(set, k).map((number) => describeOutcome(outcomes.at(number)));
    if (set === DEAD) return [];
  }
  return [];
}

/** A call that is blocked forever in a sequential run, after these calls. */
export interface BlockedCall {
  readonly call: string;
  readonly after: readonly string[];
}

/** How the calls of a method ended in sequential runs. */
export interface MethodResult {
  readonly method: string;
  readonly hasReturned: boolean;
  /** What it threw last. */
  readonly threw?: string;
  /** The shortest sequential run that blocks it. */
  readonly blocked?: BlockedCall;
}

/** `thrown`: operation to the last error that it threw. */
export function methodResults(
  trie: SequentialTrie,
  calls: readonly Pick<NumberedCall, 'method' | 'args'>[],
  thrown: readonly unknown[],
): MethodResult[] {
  const results = new Map<string, MethodResult>();
  const add = (method: string, more: Partial<MethodResult>): void => {
    results.set(method, { method, hasReturned: false, ...results.get(method), ...more });
  };
  for (const letter of new Set(trie.edges.flat())) {
    const operation = trie.operationOf(letter);
    const outcome = trie.outcomeOf(letter);
    const { method } = calls[operation];
    if (outcome === OPEN) add(method, {});
    // odd numbers are errors: execution/outcomes.ts
    else if (outcome % 2 === 1) add(method, { threw: errorText(thrown[operation]) });
    else add(method, { hasReturned: true });
  }
  const textOf = (operation: number): string =>
    `${calls[operation].method}(${calls[operation].args.map(show).join(', ')})`;
  for (const history of trie.blocked().sort((a, b) => b.length - a.length)) {
    const [last, ...before] = history.map(({ operation }) => operation).reverse();
    add(calls[last].method, { blocked: { call: textOf(last), after: before.reverse().map(textOf) } });
  }
  return [...results.values()];
}

/** Over all tests: the methods that did nothing but throw. */
export function alwaysThrew(results: readonly MethodResult[]): { method: string; threw: string }[] {
  const others = new Set(
    results.flatMap(({ method, hasReturned, blocked }) => (hasReturned || blocked ? [method] : [])),
  );
  const threw = results.flatMap(({ method, threw: error }) =>
    error === undefined || others.has(method) ? [] : [[method, error] as const],
  );
  return Array.from(new Map(threw), ([method, error]) => ({ method, threw: error }));
}

/** Over all tests: for each method that a sequential run blocks, the shortest such run. */
export function blockedInSequence(results: readonly MethodResult[]): BlockedCall[] {
  const shortest = new Map<string, BlockedCall>();
  for (const { method, blocked } of results)
    if (blocked && blocked.after.length < (shortest.get(method)?.after.length ?? Number.POSITIVE_INFINITY))
      shortest.set(method, blocked);
  return [...shortest.values()];
}
