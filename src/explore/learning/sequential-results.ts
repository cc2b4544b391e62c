/**
 * How calls have ended in serial runs, method by method. One that threw in all of them teaches nothing: it throws alike
 * in every schedule, and so nothing is wrong with it, be it as broken as it may.
 */
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

export interface MethodResult {
  readonly method: string;
  /** What it threw last, if it did nothing else; undefined where it has also returned, or waited. */
  readonly threw?: string;
}

/** `thrown`: operation to the last error that it threw. */
export function methodResults(
  trie: SequentialTrie,
  calls: readonly { readonly method: string }[],
  thrown: readonly unknown[],
): MethodResult[] {
  const endings = new Map<string, MethodResult>();
  for (const letter of trie.edges.flat()) {
    const operation = trie.operationOf(letter);
    const outcome = trie.outcomeOf(letter);
    const { method } = calls[operation];
    const known = endings.get(method);
    if (known !== undefined && known.threw === undefined) continue;
    // odd numbers are errors: execution/outcomes.ts
    const hasThrown = outcome !== OPEN && outcome % 2 === 1;
    endings.set(method, hasThrown ? { method, threw: errorText(thrown[operation]) } : { method });
  }
  return [...endings.values()];
}

/** Over all tests: the methods that did nothing else. */
export function alwaysThrew(endings: readonly MethodResult[]): Required<MethodResult>[] {
  const others = new Set(endings.flatMap(({ method, threw }) => (threw === undefined ? [method] : [])));
  const threw = endings.flatMap(({ method, threw: error }) =>
    error === undefined || others.has(method) ? [] : [[method, error] as const],
  );
  return Array.from(new Map(threw), ([method, error]) => ({ method, threw: error }));
}
