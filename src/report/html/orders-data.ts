/**
 * Linearizations that a page shows step by step: the witness of each part, or the longest ones of the faulty part.
 *
 * A monitor finds a contradiction without a linearization. If its part is short, the part is searched for the longest
 * ones, which must end at the same operation as the sentences; otherwise only the core is searched. A search that
 * exceeds its limit gives none.
 */

import { check } from '../../check/check.js';
import type { Cause, Counterexample, Verdict } from '../../check/model/verdict.js';
import type { Part } from '../../check/parts/parts.js';
import { partNumbers, partsOf, type SpecOf } from '../../check/parts/parts.js';
import { type AnySpecOf, splitObjects } from '../../check/rendezvous/split-objects.js';
import { afterRendezvous } from '../../check/rendezvous/verify.js';
import type { Consistency } from '../../consistency/measure.js';
import type { History } from '../../history/history.js';
import { FAILED } from '../../history/model/columns.js';
import { describeOutcome, type Outcome } from '../../history/model/operation.js';
import { DEAD } from '../../spec/machine/machine.js';
import { isSyncSpec } from '../../spec/rendezvous/sync-spec.js';
import { reportedRendezvous } from '../common/choose-operations.js';
import { isVoid } from '../sentences/words.js';
import type { OrderData, PartData, RendezvousData } from './page-types.js';

/** Returns the state of the spec after each rendezvous, as text. Operations are named by id. */
export function walkRendezvous(
  history: History,
  specOf: AnySpecOf,
  rendezvous: readonly (readonly number[])[],
): string[] {
  const { rendezvous: parts } = splitObjects(history, specOf);
  const partOf = new Map<number, number>();
  for (const [number, part] of parts.entries())
    for (const id of part.history.columns.id) partOf.set(id, number);
  const states = parts.map(({ machine }) => [machine.initial]);
  return rendezvous.map((members) => {
    const number = partOf.get(members[0]) ?? 0;
    const { machine } = parts[number];
    states[number] = afterRendezvous(machine, states[number], members);
    return states[number].map((state) => machine.describe(state)).join(' or ');
  });
}

interface WalkStep {
  readonly operation: number;
  /** The state after it, in words; undefined where the spec does not allow the operation. */
  readonly state: string | undefined;
  /** The outcomes that the spec allows here. */
  readonly allowed: readonly Outcome[];
}

interface Walk {
  /** The state that it starts in, in words. */
  readonly start: string;
  /** Those of the first operations of the order, up to one that the spec does not allow. */
  readonly steps: readonly WalkStep[];
}

/**
 * Walks through operations of one part, by id: the state of the spec after each, and the outcomes that it allows there.
 * States may be long, so `most` limits the steps. Cost: one step of the machine for each operation.
 */
export function walkOrder({ machine }: Part, order: Iterable<number>, most: number): Walk {
  let state = machine.initial;
  const steps: WalkStep[] = [];
  for (const operation of order) {
    if (steps.length >= most || state === DEAD) break;
    const letter = machine.letterOf(operation);
    const allowed = machine.allowedOutcomes(state, letter);
    state = machine.step(state, letter);
    steps.push({ operation, state: state === DEAD ? undefined : machine.describe(state), allowed });
  }
  return { start: machine.describe(machine.initial), steps };
}

/*
 * Rendezvous with the states after them.
 *
 * A history may also have plain objects. Their calls are merged into the sequence of rendezvous: each step is placed at
 * the latest call up to it, which lies inside all calls of the step.
 */

const MOST_RENDEZVOUS = 20_000;
/** Rendezvous with their states, which may be long. */
const MOST_STATES = 2_000;

/** The first `MOST_RENDEZVOUS`; the first `MOST_STATES` of these with their states. */
export function rendezvousOf(verdict: Verdict, history: History, specOf: AnySpecOf): RendezvousData[] {
  const shown = reportedRendezvous(verdict).slice(0, MOST_RENDEZVOUS);
  const past = shown.filter(({ isMissed }) => !isMissed).map(({ members }) => members);
  const states = past.length > 0 ? walkRendezvous(history, specOf, past.slice(0, MOST_STATES)) : [];
  const rendezvous = shown.map((own, i) => ({ ...own, state: states[i] ?? '' }));
  if (verdict.kind !== 'linearizable' || rendezvous.length === 0) return rendezvous;
  const alone = Array.from(verdict.witness.order, (id) => ({ members: [id], isMissed: false, state: '' }));
  return merged(history, alone, rendezvous).slice(0, MOST_RENDEZVOUS);
}

function merged(history: History, ...sequences: readonly (readonly RendezvousData[])[]): RendezvousData[] {
  const position = history.positionsById();
  const { call } = history.columns;
  const timed = sequences.map((steps) => {
    let latest = 0;
    return steps.map((step) => {
      latest = Math.max(latest, ...step.members.map((id) => call[position[id]]));
      return [latest, step] as const;
    });
  });
  return timed
    .flat()
    .sort(([a], [b]) => a - b)
    .map(([, step]) => step);
}

/** The parts of a history, with the verdict of each as far as it is known. A history of rendezvous objects has none. */
export class PartTabs {
  readonly parts: readonly Part[];
  /** Operation id to the number of its part. */
  readonly numberOf: Int32Array;
  readonly data: readonly PartData[];

  /** `measured`: the verdicts of all parts, if they were checked one by one. */
  constructor(history: History, specOf: AnySpecOf, verdict: Verdict, measured?: Consistency['parts']) {
    const isPlain = history.objects.every((object) => !isSyncSpec(specOf(object)));
    this.parts = isPlain ? partsOf(history, specOf as SpecOf, { monitors: false }) : [];
    this.numberOf = partNumbers(history, this.parts);
    const known =
      measuredVerdicts(measured, this.parts, this.numberOf) ?? verdictOf(verdict, this.parts, this.numberOf);
    this.data = this.parts.map(({ name, history: { length } }, number) => ({
      name,
      verdict: known(number),
      operations: length,
    }));
  }
}

/** The measured verdict of each part; undefined if other parts were measured. */
function measuredVerdicts(
  measured: Consistency['parts'] | undefined,
  parts: readonly Part[],
  numberOf: Int32Array,
): ((number: number) => PartData['verdict']) | undefined {
  if (!measured) return undefined;
  const { linearizable, violations, undecided, notExamined } = measured;
  if (linearizable + violations.length + undecided.length + notExamined.length !== parts.length)
    return undefined;
  const wrong = new Set(violations.map(({ operation }) => numberOf[operation]));
  return (number) => {
    const { name } = parts[number];
    if (wrong.has(number)) return 'violation';
    if (undecided.includes(name)) return 'undecided';
    return notExamined.includes(name) ? 'not examined' : 'linearizable';
  };
}

function verdictOf(
  verdict: Verdict,
  parts: readonly Part[],
  numberOf: Int32Array,
): (number: number) => PartData['verdict'] {
  if (verdict.kind === 'linearizable') return () => 'linearizable';
  const undecided = new Set(
    verdict.kind === 'undecided' ? verdict.unfinished.map(({ part }) => part) : verdict.undecided,
  );
  if (verdict.kind === 'undecided')
    return (number) =>
      undecided.has(parts[number].name) || parts.length === 1 ? 'undecided' : 'linearizable';
  // a monitor that reads all parts at once does not name those that it did not examine
  const notExamined = new Set(verdict.notExamined);
  const { decided, parts: all } = verdict.stats;
  const areNamed = decided + undecided.size + notExamined.size === all;
  const wrong = numberOf[verdict.counterexample.cause.operation] ?? 0;
  return (number) => {
    if (number === wrong) return 'violation';
    const { name } = parts[number];
    if (undecided.has(name)) return 'undecided';
    return areNamed && !notExamined.has(name) ? 'linearizable' : 'not examined';
  };
}

/** Steps with states of one linearization, and of all together: states may be long. */
const MOST_STEPS = { each: 2_000, all: 6_000 };
const MOST_ALLOWED = 8;
/** What the search for the longest orders may cost, and how long a part may be. */
const SEARCH_STEPS = 100_000;
const SHORT = 20_000;

export function ordersOf(verdict: Verdict, specOf: AnySpecOf, tabs: PartTabs): OrderData[] {
  if (tabs.parts.length === 0) return [];
  if (verdict.kind === 'linearizable') return witnesses(verdict.witness.order, tabs);
  if (verdict.kind === 'undecided') return [];
  const { counterexample } = verdict;
  const part = tabs.numberOf[counterexample.cause.operation] ?? 0;
  const { history } = tabs.parts[part];
  const ofAll = stuckCause(counterexample, history.length <= SHORT ? history : undefined, specOf);
  const cause = ofAll ?? stuckCause(counterexample, counterexample.core, specOf);
  return (cause?.longest ?? []).map(({ order, waits }, i) => {
    const ids = [...order, cause?.operation ?? 0];
    const data = orderData(part, i === 0 ? 'An order' : 'Another order', ids, tabs, MOST_STEPS.each);
    return {
      ...data,
      isPartial: lacksEarlier(history, order, cause?.operation ?? 0),
      // a call that returned too early
      steps: data.steps.map((step) =>
        waits && step.state === null && step.allowed.length === 0
          ? { ...step, allowed: ['only to block'] }
          : step,
      ),
    };
  });
}

/** Does an order lack an operation that had returned before another one returned? */
function lacksEarlier({ columns }: History, order: Int32Array, before: number): boolean {
  const { id, return: returned, status } = columns;
  const present = new Set(order);
  const end = returned[id.indexOf(before)];
  return id.some((own, k) => returned[k] < end && status[k] !== FAILED && !present.has(own));
}

type Stuck = Extract<Cause, { kind: 'stuck' }>;

/** The cause itself, if it has orders; or what a search of a history finds wrong with the same operation. */
function stuckCause(
  { cause }: Counterexample,
  history: History | undefined,
  specOf: AnySpecOf,
): Stuck | undefined {
  if (cause.kind === 'stuck') return cause;
  if (cause.kind === 'waits' || history === undefined) return undefined;
  const again = check(history, specOf, { algorithm: 'search', maxSteps: SEARCH_STEPS });
  if (again.kind !== 'violation') return undefined;
  const found = again.counterexample.cause;
  return found.kind === 'stuck' && found.operation === cause.operation ? found : undefined;
}

/** The witness, part by part. */
function witnesses(order: Int32Array, tabs: PartTabs): OrderData[] {
  const own: number[][] = tabs.parts.map(() => []);
  for (const id of order) own[tabs.numberOf[id]].push(id);
  let left = MOST_STEPS.all;
  return own.map((ids, part) => {
    const data = orderData(part, 'Linearization', ids, tabs, Math.min(left, MOST_STEPS.each));
    left -= data.steps.length;
    return data;
  });
}

function orderData(
  part: number,
  title: string,
  order: readonly number[],
  tabs: PartTabs,
  most: number,
): OrderData {
  const { start, steps } = walkOrder(tabs.parts[part], order, most);
  return {
    part,
    title,
    isPartial: false,
    order,
    start,
    steps: steps.map(({ state, allowed }) => ({
      state: state ?? null,
      allowed: state !== undefined && allowed.every(isVoid) ? [] : allowedTexts(allowed),
    })),
  };
}

function allowedTexts(allowed: readonly Outcome[]): string[] {
  const texts = [...new Set(allowed.slice(0, MOST_ALLOWED).map(describeOutcome))];
  return allowed.length > MOST_ALLOWED ? [...texts, `${allowed.length - MOST_ALLOWED} more`] : texts;
}
