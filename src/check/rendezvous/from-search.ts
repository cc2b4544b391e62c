/**
 * Builds the counterexample of a rendezvous object: the shortest prefix without a sequence of rendezvous, and why.
 *
 * A prefix is a sound projection, as for plain objects: a call that is still open at its end may have synchronised or
 * not, but if it did, then with its known result. The results that the faulty call could have had are those of a
 * rendezvous at its return; each of them is allowed.
 */
import { Interner } from '../../base/values/interner.js';
import { NEVER } from '../../history/model/columns.js';
import type { Outcome } from '../../history/model/operation.js';
import type { RendezvousCause } from '../model/causes.js';
import type { Counterexample } from '../model/verdict.js';
import type { OddGroups, RendezvousObstruction } from './search/configuration-graph.js';
import { ANY_CALL, EnabledRendezvous, type RendezvousPart } from './search/enabled-rendezvous.js';
import { PairRules } from './search/pair-rules.js';

/*
 * The possible partners of a call by their methods, whatever their arguments and results: the calls that overlap it;
 * if there are none, the nearest ones, to show that they do not overlap.
 */

const MOST = 8;
const NONE = -1;

/** The calls that overlap one. */
function possiblePartners(part: RendezvousPart, k: number): number[] {
  const { columns, length } = part.history;
  const canSynchronise = synchronisesBy(part, k);
  const others: number[] = [];
  for (let other = 0; other < length && others.length < MOST; other++)
    if (other !== k && overlaps(columns, k, other) && canSynchronise(other)) others.push(other);
  return others;
}

/**
 * The last call that returned before one was called, and the first that was called after it returned, if there are
 * any.
 */
function nearestTo(part: RendezvousPart, k: number): number[] {
  const { call, return: returned } = part.history.columns;
  const canSynchronise = synchronisesBy(part, k);
  let [before, after] = [NONE, NONE];
  for (let other = 0; other < call.length; other++) {
    if (returned[other] !== NEVER && returned[other] < call[k]) {
      if ((before === NONE || returned[other] > returned[before]) && canSynchronise(other)) before = other;
    } else if (call[other] > returned[k] && after === NONE && canSynchronise(other)) after = other;
  }
  return [before, after].filter((other) => other !== NONE);
}

const overlaps = (
  { call, return: returned }: { readonly call: Int32Array; readonly return: Int32Array },
  a: number,
  b: number,
): boolean => call[a] < returned[b] && call[b] < returned[a];

/** Whether a rendezvous of two calls is possible by their methods. */
function synchronisesBy({ history, machine }: RendezvousPart, k: number): (other: number) => boolean {
  const rendezvous = new EnabledRendezvous(machine, machine.lettersOf(history));
  return (other) => {
    let canSynchronise = false;
    rendezvous.gather(machine.initial, k < other ? [k, other] : [other, k], ANY_CALL, (_, length) => {
      canSynchronise ||= length === 2;
    });
    return canSynchronise;
  };
}

/*
 * The counterexample of calls that cannot be paired.
 *
 *   the reason                                    cause
 *   no call fits                                  no partner
 *   calls have too few partners (Hall)            too few partners, minimised
 *   groups that are odd in number (Tutte, Berge)  odd groups
 *
 * All other calls are omitted: those named could not have synchronised with them, so the rest cannot be paired
 * either.
 */

/** Undefined if the groups do not name the faulty operation. `whole`: the part before it was cut. */
export function fromUnpaired(
  part: RendezvousPart,
  { root, groups, inner }: OddGroups,
  whole: RendezvousPart,
  operation: number,
): Counterexample | undefined {
  const calls = groups.flat();
  if (!part.ids(calls).includes(operation)) return undefined;
  if (inner.length === 0 && calls.length === 1) {
    const others = possiblePartners(part, root);
    return counterexample(part, [root, ...others], others.length === 0, {
      kind: 'no partner',
      operation,
      others: part.ids(others),
      nearest: others.length > 0 ? [] : whole.ids(nearestTo(whole, whole.history.positionsById()[operation])),
    });
  }
  if (groups.some((group) => group.length > 1))
    return counterexample(part, [...calls, ...inner], false, {
      kind: 'odd groups',
      operation,
      groups: groups.map((group) => part.ids(group).sort((a, b) => a - b)),
      through: part.ids(inner),
    });
  const { own, partners } = smallest(part, calls, inner);
  if (!part.ids(own).includes(operation)) return undefined;
  return counterexample(part, [...own, ...partners], true, {
    kind: 'too few partners',
    operation,
    calls: part.ids(own),
    partners: part.ids(partners),
  });
}

/** Calls with too few partners, none of which can be omitted. */
function smallest({ history, machine }: RendezvousPart, calls: readonly number[], inner: readonly number[]) {
  const rules = new PairRules(history.columns, machine, machine.lettersOf(history));
  const partnersOf = new Map(
    calls.map((k) => [
      k,
      inner.filter((other) => overlaps(history.columns, k, other) && rules.fitBySpec(k, other)),
    ]),
  );
  const partnersOfAll = (own: readonly number[]) => [...new Set(own.flatMap((k) => partnersOf.get(k) ?? []))];
  let own = [...calls].sort((a, b) => a - b);
  for (const k of [...own]) {
    const rest = own.filter((other) => other !== k);
    if (partnersOfAll(rest).length < rest.length) own = rest;
  }
  return { own, partners: partnersOfAll(own).sort((a, b) => a - b) };
}

function counterexample(
  part: RendezvousPart,
  kept: readonly number[],
  minimal: boolean,
  cause: RendezvousCause,
): Counterexample {
  const keep = new Set(kept);
  return {
    part: part.name,
    core: part.history.select((k) => keep.has(k)),
    cuts: [...part.cuts, 'prefix', 'partners'],
    minimal,
    isFirst: false,
    allowedIsComplete: false,
    property: 'safety',
    cause: { ...cause, allowed: [], refused: [] },
  };
}

/** The counterexample for a return at which a search of configurations stopped; undefined if none did. */
export function fromConfigurations(
  part: RendezvousPart,
  operation: number,
  stopped: RendezvousObstruction | undefined,
): Counterexample | undefined {
  if (!stopped) return undefined;
  const { history, machine } = part;
  const k = history.positionsById()[operation];
  const { ends } = stopped;
  const [first] = ends;
  return {
    part: part.name,
    core: history,
    cuts: [...part.cuts, 'prefix'],
    minimal: false,
    isFirst: true,
    allowedIsComplete: false,
    property: 'safety',
    cause: {
      kind: 'unmatched',
      operation,
      allowed: [],
      refused: refusalsAt(part, k, ends),
      longest: {
        rendezvous: first.rendezvous.map((members) => part.ids(members)),
        state: machine.describe(first.state),
        waiting: part.ids(first.waiting.filter((own) => own !== k)),
      },
    },
  };
}

/** The results of an operation in any rendezvous with calls that overlap it, in these states: perhaps too many. */
export function possibleResults(
  { history, machine }: RendezvousPart,
  k: number,
  states: readonly number[],
): Outcome[] {
  const letters = machine.lettersOf(history);
  const rendezvous = new EnabledRendezvous(machine, letters);
  const { columns, length } = history;
  const open: number[] = [];
  for (let other = 0; other < length; other++)
    if (other === k || overlaps(columns, k, other)) open.push(other);
  const outcomes = new Interner();
  for (const state of states)
    rendezvous.gather(state, open, k, (members, size, mode) => {
      const own = Array.from({ length: size }, (_, i) => letters[members[i]]);
      const place = members.indexOf(k);
      for (const outcome of machine.allowedOutcomes(state, mode, own, place)) outcomes.intern(outcome);
    });
  return outcomes.values as Outcome[];
}

/** Why the spec refuses a rendezvous of an operation. */
function refusalsAt(
  { history, machine }: RendezvousPart,
  k: number,
  ends: RendezvousObstruction['ends'],
): string[] {
  const letters = machine.lettersOf(history);
  const rendezvous = new EnabledRendezvous(machine, letters);
  const reasons = new Set<string>();
  for (const { state, waiting } of ends)
    rendezvous.gather(state, waiting, k, (members, length, mode) => {
      const own = Array.from({ length }, (_, i) => letters[members[i]]);
      for (const reason of machine.refusalReasons(state, mode, own)) reasons.add(reason);
    });
  return [...reasons];
}
