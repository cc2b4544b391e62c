/** Histories in which most outcomes are unknown, as when nodes are stopped: small ones agree with the oracle, long ones of the usual shape are decided. */
import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/base/random.js';
import { check } from '../../../src/check/check.js';
import { JitGraph } from '../../../src/check/search/generic/jit-graph.js';
import { verifyWitness } from '../../../src/check/verify-witness.js';
import { HistoryBuilder } from '../../../src/history/builder/builder.js';
import { draw } from '../../../src/history/drawing/sketch.js';
import type { History } from '../../../src/history/history.js';
import { NEVER, RETURNED } from '../../../src/history/model/columns.js';
import { casRegister, register } from '../../../src/objects/cells/register.js';
import { queue } from '../../../src/objects/collections/container.js';
import { map } from '../../../src/objects/collections/map.js';
import { Machine } from '../../../src/spec/machine/machine.js';
import type { Spec } from '../../../src/spec/spec.js';
import { randomHistory, type Subject } from '../../support/generators/random-history.js';
import { isLinearizable } from '../../support/oracles/oracle.js';
import { share } from '../../support/share.js';

const SUBJECTS: Readonly<Record<string, Subject>> = {
  register: {
    spec: register() as Spec,
    calls: [['write', 1], ['write', 2], ['read'], ['read']],
    plain: true,
  },
  'cas-register': {
    spec: casRegister() as Spec,
    calls: [['write', 1], ['write', 2], ['cas', 1, 2], ['cas', 2, 1], ['read'], ['read']],
    plain: true,
  },
  map: {
    spec: map() as Spec,
    calls: [
      ['put', 'x', 1],
      ['put', 'x', 2],
      ['put', 'y', 1],
      ['remove', 'x'],
      ['get', 'x'],
      ['get', 'x'],
      ['get', 'y'],
    ],
    plain: true,
  },
  queue: {
    spec: queue() as Spec,
    calls: [['enqueue', 1], ['enqueue', 2], ['dequeue'], ['dequeue']],
    plain: true,
  },
};

/** The history with most outcomes unknown; those operations never return. */
function mostlyUnknown(history: History, random: Random): History {
  const builder = new HistoryBuilder();
  for (const { process: _, object: __, ...operation } of history) {
    const isUnknown = random.withProbability(60);
    const { method, args, outcome, call, return: end } = operation;
    builder.operation({
      process: `P${builder.length}`,
      method,
      args: args as never,
      outcome: isUnknown ? { kind: 'pending' } : outcome,
      call,
      ...(!isUnknown && end !== Number.POSITIVE_INFINITY && { return: end }),
    });
  }
  return builder.finish();
}

describe.each(Object.entries(SUBJECTS))('a %s with many unknown outcomes', (_, subject) => {
  test('gets the verdict of the oracle', () => {
    const random = new Random(9);
    const rounds = share(20_000, 120);
    let violations = 0;
    for (let i = 0; i < rounds; i++) {
      const history = mostlyUnknown(randomHistory(subject, random, 9), random);
      const expected = isLinearizable(history, subject.spec) ? 'linearizable' : 'violation';
      if (expected === 'violation') violations++;
      for (const algorithm of ['auto', 'search', 'jit-graph', 'jit-breadth'] as const) {
        const verdict = check(history, subject.spec, { algorithm });
        if (verdict.kind !== expected)
          throw new Error(`${algorithm} says ${verdict.kind}, the oracle ${expected}\n${draw(history)}`);
        if (verdict.kind === 'linearizable')
          expect(verifyWitness(history, subject.spec, verdict.witness)).toBeUndefined();
      }
    }
    expect(violations).toBeGreaterThan(rounds / 100);
  });
});

describe.each(Object.entries(SUBJECTS))(
  'operations of a %s on whose effect no other depends',
  (_, subject) => {
    test('can be left out', () => {
      const random = new Random(4);
      const rounds = share(20_000, 400);
      let fewer = 0;
      for (let i = 0; i < rounds; i++) {
        const history = mostlyUnknown(randomHistory(subject, random, 9), random);
        const graph = new JitGraph(history, new Machine(history, subject.spec), { accepts: () => false });
        while (!graph.advance(10_000)) {}
        const { return: returned } = history.columns;
        const needed = history.select((k) => returned[k] !== NEVER || graph.neededPending.has(k));
        if (needed.length < history.length) fewer++;
        const isSame = isLinearizable(needed, subject.spec) === isLinearizable(history, subject.spec);
        if (!isSame) throw new Error(`${draw(history)}\nbut not the same without some:\n${draw(needed)}`);
      }
      expect(fewer).toBeGreaterThan(rounds / 4);
    });
  },
);

/**
 * The shape of a robustness test of a replicated store: 865 requests to a few keys, of which 835 time out. `values`:
 * how many different values are written. `isFaulty`: one read returns the value of a later request.
 */
function robustnessRun(seed: number, keys: number, values: number, isFaulty = false): History {
  const random = new Random(seed);
  const [requests, answers] = [865, 30];
  const isAnswered = new Set<number>();
  while (isAnswered.size < answers) isAnswered.add(random.below(requests));
  const drafts = Array.from({ length: requests }, (_, i) => {
    const call = 10 * i + random.below(10);
    const known = isAnswered.has(i);
    const method =
      known && random.withProbability(70) ? 'get' : random.withProbability(10) ? 'remove' : 'put';
    const end = call + 20 + random.below(60);
    return {
      process: `P${i}`,
      method,
      args: [`k${random.below(keys)}`, ...(method === 'put' ? [random.below(values)] : [])],
      call,
      end,
      known,
      // a request that timed out may take effect long after
      point: known
        ? call + random.below(end - call)
        : random.withProbability(50)
          ? call + random.below(400)
          : -1,
      result: undefined as unknown,
    };
  });
  const store = new Map<unknown, unknown>();
  for (const draft of drafts.filter(({ point }) => point >= 0).sort((a, b) => a.point - b.point)) {
    const [key, value] = draft.args;
    if (draft.method === 'put') store.set(key, value);
    else if (draft.method === 'remove') draft.result = store.delete(key);
    else draft.result = store.get(key) ?? null;
  }
  const reads = drafts.filter(({ known, method }) => known && method === 'get');
  const faulty = reads[reads.length >>> 1];
  if (isFaulty)
    faulty.result = drafts.findLast(
      ({ method, args, call }) => method === 'put' && args[0] === faulty.args[0] && call > faulty.end,
    )?.args[1];
  const history = new HistoryBuilder();
  for (const { known, end, point: _, result, args, ...draft } of drafts)
    history.operation({
      ...draft,
      args: args as never,
      outcome: known ? { kind: 'returned', value: result } : { kind: 'pending' },
      ...(known && { return: end }),
    });
  return history.finish();
}

/** The values that are put. */
const valuesOf = (history: History): unknown[] =>
  Array.from(history).flatMap(({ method, args }) => (method === 'put' ? [(args as unknown[])[1]] : []));

describe('865 requests, of which 835 have an unknown outcome', () => {
  const limits = { maxSteps: 4_000_000 };

  test.each([
    [1, 10, 1_000_000],
    [2, 3, 20],
    [3, 1, 5],
    [4, 1, 1000],
    [5, 2, 100],
  ])('seed %i, %i keys, %i values: are decided', (seed, keys, values) => {
    const history = robustnessRun(seed, keys, values);
    const verdict = check(history, map() as Spec, limits);
    if (verdict.kind !== 'linearizable') throw new Error(verdict.kind);
    expect(verifyWitness(history, map() as Spec, verdict.witness)).toBeUndefined();
  });

  test.each([
    [1, 10, 1_000_000],
    [2, 3, 1_000_000],
    [3, 3, 100_000],
    [4, 2, 1_000],
  ])('seed %i, %i keys, %i values: a read of a later value is found', (seed, keys, values) => {
    const history = robustnessRun(seed, keys, values, true);
    const verdict = check(history, map() as Spec, limits);
    if (verdict.kind !== 'violation') throw new Error(verdict.kind);
    const { core, cuts, minimal, allowedIsComplete } = verdict.counterexample;
    expect(allowedIsComplete).toBe(true);
    expect(core.length).toBeLessThan(40);
    expect(check(core, map() as Spec, { algorithm: 'wg-graph' }).kind).toBe('violation');
    if (cuts.includes('pending')) expect(minimal).toBe(true);
  });

  test('nothing can be left out of a minimal core, not even an unknown outcome', () => {
    let cores = 0;
    for (let seed = 1; seed <= share(200, 8); seed++) {
      const spec = map() as Spec;
      const verdict = check(robustnessRun(seed, 2, 300, true), spec, limits);
      if (verdict.kind !== 'violation' || !verdict.counterexample.minimal) continue;
      const { core, cause, cuts } = verdict.counterexample;
      if (!cuts.includes('pending')) continue;
      cores++;
      const allowed = new Set(
        'allowed' in cause ? cause.allowed.map((outcome) => JSON.stringify(outcome)) : [],
      );
      const { id, status, result, return: returned } = core.columns;
      const graph = new JitGraph(core, new Machine(core, spec));
      while (!graph.advance(10_000)) {}
      for (let k = 0; k < core.length; k++) {
        if (id[k] === cause.operation) continue;
        const isPut = core.at(k).method === 'put';
        if (returned[k] === NEVER) {
          if (!graph.neededPending.has(k)) throw new Error(`nothing depends on ${id[k]}:\n${draw(core)}`);
        } else if (!isPut) {
          expect(status[k]).toBe(RETURNED);
          const rest = core.select((own) => own !== k);
          const place = rest.columns.id.indexOf(cause.operation);
          const isOpen = (value: unknown): boolean =>
            check(rest.withOutcome(place, { kind: 'returned', value }), spec).kind === 'linearizable';
          // without a read, the core is linearizable or allows its result, which the history does not
          const value = core.tables.values.values[result[k]];
          const isNeeded =
            check(rest, spec).kind === 'linearizable' ||
            [null, value, ...valuesOf(core)].some(
              (other) => !allowed.has(JSON.stringify({ kind: 'returned', value: other })) && isOpen(other),
            );
          if (!isNeeded) throw new Error(`operation ${id[k]} is superfluous:\n${draw(core)}`);
        }
      }
    }
    expect(cores).toBeGreaterThan(0);
  });
});
