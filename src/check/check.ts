/**
 * `check`: decides whether a history is linearizable.
 *
 * A history is split into parts, each part is decided, the linearizations are joined, and the joined
 * linearization is verified before it is returned. The first part with a violation decides the whole.
 * An undecided part does not, because another part may still have a violation.
 *
 * Monitors read no `after` edges, and edges between parts join them. So two variants of the
 * history are checked first. In the stricter one, edges are treated as real-time order; in the weaker one, they are dropped. A
 * linearization of the stricter one and a violation of the weaker one hold for the history itself.
 */
import { clock } from '../base/clock.js';
import { invariant } from '../base/errors.js';
import { History } from '../history/history.js';
import type { AnyObject, Methods } from '../history/model/operation.js';
import type { AnySpec, SyncSpec } from '../spec/rendezvous/sync-spec.js';
import type { Spec } from '../spec/spec.js';
import { type Algorithm, type Plan, parseAlgorithm, requireMonitors, requireSuitable } from './algorithms.js';
import {
  type EarlyViolation,
  initialStepBudget,
  PartCheck,
  type PartCheckContext,
  type PartResult,
} from './decide/part-check.js';
import { type ParallelOptions, SearchHelpers } from './decide/search-helpers.js';
import { withCheckedDescriptions, withDescriptions } from './descriptions.js';
import { affordsMore, Budget, type Limits, type ResolvedLimits, resolveLimits } from './model/budget.js';
import { explanationFailure, type SearchStats, type Verdict } from './model/verdict.js';
import { familyContradiction } from './monitors/registry.js';
import type { Part } from './parts/parts.js';
import { bytesForParts, joinOrders, partNumbers, partsOf, type SpecOf } from './parts/parts.js';
import { checkObjects } from './rendezvous/check-objects.js';
import { type AnySpecOf, splitObjects } from './rendezvous/split-objects.js';
import { verify, verifyOrder, verifyWitness } from './verify-witness.js';
import { coreByClocks, orderByClocks } from './versions/clock-order.js';

/** Limits, algorithm and callbacks of `check`. */
export interface CheckOptions extends Limits {
  /** The monitor or search that decides; by default the one that suits the history. */
  readonly algorithm?: Algorithm | undefined;
  /** Search helpers: threads that join if the check takes long. */
  readonly parallel?: ParallelOptions | undefined;
  /** Called as soon as a violation is known, before it is explained. */
  readonly onViolation?: ((violation: EarlyViolation) => void) | undefined;
}

/**
 * Decides whether a history is linearizable; for a rendezvous object, whether its calls can have synchronised.
 *
 * If the history has several objects, each is checked separately: against the same spec, or against the one that a
 * function returns for its name.
 *
 * The check is synchronous. An `AbortSignal` cannot change while it runs, so it polls `shouldStop` instead, which can
 * read shared memory or a clock.
 *
 * @example
 * const verdict = check(history, queue(), { timeout: '10s' });
 * if (verdict.kind === 'violation') console.log(verdict.counterexample.cause);
 */
export function check<T extends Methods<T> = AnyObject>(
  history: History<T>,
  // biome-ignore lint/suspicious/noExplicitAny: the state is private to the spec
  spec: Spec<T, any> | SyncSpec<T, any> | AnySpecOf,
  options: CheckOptions = {},
): Verdict<T> {
  if (!(history instanceof History))
    throw new TypeError('check takes a History: from HistoryBuilder, parseHistory or sketch');
  if (typeof spec !== 'function' && !isSpec(spec))
    throw new TypeError(
      'check takes a spec: { name, initial, methods } or { name, initial, rendezvous }, or a function from the name of an object to one',
    );
  const specOf = typeof spec === 'function' ? spec : () => spec as unknown as AnySpec;
  const whole = withDescriptions(history as unknown as History, specOf);
  const limited = resolveLimits(options);
  const { algorithm = 'auto' } = options;
  const isSplit = algorithm === 'auto' && whole.columns.after && !whole.stuck;
  const verdict = isSplit ? checkAfter(whole, specOf, limited) : checkWhole(whole, specOf, limited);
  if (verdict.kind !== 'violation' || !whole.tables.describe) return verdict as unknown as Verdict<T>;
  const counterexample = withCheckedDescriptions(verdict.counterexample, specOf);
  return { ...verdict, counterexample } as unknown as Verdict<T>;
}

const isSpec = (spec: object | undefined): boolean =>
  typeof (spec as Spec)?.methods === 'object' || typeof (spec as SyncSpec)?.rendezvous === 'object';

/** The step limit for the stricter and the weaker history: enough for a monitor, or for a search that hardly backtracks. */
const stepsForOtherOrder = ({ columns }: History): number => 10_000 + 10 * columns.events.length;

/** Clocks of up to this many operations are corrected before other orders are tried. */
const CORRECTED_FIRST = 50_000;
/** Histories of up to this many operations are searched before a contradiction of clocks is looked for. */
const SEARCHED_FIRST = 1_000;

/** Checks a history with `after` edges. */
function checkAfter(whole: History, specOf: AnySpecOf, options: CheckOptions & ResolvedLimits): Verdict {
  const start = clock.now();
  const { timeout: most } = options;
  const isOver = (): boolean => most !== undefined && clock.now() - start > most;
  let steps = 0;
  const run = (history: History, own: Pick<CheckOptions, 'maxSteps' | 'onViolation'> = {}): Verdict => {
    const { timeout, maxSteps } = options;
    const left = (maxSteps ?? Number.POSITIVE_INFINITY) - steps;
    const most = Math.min(left, own.maxSteps ?? Number.POSITIVE_INFINITY);
    const verdict = checkWhole(history, specOf, {
      ...options,
      ...own,
      timeout: timeout && Math.max(0, timeout - (clock.now() - start)),
      maxSteps: most === Number.POSITIVE_INFINITY ? undefined : Math.max(0, most),
    });
    steps += verdict.stats.steps;
    return { ...verdict, stats: { ...verdict.stats, steps } };
  };
  const maxSteps = stepsForOtherOrder(whole);
  // of a short history, faster than the explanation of a violation with more order
  let byClocks = whole.length <= CORRECTED_FIRST ? checkByClocks(whole, specOf, isOver) : undefined;
  if (byClocks) return byClocks;
  const ordered = whole.withAfterAsTime();
  const stricter = ordered && run(ordered, { maxSteps, onViolation: undefined });
  if (stricter?.kind === 'linearizable') {
    // the results are verified already
    const { witness } = stricter;
    const fault = witness.rendezvous
      ? verifyWitness(whole, specOf, witness)
      : verifyOrder(whole.withoutFailed(), witness.order);
    if (!fault) return stricter;
  }
  if (whole.length > CORRECTED_FIRST) byClocks = checkByClocks(whole, specOf, isOver);
  if (byClocks) return { ...byClocks, stats: { ...byClocks.stats, steps } };
  const weaker = run(whole.withoutAfter(), { maxSteps });
  if (weaker.kind !== 'violation') {
    // a search of all operations explains more, but only if they are few
    const few = whole.length <= SEARCHED_FIRST ? run(whole, { maxSteps }) : undefined;
    if (few && few.kind !== 'undecided') return few;
    return checkCore(whole, specOf, isOver, run) ?? run(whole);
  }
  // with the edges, an earlier return may be the faulty one
  try {
    const exact = run(whole, { maxSteps, onViolation: undefined });
    if (exact.kind === 'violation') return exact;
    const cutBy = exact.kind === 'undecided' && exact.reason !== 'steps' ? exact.reason : undefined;
    const counterexample = {
      ...weaker.counterexample,
      isFirst: false,
      allowedIsComplete: false,
      ...(cutBy && { cutBy }),
    };
    return { ...weaker, counterexample, stats: exact.stats };
  } catch (error) {
    return { ...weaker, counterexample: { ...weaker.counterexample, ...explanationFailure(error) } };
  }
}

/** A linearization of a register or map whose clocks have an error, if one is found quickly. */
function checkByClocks(whole: History, specOf: AnySpecOf, isOver: () => boolean): Verdict | undefined {
  const spec = onlySpec(whole, specOf);
  const order = spec && orderByClocks(whole, spec, isOver);
  if (!order || verifyWitness(whole, specOf, { order })) return undefined;
  const stats = { checker: 'order by clocks', steps: 0, configurations: 0, parts: 1, decided: 1 };
  return { kind: 'linearizable', witness: { order }, stats };
}

/** A violation that only the order of clocks shows, decided by a check of the operations that contradict each other. */
function checkCore(
  whole: History,
  specOf: AnySpecOf,
  isOver: () => boolean,
  run: (history: History) => Verdict,
): Verdict | undefined {
  const spec = onlySpec(whole, specOf);
  const core = spec && coreByClocks(whole, spec, isOver);
  const verdict = core && run(core);
  if (verdict?.kind !== 'violation') return undefined;
  // other operations may make an earlier return the faulty one, or allow other results
  const cuts = [...new Set([...verdict.counterexample.cuts, 'values' as const])];
  const counterexample = { ...verdict.counterexample, cuts, isFirst: false, allowedIsComplete: false };
  return { ...verdict, counterexample };
}

/** The spec of the only object, if its calls do not synchronise. */
function onlySpec({ objects }: History, specOf: AnySpecOf): Spec | undefined {
  const spec = objects.length === 1 ? specOf(objects[0]) : undefined;
  return spec && 'methods' in spec ? spec : undefined;
}

function checkWhole(whole: History, spec: AnySpecOf, options: CheckOptions & ResolvedLimits): Verdict {
  const plan = parseAlgorithm(options.algorithm ?? 'auto');
  const split = splitObjects(whole, spec);
  const { plain, specOf, rendezvous } = split;
  requireSuitable(plan, options.algorithm, split);
  const start = clock.now();
  const verdict = plain && checkPlain(plain, specOf, options, plan);
  if (rendezvous.length === 0 && verdict) return verdict;
  const { timeout } = options;
  const limits = {
    ...options,
    timeout: timeout && Math.max(0, timeout - (clock.now() - start)),
  };
  const context = { algorithm: plan.rendezvous ?? 'auto', onViolation: options.onViolation };
  return checkObjects(split, limits, context, whole, verdict);
}

/** Checks the objects whose calls do not synchronise. */
function checkPlain(
  whole: History,
  specOf: SpecOf,
  options: CheckOptions & ResolvedLimits,
  { monitors, searches }: Plan,
): Verdict {
  if (!affordsMore(bytesForParts(whole, specOf), options)) return withoutMemory(whole);
  const parts = partsOf(whole, specOf, { monitors: monitors !== 'never' });
  if (monitors === 'only') requireMonitors(parts);
  const budget = new Budget(options);
  const { parallel, onViolation } = options;
  const machines = [...new Set(parts.map(({ objectMachine }) => objectMachine))];
  const machineBytes = () => machines.reduce((sum, { bytes }) => sum + bytes, 0);
  const context = { searches, budget, onViolation, machineBytes };
  // with a step limit, the result must be the same on every machine
  const helpers =
    parallel && parallel.jobs !== 1 && options.maxSteps === undefined
      ? new SearchHelpers(parallel, whole, parts, context)
      : undefined;
  try {
    const results = decide(parts, context, helpers);
    const verdict = conclude(whole, specOf, parts, results);
    return { ...verdict, stats: statsOf(parts, results, budget) };
  } finally {
    helpers?.stop();
  }
}

/** Undecided: there is no memory even to split the history. */
function withoutMemory({ columns, length }: History): Extract<Verdict, { kind: 'undecided' }> {
  return {
    kind: 'undecided',
    reason: 'memory',
    unfinished: [{ part: '', explained: 0, of: columns.events.length - length }],
    stats: { checker: '', steps: 0, configurations: 0, parts: 1, decided: 0 },
  };
}

/**
 * The result of each part, up to the first violation. Each part gets a small step budget first; parts that
 * exceed it are resumed afterwards, so an easy violation is found even if another part is hard.
 */
function decide(
  parts: readonly Part[],
  context: PartCheckContext,
  helpers: SearchHelpers | undefined,
): readonly (PartResult | undefined)[] {
  const results: (PartResult | undefined)[] = parts.map(() => undefined);
  const paused = new Map<number, PartCheck>();
  for (const [number, part] of parts.entries()) {
    const partCheck = new PartCheck(part, context);
    const result = partCheck.run(parts.length > 1 || helpers ? { pauseAt: initialStepBudget(part) } : {});
    if (result === 'paused' || result === 'overtaken') paused.set(number, partCheck);
    else results[number] = result;
    if (results[number]?.kind === 'violation') return results;
  }
  if (paused.size > 0 && helpers) return helpers.resume(results, paused);
  for (const [number, partCheck] of paused) {
    const result = partCheck.run() as PartResult;
    paused.delete(number);
    results[number] = result;
    if (result.kind === 'violation') break;
  }
  return results;
}

type WithoutStats<V> = V extends Verdict ? Omit<V, 'stats'> : never;

function conclude(
  whole: History,
  specOf: SpecOf,
  parts: readonly Part[],
  results: readonly (PartResult | undefined)[],
): WithoutStats<Verdict> {
  const violation = results.find((result) => result?.kind === 'violation');
  if (violation) {
    const namesOf = (isMeant: (result: PartResult | undefined) => boolean): string[] =>
      parts.filter((_, p) => isMeant(results[p])).map(({ name }) => name);
    return {
      kind: 'violation',
      counterexample: violation.refutation,
      undecided: namesOf((result) => result?.kind === 'undecided'),
      notExamined: namesOf((result) => result === undefined),
    };
  }
  const undecided = results.filter((result) => result?.kind === 'undecided');
  if (undecided.length > 0)
    return {
      kind: 'undecided',
      reason: undecided[0].reason,
      unfinished: undecided.map(({ unfinished }) => unfinished),
    };

  const witnesses = results.flatMap((result) => (result?.kind === 'linearizable' ? [result.witness] : []));
  const waits = witnesses.flatMap((witness) => witness.waits);
  const partOf = partNumbers(whole, parts);
  const witness = {
    order: joinOrders(
      witnesses.map(({ order }) => order),
      partOf,
    ),
    ...(waits.length > 0 && { waits }),
  };
  const fault = verify(whole, specOf, () => parts, witness);
  const spec = fault && parts[partOf[fault.operation]].spec;
  if (fault?.rule === 'spec' && spec?.family)
    throw familyContradiction(spec, 'allows', whole, fault.operation);
  invariant(!fault, `invalid witness: it breaks rule ${fault?.rule} at operation ${fault?.operation}`);
  return { kind: 'linearizable', witness };
}

function statsOf(
  parts: readonly Part[],
  results: readonly (PartResult | undefined)[],
  budget: Budget,
): SearchStats {
  // every monitor declines stuck histories, which needs no mention
  const declined = parts
    .filter(({ history }) => !history.stuck)
    .map(({ monitored }) => monitored)
    .find((monitored) => monitored && 'obstacle' in monitored);
  return {
    checker: [...budget.searches].join(' and '),
    ...(declined &&
      'obstacle' in declined && { declined: { monitor: declined.name, reason: declined.obstacle } }),
    steps: budget.steps,
    configurations: budget.configurations,
    parts: countParts(parts),
    // a monitor that reads several parts as one stops at the first violation
    decided: parts.reduce((sum, part, number) => {
      const kind = results[number]?.kind ?? 'undecided';
      return sum + (kind === 'linearizable' ? countParts([part]) : kind === 'violation' ? 1 : 0);
    }, 0),
  };
}

/** The number of parts; a monitor may read several as one. */
const countParts = (parts: readonly Part[]): number =>
  parts.reduce(
    (sum, { monitored }) => sum + ((monitored && 'reading' in monitored && monitored.reading.parts) || 1),
    0,
  );
