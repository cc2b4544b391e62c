/**
 * Checks a history with rendezvous objects: each is decided separately, and the results are joined with those of the
 * plain objects. The first violation decides.
 */

import { invariant } from '../../base/errors.js';
import type { History } from '../../history/history.js';
import { Budget, type ResolvedLimits } from '../model/budget.js';
import type { SearchStats, Verdict } from '../model/verdict.js';
import { decideRendezvous, type RendezvousContext, type RendezvousResult } from './decide.js';
import type { SplitHistory } from './split-objects.js';
import { verifyRendezvous } from './verify.js';

/*
 * Joins the rendezvous of several objects in one order that respects real time. In its own order, a rendezvous can
 * take place at the latest call among its calls and those of the rendezvous before it. Sorted by these moments, the
 * rendezvous of all objects respect real time together.
 */

/** Lists of rendezvous, by id, as one. */
function joinRendezvous(lists: readonly (readonly Int32Array[])[], history: History): readonly Int32Array[] {
  if (lists.length === 1) return lists[0];
  const position = history.positionsById();
  const { call } = history.columns;
  const placed = lists.flatMap((rendezvous) => {
    let moment = -1;
    return rendezvous.map((members) => {
      for (const id of members) moment = Math.max(moment, call[position[id]]);
      return { members, moment };
    });
  });
  return placed.sort((a, b) => a.moment - b.moment).map(({ members }) => members);
}

/** `plain`: the verdict on the plain objects, if there are any. */
export function checkObjects(
  { rendezvous }: SplitHistory,
  limits: ResolvedLimits,
  means: Omit<RendezvousContext, 'budget'>,
  history: History,
  plain: Verdict | undefined,
): Verdict {
  const spent = plain?.stats.steps ?? 0;
  const maxSteps = limits.maxSteps === undefined ? undefined : Math.max(0, limits.maxSteps - spent);
  const budget = new Budget({ ...limits, maxSteps });
  const results: RendezvousResult[] = [];
  if (plain?.kind !== 'violation')
    for (const part of rendezvous) {
      results.push(decideRendezvous(part, { ...means, budget }));
      if (results[results.length - 1].kind === 'violation') break;
    }
  const stats = statsOf(plain, results, rendezvous.length, budget);
  const names = rendezvous.map(({ name }) => name);

  const violated = results.find((result) => result.kind === 'violation');
  if (plain?.kind === 'violation') return { ...plain, notExamined: [...plain.notExamined, ...names], stats };
  const unfinished = results.filter((result) => result.kind === 'undecided');
  if (violated)
    return {
      kind: 'violation',
      counterexample: violated.refutation,
      undecided: names.filter((_, number) => results[number]?.kind === 'undecided'),
      notExamined: names.filter((_, number) => results[number] === undefined),
      stats,
    };
  if (plain?.kind === 'undecided' || unfinished.length > 0)
    return {
      kind: 'undecided',
      reason: plain?.kind === 'undecided' ? plain.reason : unfinished[0].reason,
      unfinished: [
        ...(plain?.kind === 'undecided' ? plain.unfinished : []),
        ...unfinished.map((result) => result.unfinished),
      ],
      stats,
    };

  const sequence = joinRendezvous(
    results.flatMap((result) => (result.kind === 'linearizable' ? [result.witness] : [])),
    history,
  );
  const fault = verifyRendezvous(rendezvous, sequence);
  invariant(!fault, `invalid witness: rendezvous break rule ${fault?.rule} at operation ${fault?.operation}`);
  const orders = plain ? plain.witness : { order: new Int32Array(0) };
  return { kind: 'linearizable', witness: { ...orders, rendezvous: sequence }, stats };
}

function statsOf(
  plain: Verdict | undefined,
  results: readonly RendezvousResult[],
  parts: number,
  budget: Budget,
): SearchStats {
  const others = plain?.stats;
  return {
    checker: [others?.checker, ...budget.searches].filter(Boolean).join(' and '),
    ...(others?.declined && { declined: others.declined }),
    steps: (others?.steps ?? 0) + budget.steps,
    configurations: (others?.configurations ?? 0) + budget.configurations,
    parts: (others?.parts ?? 0) + parts,
    decided: (others?.decided ?? 0) + results.filter(({ kind }) => kind !== 'undecided').length,
  };
}
