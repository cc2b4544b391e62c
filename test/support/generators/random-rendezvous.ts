/**
 * Generates small random histories of a rendezvous object from a seed: with pending calls, equal time stamps and
 * repeated values; about half are linearizable.
 *
 * The spec runs random rendezvous at random points, with random intervals around them. Calls without a partner are
 * added. Then some results, intervals and returns are replaced.
 */
import type { Random } from '../../../src/base/random.js';
import { HistoryBuilder } from '../../../src/history/builder/builder.js';
import type { History } from '../../../src/history/history.js';
import type { Outcome } from '../../../src/history/model/operation.js';
import type { SyncSpec } from '../../../src/spec/rendezvous/sync-spec.js';
import { blocked } from '../../../src/spec/spec.js';

export interface RendezvousSubject {
  readonly spec: SyncSpec;
  /** Method to the lists of arguments to choose from. */
  readonly calls: Readonly<Record<string, readonly (readonly unknown[])[]>>;
}

interface Draft {
  readonly method: string;
  readonly args: readonly unknown[];
  outcome: Outcome;
  call: number;
  return: number;
}

export function randomRendezvous({ spec, calls }: RendezvousSubject, random: Random, most: number): History {
  const drafts: Draft[] = [];
  const draft = (method: string, args: readonly unknown[], at: number, outcome: Outcome): void => {
    drafts.push({ method, args, outcome, call: at - random.below(4), return: at + random.below(4) });
  };

  let state: unknown = spec.initial;
  let now = 4;
  for (let tries = 0; tries < 2 * most && drafts.length < most; tries++) {
    const [name, rendezvous] = random.pick(Object.entries(spec.rendezvous));
    const methods = methodsOf(spec, state, name, random);
    if (!methods || drafts.length + methods.length > most) continue;
    const args = methods.map((method) => random.pick(calls[method]));
    const given = rendezvous?.(state, ...args) ?? blocked;
    if (given === blocked || 'reason' in given) continue;
    const steps: readonly (readonly [unknown, unknown])[] =
      'transitions' in given ? given.transitions : [given];
    if (steps.length === 0) continue;
    const [next, results] = random.pick(steps);
    state = next;
    now += random.below(3);
    for (const [i, method] of methods.entries())
      draft(method, args[i], now, outcomeOf((results as unknown[])[i]));
  }
  const unmatched = random.below(3);
  for (let i = 0; i < unmatched; i++) {
    const method = random.pick(Object.keys(calls));
    draft(method, random.pick(calls[method]), 4 + random.below(now), { kind: 'pending' });
  }
  corrupt(drafts, random);

  const builder = new HistoryBuilder({ fromFile: random.below(2) === 0 });
  drafts.forEach(({ method, args, outcome, call, return: end }, number) => {
    const isPending = outcome.kind === 'pending';
    builder.operation({
      process: `p${number}`,
      method,
      args: [...args],
      outcome,
      call,
      ...(!isPending && { return: end }),
    } as Parameters<typeof builder.operation>[0]);
  });
  if (random.below(2) === 0) builder.markStuck();
  return builder.finish();
}

/** The method of each call of a rendezvous; undefined if no size is allowed. */
function methodsOf(spec: SyncSpec, state: unknown, name: string, random: Random): string[] | undefined {
  const methods = name.split('+');
  const last = methods[methods.length - 1];
  if (!last.endsWith('*')) return methods;
  const sizes = spec.sizes?.(state, name) ?? [];
  if (sizes.length === 0) return undefined;
  return [...methods.slice(0, -1), ...Array.from({ length: random.pick(sizes) }, () => last.slice(0, -1))];
}

function outcomeOf(result: unknown): Outcome {
  if (result instanceof Object && result.constructor.name === 'Threw' && 'error' in result)
    return { kind: 'threw', error: String(result.error) };
  return { kind: 'returned', value: result };
}

/** Makes a few changes: replaces a result, removes a return, or shortens an interval. */
function corrupt(drafts: Draft[], random: Random): void {
  const changes = random.below(6);
  for (let i = 0; i < changes && drafts.length > 0; i++) {
    const own = random.pick(drafts);
    const same = drafts.filter(({ method, outcome }) => method === own.method && outcome.kind !== 'pending');
    const kind = random.below(5);
    if (kind === 0 && same.length > 0) own.outcome = random.pick(same).outcome;
    else if (kind === 1) own.outcome = { kind: 'pending' };
    else if (kind === 2) own.call = Math.min(own.return, own.call + 1 + random.below(2));
    else if (kind === 4 && own.outcome.kind === 'returned')
      own.outcome = { kind: 'returned', value: random.pick([null, undefined, Number.NaN]) };
    else own.return = Math.max(own.call, own.return - 1 - random.below(2));
  }
}
