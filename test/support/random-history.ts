/**
 * Small random histories of an object, from a seed: pending and failed
 * operations, equal stamps, repeated values; about half of them linearizable.
 *
 * Operations get random intervals. Their outcomes come from running the spec
 * through them at random points inside, and then some are replaced by other ones.
 */
import { Random } from '../../src/base/index.js';
import { type History, HistoryBuilder, type Outcome, type Spec } from '../../src/index.js';
import { choices } from './oracle.js';

export { Random };

/** An object as the generator sees it: its spec, and the calls to choose from. */
export interface Subject {
  readonly spec: Spec;
  readonly calls: readonly (readonly [method: string, ...args: unknown[]])[];
}

export function randomHistory({ spec, calls }: Subject, random: Random, most: number): History {
  const length = 1 + random.below(most);
  const processes = 1 + random.below(4);
  const drafts = Array.from({ length }, () => {
    const [method, ...args] = random.pick(calls);
    const call = random.below(2 * length);
    const end = call + random.below(5);
    return {
      method,
      args,
      call,
      return: end,
      point: call + random.below(end - call + 1),
      outcome: { kind: 'pending' } as Outcome,
    };
  });

  // run the spec through them, in the order of their points
  let state = spec.initial;
  for (const draft of [...drafts].sort((a, b) => a.point - b.point)) {
    const possible = choices(spec, state, draft);
    if (possible.length === 0 || random.chance(12)) {
      if (possible.length > 0 && random.chance(50)) state = random.pick(possible).next;
      continue;
    }
    const choice = random.pick(possible);
    draft.outcome = choice.outcome;
    state = choice.next;
  }

  // swap outcomes between operations of one method
  for (const draft of drafts) {
    const other = random.pick(drafts);
    if (
      random.chance(15) &&
      draft.outcome.kind !== 'pending' &&
      other.method === draft.method &&
      other.outcome.kind !== 'pending'
    )
      draft.outcome = other.outcome;
    if (random.chance(3)) draft.outcome = { kind: 'failed' };
  }

  const builder = new HistoryBuilder();
  drafts.forEach(({ method, args, call, return: end, outcome }, number) => {
    const process = String(number % processes);
    const overlapping = true;
    builder.operation({
      process,
      method,
      args,
      outcome,
      call,
      return: outcome.kind === 'pending' ? undefined : end,
      overlapping,
    });
  });
  // sometimes an order that time does not show, but does not contradict either
  if (random.chance(20)) {
    const [earlier, later] = [random.below(length), random.below(length)];
    const isOpen = drafts[later].outcome.kind === 'pending';
    const fits = isOpen || drafts[earlier].call <= drafts[later].return;
    if (earlier !== later && fits && drafts[earlier].outcome.kind !== 'failed')
      builder.after(later, [earlier]);
  }
  // or several, all of them true of the points
  else if (random.chance(12))
    for (let edges = 0; edges < 4; edges++) {
      const [earlier, later] = [random.below(length), random.below(length)];
      const happened = drafts[earlier].outcome.kind !== 'failed' && drafts[later].outcome.kind !== 'failed';
      if (happened && drafts[earlier].point < drafts[later].point) builder.after(later, [earlier]);
    }
  if (random.chance(10)) builder.markStuck();
  return builder.finish();
}
