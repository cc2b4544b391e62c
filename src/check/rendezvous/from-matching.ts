/**
 * From calls that can not be paired to a counterexample.
 *
 *   the reason                                    cause
 *   nobody fits the call                          lonely
 *   calls have too few partners (Hall)            too few partners, made smaller while they are too few
 *   groups that are odd in number (Tutte, Berge)  odd groups
 *
 * All other calls are left out: those named could not have met them, so what is left can not be paired either.
 */
import type { MeetingCause } from '../model/rendezvous-causes.js';
import type { Counterexample } from '../model/verdict.js';
import { couldHaveMet, nearestTo, overlaps } from './candidates.js';
import type { Unpaired } from './search/configuration-graph.js';
import { PairRules } from './search/pair-rules.js';
import type { SyncPart } from './search/part.js';

export function unpaired(part: SyncPart, { root, groups, inner }: Unpaired): Counterexample {
  const { history } = part;
  const calls = groups.flat();
  if (inner.length === 0 && calls.length === 1) {
    const others = couldHaveMet(part, root);
    return counterexample(part, [root, ...others], others.length === 0, {
      kind: 'lonely',
      operation: history.columns.id[root],
      others: part.ids(others),
      nearest: part.ids(others.length > 0 ? [] : nearestTo(part, root)),
    });
  }
  if (groups.some((group) => group.length > 1))
    return counterexample(part, [...calls, ...inner], false, {
      kind: 'odd groups',
      operation: history.columns.id[root],
      groups: groups.map((group) => part.ids(group).sort((a, b) => a - b)),
      through: part.ids(inner),
    });
  const { own, partners } = smallest(part, calls, inner);
  const last = own.reduce((a, b) => (history.columns.return[b] > history.columns.return[a] ? b : a));
  return counterexample(part, [...own, ...partners], true, {
    kind: 'too few partners',
    operation: history.columns.id[last],
    calls: part.ids(own),
    partners: part.ids(partners),
  });
}

/** Calls with too few partners of which none can be left out. */
function smallest({ history, machine }: SyncPart, calls: readonly number[], inner: readonly number[]) {
  const rules = new PairRules(history.columns, machine, machine.lettersOf(history));
  const partnersOf = new Map(
    calls.map((k) => [
      k,
      inner.filter((other) => overlaps(history.columns, k, other) && rules.reallyFit(k, other)),
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
  part: SyncPart,
  kept: readonly number[],
  minimal: boolean,
  cause: MeetingCause,
): Counterexample {
  const keep = new Set(kept);
  return {
    part: part.name,
    core: part.history.select((k) => keep.has(k)),
    cuts: [...part.cuts, 'partners'],
    minimal,
    property: 'safety',
    cause: { ...cause, allowed: [], refused: [] },
  };
}
