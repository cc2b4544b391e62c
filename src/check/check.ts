/**
 * Is there an order? A history is taken apart, each part is searched, the
 * answers are joined, and the joined order is verified before anyone sees it.
 *
 * A part without an order decides for the whole, so the first one ends the
 * check. A part that stays undecided does not: another may still be wrong.
 * A crew, where there is one, searches other parts at the same time.
 */
import { invariant } from '../base/index.js';
import { type AnyObject, History, type Methods } from '../history/index.js';
import type { Spec } from '../spec/index.js';
import { type Algorithm, demandMonitors, parseAlgorithm } from './algorithms.js';
import { affordsMore, Budget, type Limits } from './budget.js';
import { Crew, type CrewOptions } from './crew/crew.js';
import { joinOrders } from './join.js';
import type { Part } from './part.js';
import { type Finding, type Found, type Means, PartCheck } from './part-check.js';
import { bytesForParts, partNumbers, partsOf, type SpecOf } from './parts.js';
import { verify } from './replay.js';
import type { Effort, Verdict } from './verdict.js';

export interface CheckOptions extends Limits {
  /** Which search decides; the one that suits, if not told. */
  readonly algorithm?: Algorithm | undefined;
  /** Other threads that help where it takes long. */
  readonly crew?: CrewOptions | undefined;
  /** Told as soon as a violation is known, before it is explained. */
  readonly onViolation?: ((found: Found) => void) | undefined;
}

/**
 * Decides whether a history is linearizable. Where it tells of several objects,
 * each is checked alone: against the same spec, or the one that a function gives.
 */
export function check<T extends Methods<T> = AnyObject>(
  history: History<T>,
  // biome-ignore lint/suspicious/noExplicitAny: the state is the spec's own business
  spec: Spec<T, any> | SpecOf,
  options: CheckOptions = {},
): Verdict<T> {
  if (!(history instanceof History))
    throw new TypeError('check takes a History: from HistoryBuilder, parseHistory or sketch');
  if (typeof spec !== 'function' && typeof spec?.methods !== 'object')
    throw new TypeError(
      'check takes a spec: { name, initial, methods }, or a function from the name of an object to one',
    );
  const whole = history as unknown as History;
  const specOf = typeof spec === 'function' ? spec : () => spec as unknown as Spec;
  if (!affordsMore(bytesForParts(whole, specOf), options)) return untouched(whole);
  const { monitors, searches } = parseAlgorithm(options.algorithm ?? 'auto');
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
    return { ...verdict, effort: effortOf(parts, findings, budget) } as unknown as Verdict<T>;
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

/** Steps that most parts are decided in. */
const aLookAt = ({ history }: Part): number => 5_000 + 2 * history.columns.events.length;

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
    decided: countParts(parts.filter((_, number) => (findings[number]?.kind ?? 'undecided') !== 'undecided')),
  };
}

/** A monitor may read several parts as one. */
const countParts = (parts: readonly Part[]): number =>
  parts.reduce(
    (sum, { monitored }) => sum + ((monitored && 'reading' in monitored && monitored.reading.parts) || 1),
    0,
  );
