/**
 * The first return that no order gets past, near operations that have no order.
 *
 * A history that ends with the last of them has none, so a search of it stops at that return or before. Where it is long, only
 * the operations of a container on values that were there shortly before are searched: what was left out is on other values, and so a
 * stop here is one of the whole, though that may have one before. All within a budget: the verdict is known without.
 */
import { range } from '../../base/collections/ints.js';
import type { History } from '../../history/history.js';
import { NEVER } from '../../history/model/columns.js';
import type { Budget, Limits } from '../model/budget.js';
import type { Refusal } from '../model/search.js';
import { Roles } from '../monitors/duplicates/roles.js';
import { monitorOf } from '../monitors/registry.js';
import { ObjectMachine, Part } from '../parts/part.js';
import { ownSearch } from '../search/choose-search.js';
import { JitGraph } from '../search/generic/jit-graph.js';
import { Refuting } from '../search/refutation.js';

/** What may go into telling more. */
export const TELLING: Limits = { steps: 200_000, milliseconds: 1_000, bytes: 2 ** 28 };
/** Longer histories are not searched only to tell more. */
const SHORT = 2_000;
/** Steps of a graph search, before that of the object is asked, if it has one. */
const LOOK = 30_000;
/** So many events before the last one, in those. */
const SHORTLY = 300;

export interface Earliest {
  /** What was searched: the part, or the operations of it that are near. */
  readonly near: Part;
  readonly refusal: Refusal;
}

/** `contradicting`: ids of operations that have no order. Undefined where that is not found soon. */
export function earliest(part: Part, contradicting: readonly number[], budget: Budget): Earliest | undefined {
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

export const isShort = ({ history }: Part): boolean => history.length <= SHORT;

/** The operation whose return a search stops at. */
export function blamedIn({ history }: Part, { moment }: Refusal): number {
  return history.columns.id[~history.columns.events[moment]];
}

export function refusalOf(part: Part, history: History, budget: Budget): Refusal | undefined {
  const { machine } = part;
  const graph = history.length > SHORT ? new Refuting(history, machine) : new JitGraph(history, machine);
  const others = { otherBytes: () => part.objectMachine.bytes };
  const looked = budget.run(graph, { ...others, pauseAt: LOOK });
  const own =
    looked === 'paused' && repeats(history, part) ? ownSearch({ history, machine }, LOOK) : undefined;
  const answer = looked === 'paused' ? budget.run(own ?? graph, others) : looked;
  return typeof answer === 'string' || answer.found ? undefined : answer;
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
