/**
 * Generates small random histories of an object from a seed: with pending and failed operations, equal time stamps and
 * repeated values; about half are linearizable.
 *
 * Operations get random intervals. The spec runs them at random points inside their intervals and gives their outcomes.
 * Then some outcomes are replaced.
 */
import { isDeepStrictEqual } from 'node:util';
import { Random } from '../../../src/base/random.js';
import { HistoryBuilder } from '../../../src/history/builder/builder.js';
import type { History } from '../../../src/history/history.js';
import type { Outcome } from '../../../src/history/model/operation.js';
import type { Spec } from '../../../src/spec/spec.js';
import { choices } from '../oracles/oracle.js';

export { Random };

/** An object to generate histories of: its spec, and the calls to choose from. */
export interface Subject {
  readonly spec: Spec;
  readonly calls: readonly (readonly [method: string, ...args: unknown[]])[];
  /** Methods whose last argument is replaced by a unique value: 1, 2, … */
  readonly fresh?: readonly string[];
  /** Methods whose first argument is replaced by a unique value. */
  readonly freshFirst?: readonly string[];
  /** No operation fails, no history is stuck, and there are no `after` edges. */
  readonly plain?: boolean;
  /** For each method, a result that it sometimes gives although the spec gives another or blocks. */
  readonly insists?: Readonly<Record<string, unknown>>;
  /** A method of `insists` to which the spec gives another result stays pending. */
  readonly always?: boolean;
  /** The history comes from a file: null stands for undefined. */
  readonly fromFile?: boolean;
  /** Calls with the same first argument do not overlap; a pending one is the last of them. */
  readonly sequential?: boolean;
}

export function randomHistory(subject: Subject, random: Random, most: number): History {
  const {
    spec,
    calls,
    fresh = [],
    freshFirst = [],
    plain = false,
    sequential = false,
    insists = {},
  } = subject;
  const length = 1 + random.below(most);
  const processes = 1 + random.below(4);
  const drafts = Array.from({ length }, (_, number) => {
    const [method, ...args] = random.pick(calls);
    if (fresh.includes(method)) args[args.length - 1] = number + 1;
    if (freshFirst.includes(method)) args[0] = number + 1;
    const call = random.below(2 * length);
    const end = call + random.below(plain ? 4 : 5);
    return {
      method,
      args,
      call,
      return: end,
      point: call + random.below(end - call + 1),
      outcome: { kind: 'pending' } as Outcome,
    };
  });

  if (sequential) {
    const until = new Map<unknown, number>();
    for (const draft of drafts.sort((a, b) => a.call - b.call)) {
      const late = (until.get(draft.args[0]) ?? -1) + 1 - draft.call;
      for (const time of ['call', 'return', 'point'] as const) draft[time] += Math.max(0, late);
      until.set(draft.args[0], draft.return);
    }
  }

  // the spec runs the operations in the order of their points
  let state = spec.initial;
  for (const draft of [...drafts].sort((a, b) => a.point - b.point)) {
    const possible = choices(spec, state, draft);
    if (possible.length === 0 || random.withProbability(12)) {
      if (possible.length > 0 && random.withProbability(50)) state = random.pick(possible).next;
      continue;
    }
    const choice = random.pick(possible);
    draft.outcome = choice.outcome;
    state = choice.next;
  }

  const isInsistent = random.withProbability(50);
  for (const draft of drafts) {
    if (!Object.hasOwn(insists, draft.method)) continue;
    const answer: Outcome = { kind: 'returned', value: insists[draft.method] };
    if (isInsistent && random.withProbability(40)) draft.outcome = answer;
    else if (subject.always && !isDeepStrictEqual(draft.outcome, answer)) draft.outcome = { kind: 'pending' };
  }

  // exchange outcomes between operations of one method
  for (
    let exchanges = plain ? random.below(random.withProbability(50) ? 4 : 3 * length) : 0;
    exchanges > 0;
    exchanges--
  ) {
    const [one, other] = [random.pick(drafts), random.pick(drafts)];
    if (one.method === other.method && one.outcome.kind === other.outcome.kind)
      [one.outcome, other.outcome] = [other.outcome, one.outcome];
  }
  // copy them
  for (const draft of drafts) {
    const other = random.pick(drafts);
    if (
      random.withProbability(plain ? 3 : 15) &&
      draft.outcome.kind !== 'pending' &&
      other.method === draft.method &&
      other.outcome.kind !== 'pending'
    )
      draft.outcome = other.outcome;
    if (!plain && random.withProbability(3)) draft.outcome = { kind: 'failed' };
  }

  const builder = new HistoryBuilder({ fromFile: subject.fromFile ?? false });
  const gone = new Set<unknown>();
  drafts.forEach(({ method, args, call, return: end, outcome }, number) => {
    if (sequential && gone.has(args[0])) return;
    if (outcome.kind === 'pending') gone.add(args[0]);
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
  if (plain) return builder.finish();
  // sometimes an `after` edge that times neither imply nor contradict
  if (random.withProbability(20)) {
    const [earlier, later] = [random.below(length), random.below(length)];
    const isOpen = drafts[later].outcome.kind === 'pending';
    const gap = drafts[later].return - drafts[earlier].call;
    // at equal times, a process calls after it has returned; different processes overlap
    const isOrdered = earlier % processes === later % processes;
    const fits = isOpen || gap > 0 || (gap === 0 && !isOrdered);
    if (earlier !== later && fits && drafts[earlier].outcome.kind !== 'failed')
      builder.after(later, [earlier]);
  }
  // or several edges that agree with the points
  else if (random.withProbability(12))
    for (let edges = 0; edges < 4; edges++) {
      const [earlier, later] = [random.below(length), random.below(length)];
      const happened = drafts[earlier].outcome.kind !== 'failed' && drafts[later].outcome.kind !== 'failed';
      if (happened && drafts[earlier].point < drafts[later].point) builder.after(later, [earlier]);
    }
  if (random.withProbability(10)) builder.markStuck();
  return builder.finish();
}
