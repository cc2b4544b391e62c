/**
 * Is there an order? A history is taken apart, each part is searched, the
 * answers are joined, and the joined order is verified before anyone sees it.
 *
 * A part without an order decides for the whole, so the first one ends the
 * check. A part that stays undecided does not: another may still be wrong.
 * A crew, where there is one, searches other parts at the same time.
 */
import { invariant } from '../base/invariant.js';
import { History } from '../history/history.js';
import type { AnyObject, Methods } from '../history/model/operation.js';
import type { AnySpec, SyncSpec } from '../spec/rendezvous/sync-spec.js';
import type { Spec } from '../spec/spec.js';
import { type Algorithm, demandFor, demandMonitors, type Plan, parseAlgorithm } from './algorithms.js';
import { aLookAt, type Finding, type Found, type Means, PartCheck } from './decide/part-check.js';
import { Crew, type CrewOptions } from './decide/search-helpers.js';
import { affordsMore, Budget, type Limits } from './model/budget.js';
import type { Effort, Verdict } from './model/verdict.js';
import type { Part } from './parts/part.js';
import { bytesForParts, joinOrders, partNumbers, partsOf, type SpecOf } from './parts/parts.js';
import { checkObjects } from './rendezvous/check-objects.js';
import { type AnySpecOf, takeApart } from './rendezvous/split-objects.js';
import { verify } from './verify-witness.js';

export interface CheckOptions extends Limits {
  /** Which search decides; the one that suits, if not told. */
  readonly algorithm?: Algorithm | undefined;
  /** Other threads that help where it takes long. */
  readonly crew?: CrewOptions | undefined;
  /** Told as soon as a violation is known, before it is explained. */
  readonly onViolation?: ((found: Found) => void) | undefined;
}

/**
 * Decides whether a history is linearizable; of an object whose calls meet, whether some meetings explain
 * it. Where it tells of several objects, each is checked alone: against the same spec, or the one that a function gives.
 */
export function check<T extends Methods<T> = AnyObject>(
  history: History<T>,
  // biome-ignore lint/suspicious/noExplicitAny: the state is the spec's own business
  spec: Spec<T, any> | SyncSpec<T, any> | AnySpecOf,
  options: CheckOptions = {},
): Verdict<T> {
  if (!(history instanceof History))
    throw new TypeError('check takes a History: from HistoryBuilder, parseHistory or sketch');
  if (typeof spec !== 'function' && !isSpec(spec))
    throw new TypeError(
      'check takes a spec: { name, initial, methods } or { name, initial, meetings }, or a function from the name of an object to one',
    );
  const whole = history as unknown as History;
  const plan = parseAlgorithm(options.algorithm ?? 'auto');
  const apart = takeApart(whole, typeof spec === 'function' ? spec : () => spec as unknown as AnySpec);
  const { plain, specOf, meeting } = apart;
  demandFor(plan, options.algorithm, apart);
  const begin = performance.now();
  const verdict = plain && checkPlain(plain, specOf, options, plan);
  if (meeting.length === 0 && verdict) return verdict as unknown as Verdict<T>;
  const { milliseconds } = options;
  const limits = {
    ...options,
    milliseconds: milliseconds && Math.max(0, milliseconds - (performance.now() - begin)),
  };
  const means = { algorithm: plan.meetings ?? 'auto', onViolation: options.onViolation };
  return checkObjects(apart, limits, means, whole, verdict) as unknown as Verdict<T>;
}

const isSpec = (spec: object | undefined): boolean =>
  typeof (spec as Spec)?.methods === 'object' || typeof (spec as SyncSpec)?.rendezvous === 'object';

/** Objects that have only methods. */
function checkPlain(
  whole: History,
  specOf: SpecOf,
  options: CheckOptions,
  { monitors, searches }: Plan,
): Verdict {
  if (!affordsMore(bytesForParts(whole, specOf), options)) return untouched(whole);
  const parts = partsOf(whole, specOf, { monitors: monitors !== 'never' });
  if (monitors === 'only') demandMonitors(parts);
  const budget = new Budget(options);
  const { crew: hired, onViolation } = options;
  const machines = [...new Set(parts.map(({ objectMachine }) => objectMachine))];
  const machineBytes = () => machines.reduce((sum, { bytes }) => sum + bytes, 0);
  const means = { searches, budget, onViolation, machineBytes };
  // who limits steps wants the same answer everywhere
  const crew =
    hired && hired.jobs !== 1 && options.steps === undefined
      ? new Crew(hired, whole, parts, means)
      : undefined;
  try {
    const findings = find(parts, means, crew);
    const verdict = conclude(whole, parts, findings);
    return { ...verdict, effort: effortOf(parts, findings, budget) };
  } finally {
    crew?.dismiss();
  }
}

/** There is no room even to take the history apart. */
function untouched({ columns, length }: History): Extract<Verdict, { kind: 'undecided' }> {
  return {
    kind: 'undecided',
    because: 'memory',
    unfinished: [{ part: '', explained: 0, of: columns.events.length - length }],
    effort: { checker: '', steps: 0, configurations: 0, parts: 1, decided: 0 },
  };
}

/** Part to what came out, up to the first violation. First a look at each part, then those that need more. */
function find(
  parts: readonly Part[],
  means: Means,
  crew: Crew | undefined,
): readonly (Finding | undefined)[] {
  const findings: (Finding | undefined)[] = parts.map(() => undefined);
  const paused = new Map<number, PartCheck>();
  for (const [number, part] of parts.entries()) {
    const own = new PartCheck(part, means);
    const finding = own.run(parts.length > 1 || crew ? { pauseAt: aLookAt(part) } : {});
    if (finding === 'paused' || finding === 'overtaken') paused.set(number, own);
    else findings[number] = finding;
    if (findings[number]?.kind === 'none') return findings;
  }
  if (paused.size > 0 && crew) return crew.find(findings, paused);
  for (const [number, own] of paused) {
    const finding = own.run() as Finding;
    paused.delete(number);
    findings[number] = finding;
    if (finding.kind === 'none') break;
  }
  return findings;
}

type WithoutEffort<V> = V extends Verdict ? Omit<V, 'effort'> : never;

/** The verdict, all but the effort. */
function conclude(
  whole: History,
  parts: readonly Part[],
  findings: readonly (Finding | undefined)[],
): WithoutEffort<Verdict> {
  const no = findings.find((finding) => finding?.kind === 'none');
  if (no) {
    const undecided = parts.filter((_, p) => findings[p] === undefined || findings[p].kind === 'undecided');
    return {
      kind: 'violation',
      counterexample: no.counterexample,
      undecided: undecided.map(({ name }) => name),
    };
  }
  const unfinished = findings.filter((finding) => finding?.kind === 'undecided');
  if (unfinished.length > 0)
    return {
      kind: 'undecided',
      because: unfinished[0].because,
      unfinished: unfinished.map((finding) => finding.unfinished),
    };

  const found = findings.filter((finding) => finding?.kind === 'order');
  const waits = found.flatMap((finding) => finding.waits);
  const partOf = partNumbers(whole, parts);
  const witness = {
    order: joinOrders(
      found.map(({ order }) => order),
      partOf,
    ),
    ...(waits.length > 0 && { waits }),
  };
  const fault = verify(whole, parts, partOf, witness);
  invariant(!fault, `a witness does not replay: rule ${fault?.rule} at operation ${fault?.operation}`);
  return { kind: 'linearizable', witness };
}

function effortOf(
  parts: readonly Part[],
  findings: readonly (Finding | undefined)[],
  budget: Budget,
): Effort {
  // that monitors are not for stuck histories goes without saying
  const aside = parts
    .filter(({ history }) => !history.stuck)
    .map(({ monitored }) => monitored)
    .find((own) => own && 'obstacle' in own);
  return {
    checker: [...budget.searches].join(' and '),
    ...(aside && 'obstacle' in aside && { aside: { monitor: aside.name, because: aside.obstacle } }),
    steps: budget.steps,
    configurations: budget.configurations,
    parts: countParts(parts),
    // one that reads several parts as one stops at the first violation
    decided: parts.reduce((sum, part, number) => {
      const kind = findings[number]?.kind ?? 'undecided';
      return sum + (kind === 'order' ? countParts([part]) : kind === 'none' ? 1 : 0);
    }, 0),
  };
}

/** A monitor may read several parts as one. */
const countParts = (parts: readonly Part[]): number =>
  parts.reduce(
    (sum, { monitored }) => sum + ((monitored && 'reading' in monitored && monitored.reading.parts) || 1),
    0,
  );
