/** What learned runs say: about each method, and about a result that no run explains. */
import { show } from '../../base/values/show.js';
import { errorText } from '../../execution/comparable.js';
import { OPEN, type Outcomes } from '../../execution/outcomes.js';
import { HistoryBuilder } from '../../history/builder/builder.js';
import type { History } from '../../history/history.js';
import { describeOutcome } from '../../history/model/operation.js';
import { FAILED, pairsOf, withPairs } from '../automata/configurations.js';
import type { Trace } from '../model/trace-types.js';
import type { NumberedCall } from '../scenario/test-case.js';
import {
  EXTERNAL,
  type LearnedRun,
  type LearnedRuns,
  partsOfWholeRuns,
  type RunStep,
} from './learned-runs.js';

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

/** A step of a learned run as text: the call that starts, or an external event, and the calls that it completes. */
export interface LearnedStep {
  /** The thread of the call; absent for an external event. */
  readonly process?: string;
  readonly text: string;
  /** The result of the call, if this step completes it. */
  readonly result?: string;
  /** Other calls that this step completes. */
  readonly completes: readonly { readonly process: string; readonly text: string; readonly result: string }[];
}

/** A learned run as text. */
export interface LearnedRunText {
  readonly steps: readonly LearnedStep[];
  /** Are the calls that have not ended blocked forever? */
  readonly isBlocked: boolean;
}

/** What was learned for a test: its calls, thread by thread, and its runs. */
export interface LearnedTest {
  readonly calls: readonly (readonly string[])[];
  readonly runs: readonly LearnedRunText[];
  /** Are there more runs than these? */
  readonly hasMore: boolean;
}

/** Of a test, at most this many runs are converted to text. */
const MOST_SHOWN = 1_000;

/** Whole runs as text, each once. A run is whole if all its calls have ended, or nothing more can happen. */
export function learnedTest(
  learned: LearnedRuns,
  calls: readonly NumberedCall[],
  outcomes: Outcomes,
): LearnedTest {
  const resultOf = (outcome: number): string =>
    outcome < 0 ? 'fails' : describeOutcome(outcomes.at(outcome));
  const texts = new Map<string, LearnedRunText>();
  let hasMore = false;
  for (const { run, isStuck: isBlocked } of learned.runs()) {
    const ended = new Set(run.flatMap(({ delivered }) => [...delivered.keys()]));
    const isWhole = isBlocked || run.every(({ operation }) => operation === EXTERNAL || ended.has(operation));
    if (!isWhole) continue;
    const text = { steps: withoutWork(run).map((step) => stepText(step, calls, resultOf)), isBlocked };
    texts.set(JSON.stringify(text), text);
    hasMore = texts.size > MOST_SHOWN;
    if (hasMore) break;
  }
  return {
    calls: [...new Set(calls.map(({ process }) => process))].map((own) =>
      calls.flatMap((call) => (call.process === own ? [callText(call).text] : [])),
    ),
    runs: [...texts.values()].slice(0, MOST_SHOWN),
    hasMore,
  };
}

/** What learned runs say about a violation. */
export interface NearestRun {
  /** The results of the faulty call in the runs that explain all earlier events, as text. */
  readonly allowed: readonly string[];
  /** The shortest of these runs. */
  readonly nearest: readonly LearnedStep[];
}

/** A run that explains a history so far: the node that it leads to, and the outcomes that it delivers. */
interface FollowedRun {
  readonly node: number;
  readonly run: LearnedRun;
  readonly outcomes: ReadonlyMap<number, number>;
}

/**
 * Follows a history through the learned runs, up to its faulty event: the return of `operation`, or the end of a history
 * in which it is blocked. Of runs to one node with the same outcomes, the first is followed. Cost: O(events · such runs).
 */
export function nearestRun(
  operation: number,
  { history, idOf, isStuck }: Trace,
  learned: LearnedRuns,
  calls: readonly NumberedCall[],
  outcomes: Outcomes,
): NearestRun {
  const { columns } = history;
  const position = history.positionsById();
  const events = idOf.flatMap((id, k) => {
    const at = position[id];
    const { outcome } = history.at(at);
    const called = { time: columns.call[at], k, outcome: undefined };
    return outcome.kind === 'pending' ? [called] : [called, { time: columns.return[at], k, outcome }];
  });
  const isLast = (k: number): boolean => isStuck && history.at(position[idOf[k]]).outcome.kind === 'pending';
  events.sort((a, b) => Number(isLast(a.k)) - Number(isLast(b.k)) || a.time - b.time);
  const called = new Set<number>();
  const returned: { readonly k: number; readonly number: number }[] = [];
  const outcomeIn = (one: FollowedRun, k: number): number => one.outcomes.get(k) ?? OPEN;
  /** The bijection between the objects of the history and of a run; undefined if the run returned other results. */
  const pairsOfRun = (one: FollowedRun): readonly number[] | undefined => {
    let pairs: readonly number[] | undefined = [];
    for (const { k, number } of returned) {
      const result = outcomeIn(one, k);
      if (number === FAILED ? result !== FAILED && result !== OPEN : result < 0) return undefined;
      if (number !== FAILED) pairs = withPairs(pairs, outcomes.partsOf(number), outcomes.partsOf(result));
      if (pairs === undefined) return undefined;
    }
    return pairs;
  };
  let followed = new Map<string, FollowedRun>();
  const isPart = partsOfWholeRuns(learned);
  const follow = (one: FollowedRun): void => {
    if (!isPart[one.node]) return;
    const key = `${one.node} ${[...one.outcomes].sort(([a], [b]) => a - b).join()}`;
    if (!followed.has(key)) followed.set(key, one);
  };
  follow({ node: learned.root, run: [], outcomes: new Map() });
  const close = (): void => {
    for (const { node, run, outcomes: before } of followed.values())
      for (const letter of learned.edges[node]) {
        const step = learned.steps[letter];
        if (step.operation !== EXTERNAL && !called.has(step.operation)) continue;
        const after = new Map([...before, ...step.delivered]);
        follow({ node: learned.child(node, letter), run: [...run, step], outcomes: after });
      }
  };
  let isExplained = true;
  for (const { k, outcome } of events) {
    if (outcome === undefined) called.add(k);
    else {
      close();
      if (k === operation) break;
      returned.push({ k, number: outcome.kind === 'failed' ? FAILED : outcomes.numberOf(outcome) });
      const next = new Map([...followed].filter(([, one]) => pairsOfRun(one) !== undefined));
      // no whole run returns this: the nearest ones agree with all that was before
      if (next.size === 0) {
        returned.pop();
        isExplained = false;
        break;
      }
      followed = next;
    }
  }
  close();
  const all = [...followed.values()];
  const ended = all.filter((one) => isExplained && outcomeIn(one, operation) >= 0);
  const sign = ended.length > 0 ? 1 : -1;
  const [nearest] = (ended.length > 0 ? ended : all).toSorted((a, b) => sign * (a.run.length - b.run.length));
  const resultIn = (one: FollowedRun) => (outcome: number) =>
    outcome < 0 ? 'fails' : describeOutcome(outcomes.inHistory(outcome, pairsOf(pairsOfRun(one) ?? [])));
  return {
    allowed: [...new Set(ended.map((one) => resultIn(one)(outcomeIn(one, operation))))],
    nearest: withoutWork(nearest?.run ?? []).map((step) => stepText(step, calls, resultIn(nearest))),
  };
}

/** The run without the external events by which a call ended before the next call started, and without those that end no call. */
export function withoutWork(run: LearnedRun): LearnedRun {
  const steps: RunStep[] = [];
  for (const step of run) {
    const last = steps.at(-1);
    if (step.operation !== EXTERNAL || last === undefined) steps.push(step);
    else if (last.operation !== EXTERNAL && step.delivered.has(last.operation))
      steps.splice(-1, 1, { ...last, delivered: new Map([...last.delivered, ...step.delivered]) });
    else if (step.delivered.size > 0) steps.push(step);
  }
  return steps;
}

function stepText(
  { operation, event, delivered }: RunStep,
  calls: readonly NumberedCall[],
  resultOf: (outcome: number) => string,
): LearnedStep {
  const completes = [...delivered]
    .filter(([ended]) => ended !== operation)
    .map(([ended, outcome]) => ({ ...callText(calls[ended]), result: resultOf(outcome) }));
  if (operation === EXTERNAL) return { text: event, completes };
  const own = delivered.get(operation);
  return {
    ...callText(calls[operation]),
    ...(own !== undefined && { result: resultOf(own) }),
    completes,
  };
}

const callText = (call: NumberedCall): { process: string; text: string } => ({
  process: call.process,
  text: textOf(call),
});

export const textOf = ({ method, args }: Pick<NumberedCall, 'method' | 'args'>): string =>
  `${method}(${args.map(show).join(', ')})`;

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
  /** Has it returned anything but undefined? */
  readonly hasValue: boolean;
  /** What it threw last. */
  readonly threw?: string;
  /** The shortest run that blocks it. */
  readonly blocked?: BlockedCall;
  /** Its calls that ended in some run, and those that were blocked in some run. */
  readonly ended: readonly string[];
  readonly waited: readonly string[];
}

/** `thrown`: operation to the last error that it threw. */
export function methodResults(
  learned: LearnedRuns,
  calls: readonly NumberedCall[],
  thrown: readonly unknown[],
  outcomes: Outcomes,
): MethodResult[] {
  const results = new Map<string, MethodResult>();
  const nothing = outcomes.returned(undefined);
  const add = (method: string, more: Partial<MethodResult>): void => {
    results.set(method, {
      method,
      hasReturned: false,
      hasValue: false,
      ended: [],
      waited: [],
      ...results.get(method),
      ...more,
    });
  };
  const addCall = (list: 'ended' | 'waited', operation: number): void => {
    const { method } = calls[operation];
    const known = results.get(method)?.[list] ?? [];
    if (!known.includes(textOf(calls[operation])))
      add(method, { [list]: [...known, textOf(calls[operation])] });
  };
  for (const { operation, delivered } of learned.steps) {
    if (operation !== EXTERNAL) add(calls[operation].method, {});
    for (const [ended, outcome] of delivered) {
      const { method } = calls[ended];
      addCall('ended', ended);
      // odd numbers are errors: execution/outcomes.ts
      if (outcome >= 0 && outcome % 2 === 1) add(method, { threw: errorText(thrown[ended]) });
      else if (outcome >= 0) {
        add(method, { hasReturned: true });
        if (outcome !== nothing) add(method, { hasValue: true });
      }
    }
  }
  for (const node of learned.stuck) {
    const run = learned.runTo(node);
    const delivered = new Set(run.flatMap((step) => [...step.delivered.keys()]));
    const started = run.flatMap(({ operation }) => (operation === EXTERNAL ? [] : [operation]));
    for (const [place, operation] of started.entries()) {
      if (delivered.has(operation)) continue;
      const { method } = calls[operation];
      addCall('waited', operation);
      const known = results.get(method)?.blocked;
      if (known === undefined || place < known.after.length)
        add(method, {
          blocked: {
            call: textOf(calls[operation]),
            after: started.slice(0, place).map((one) => textOf(calls[one])),
          },
        });
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

/**
 * Over all tests: did calls return, but only undefined, and did none throw or block? Then results show nothing of the state.
 * Where a call blocks, whether it returns shows the state: that of a lock, for example.
 */
export const returnNothing = (results: readonly MethodResult[]): boolean =>
  results.some(({ hasReturned }) => hasReturned) &&
  results.every(({ hasValue, threw, blocked }) => !hasValue && threw === undefined && blocked === undefined);

/** Over all tests: the calls that were blocked in some learned run, and ended in none. */
export function neverEnded(results: readonly MethodResult[]): string[] {
  const ended = new Set(results.flatMap((one) => one.ended));
  return [...new Set(results.flatMap((one) => one.waited))].filter((call) => !ended.has(call));
}

/** Over all tests: for each method that a learned run blocks, the shortest such run. */
export function blockedInSequence(results: readonly MethodResult[]): BlockedCall[] {
  const shortest = new Map<string, BlockedCall>();
  for (const { method, blocked } of results)
    if (blocked && blocked.after.length < (shortest.get(method)?.after.length ?? Number.POSITIVE_INFINITY))
      shortest.set(method, blocked);
  return [...shortest.values()];
}
