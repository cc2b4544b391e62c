/**
 * From a monitor's "no" to a counterexample.
 *
 * A monitor names few values that contradict each other. All operations on other values are left out:
 * their projection has no order, and so the history has none, for in an order of a container all
 * operations on a value can be left out.
 *
 * To blame is the first return that no order gets past, and there may be one before those that the monitor names. A short
 * search looks for it (`earliest`). If it stops earlier, the monitor is asked about the history up to there; and if it has nothing to
 * say of that return, the search tells itself why it stops. The search also knows what the operation could have answered instead.
 */
import { range } from '../../base/collections/ints.js';
import { Interner } from '../../base/values/interner.js';
import type { History } from '../../history/history.js';
import { NEVER } from '../../history/model/columns.js';
import type { Outcome } from '../../history/model/operation.js';
import { Budget } from '../model/budget.js';
import type { Obstruction, SearchResult } from '../model/search.js';
import type { Cause, Counterexample, LimitReason } from '../model/verdict.js';
import type { BlockedReturn, Contradiction } from '../monitors/common/monitor.js';
import { Roles } from '../monitors/duplicates/generations.js';
import { monitored, monitorOf, verifyCause } from '../monitors/registry.js';
import { ObjectMachine, Part } from '../parts/part.js';
import { partAmong } from '../parts/parts.js';
import { ownSearch } from '../search/choose-search.js';
import { JitGraph } from '../search/generic/jit-graph.js';
import { Refuting } from '../search/refutation.js';
import { allowedOutcomes } from './allowed-outcomes.js';
import { wrongAnswer } from './from-search.js';

/*
 * The first return that no order gets past, near operations that have no order.
 *
 * A history that ends with the last of them has none, so a search of it stops at that return or before. Where it is long, only
 * the operations of a container on values that were there shortly before are searched: what was left out is on other values, and so a
 * stop here is one of the whole, though that may have one before. All within a budget: the verdict is known without.
 */

/** What may go into telling more. */
const TELLING = { maxSteps: 200_000, timeout: 1_000, maxMemory: 2 ** 28 };
/** Longer histories are not searched only to tell more. */
const SHORT = 2_000;
/** Steps of a graph search, before that of the object is asked, if it has one. */
const LOOK = 30_000;
/** So many events before the last one, in those. */
const SHORTLY = 300;

interface Earliest {
  /** What was searched: the part, or the operations of it that are near. */
  readonly near: Part;
  readonly refusal: Obstruction;
}

/** `contradicting`: ids of operations that have no order. Undefined where that is not found soon. */
function earliest(part: Part, contradicting: readonly number[], budget: Budget): Earliest | undefined {
  const { history } = part;
  const { return: returned } = history.columns;
  const position = history.positionsById();
  const last = Math.max(-1, ...contradicting.map((id) => returned[position[id]]).filter((m) => m !== NEVER));
  if (last < 0) return undefined;
  const near = isShort(part) ? part : nearby(part, last);
  if (!near) return undefined;
  const moment =
    near.history.columns.return[
      near.history.positionsById()[history.columns.id[~history.columns.events[last]]]
    ];
  const refusal = refusalOf(near, near.history.prefix(moment), budget);
  return refusal && { near, refusal };
}

const isShort = ({ history }: Part): boolean => history.length <= SHORT;

/** The operation whose return a search stops at. */
function blamedIn({ history }: Part, { moment }: Obstruction): number {
  return history.columns.id[~history.columns.events[moment]];
}

function refusalOf(part: Part, history: History, budget: Budget): Obstruction | undefined {
  const { machine } = part;
  const graph = history.length > SHORT ? new Refuting(history, machine) : new JitGraph(history, machine);
  const others = { otherBytes: () => part.objectMachine.bytes };
  const looked = budget.run(graph, { ...others, pauseAt: LOOK });
  const own =
    looked === 'paused' && repeats(history, part) ? ownSearch({ history, machine }, LOOK) : undefined;
  const answer = looked === 'paused' ? budget.run(own ?? graph, others) : looked;
  return typeof answer === 'object' && answer.kind === 'violation' ? answer.refutation : undefined;
}

/** Is a value put in more than once? Otherwise the monitor knows enough. */
function repeats(history: History, { spec }: Part): boolean {
  const roles = new Roles(history, spec);
  const added = range(history.length).filter((k) => roles.of(k) === 'add');
  return new Set(added.map((k) => roles.touched(k))).size < added.length;
}

/** The operations on values of a container that were inside shortly before a moment, or came or went. */
function nearby(part: Part, last: number): Part | undefined {
  const { history, spec } = part;
  if (monitorOf(spec)?.leaves === undefined) return undefined;
  const roles = new Roles(history, spec);
  const { call, return: returned } = history.columns;
  const from = last - SHORTLY;
  // value to whether it was put in before the end, and how often more than it was taken out before the beginning
  const inside = new Int32Array(history.tables.values.values.length);
  const isNear = new Uint8Array(inside.length);
  // what becomes of those that are there at first can not be left out
  for (const value of roles.initial) isNear[value] = 1;
  for (let k = 0; k < history.length && call[k] <= last; k++) {
    const value = roles.touched(k);
    if (value < 0) continue;
    if (roles.of(k) === 'add') inside[value]++;
    else if (roles.of(k) === 'remove' && returned[k] < from) inside[value]--;
    if (returned[k] >= from) isNear[value] = 1;
  }
  const own = history.select((k) => {
    const value = roles.touched(k);
    return value >= 0 ? isNear[value] > 0 || inside[value] > 0 : call[k] <= last && returned[k] >= from;
  });
  if (own.length > SHORT) return undefined;
  return new Part({
    ...part,
    history: own,
    objectMachine: new ObjectMachine(own, spec),
    cuts: [...part.cuts, 'values'],
    monitored: undefined,
  });
}

/** Where no order gets past a return, a search says more. */
const EXPLANATION_LIMITS = { maxSteps: 3_000_000, timeout: 2_000, maxMemory: 2 ** 29 };

export function contradiction(part: Part, ruling: Contradiction): Counterexample {
  const { operations, among, cause } = ruling;
  const isWhole = part.spec.part !== undefined && !part.cuts.includes('part');
  const own = among && isWhole ? partAmong(part, operations[0], among) : part;
  const ids = operations.map((k) => part.history.columns.id[k]);
  const budget = new Budget(TELLING);
  const first = earliest(own, ids, budget);
  if (!first) return told(part, own, ruling, []);
  const { near, refusal } = first;
  const blamed = blamedIn(near, refusal);
  const allowed = (operation: number): Outcome[] =>
    near === own && operation === blamed ? allowedOutcomes(own, own.history, blamed, refusal, budget) : [];
  if (cause.operation === blamed || isOver(near, refusal, ids, budget))
    return told(part, own, ruling, allowed(cause.operation));
  const shorter = upTo(near, refusal, budget);
  return shorter ? told(near, near, shorter, allowed(shorter.cause.operation)) : wrongAnswer(near, refusal);
}

/** Do these operations contradict each other by the return that a search stops at? */
function isOver(part: Part, { moment }: Obstruction, ids: readonly number[], budget: Budget): boolean {
  const kept = new Set(ids);
  const core = part.history.prefix(moment);
  return (
    refusalOf(
      part,
      core.select((k) => kept.has(core.columns.id[k])),
      budget,
    ) !== undefined
  );
}

function told(
  part: Part,
  own: Part,
  { operations, cause, minimal }: Contradiction,
  allowed: Outcome[],
): Counterexample {
  const kept = new Set(operations);
  return {
    part: own.name,
    core: part.history.select((k) => kept.has(k)),
    cuts: own.cuts.includes('values') ? own.cuts : [...own.cuts, 'values'],
    minimal,
    property: 'safety',
    cause: { ...cause, allowed, refused: [] },
  };
}

/** What a monitor says against the return that a search stops at, if it does. */
function upTo(part: Part, refusal: Obstruction, budget: Budget): Contradiction | undefined {
  const { history, spec } = part;
  const prefix = history.prefix(refusal.moment);
  const own = monitored(prefix, spec);
  if (!own || 'obstacle' in own) return undefined;
  const result = own.reading.decide((search) => budget.run(search) as SearchResult | LimitReason);
  if (result.kind !== 'violation' || !('cause' in result.refutation)) return undefined;
  const ruling = result.refutation;
  const { id } = prefix.columns;
  const ids = ruling.operations.map((k) => id[k]);
  // what is open there ends later on, and a cause must hold whatever comes of it
  if (!verifyCause(history, spec, ruling.cause) || !isOver(part, refusal, ids, budget)) return undefined;
  const position = history.positionsById();
  return { ...ruling, operations: ids.map((own) => position[own]) };
}

/** No order of certain operations gets past the return of one. */
export function stop(part: Part, { operation, among }: BlockedReturn): Counterexample {
  const id = part.history.columns.id[operation];
  const own = among ? partAmong(part, operation, among) : part;
  const { history } = own;
  const moment = history.columns.return[history.positionsById()[id]];
  const refusal = refusalOf(own, history.prefix(moment), new Budget(EXPLANATION_LIMITS));
  const few = refusal && wrongAnswer(own, refusal);
  // others than these may stop earlier, and tell what is allowed; on another key they have nothing to say
  if (part.spec.part === undefined && own !== part && isShort(part)) {
    const first = earliest(part, [id], new Budget(TELLING));
    const whole = first && wrongAnswer(part, first.refusal);
    if (whole && !(few && isSaid(few.cause, whole.cause))) return whole;
  }
  if (few) return few;
  return {
    part: own.name,
    core: history.prefix(moment),
    cuts: [...own.cuts, 'prefix'],
    minimal: false,
    property: 'safety',
    cause: { kind: 'late', operation: id, allowed: [], refused: [] },
  };
}

/** Do two causes blame the same operation, and allow the same? */
function isSaid(one: Cause, other: Cause): boolean {
  const outcomes = new Interner();
  const allowed = (cause: Cause): string =>
    cause.allowed
      .map((outcome) => outcomes.intern(outcome))
      .sort((a, b) => a - b)
      .join();
  return one.operation === other.operation && allowed(one) === allowed(other);
}
