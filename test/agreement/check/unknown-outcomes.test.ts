/** Histories in which most outcomes are unknown, as when nodes are stopped: small ones agree with the oracle, long ones of the usual shape are decided. */
import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/base/random.js';
import { check } from '../../../src/check/check.js';
import { verifyWitness } from '../../../src/check/verify-witness.js';
import { HistoryBuilder } from '../../../src/history/builder/builder.js';
import { draw } from '../../../src/history/drawing/sketch.js';
import type { History } from '../../../src/history/history.js';
import { casRegister, register } from '../../../src/objects/cells/register.js';
import { queue } from '../../../src/objects/collections/container.js';
import { map } from '../../../src/objects/collections/map.js';
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
      for (const algorithm of ['auto', 'search'] as const) {
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

/**
 * The shape of a robustness test of a replicated store: 865 requests to a few keys, of which 835 time out. `values`:
 * how many different values are written.
 */
function robustnessRun(seed: number, keys: number, values: number): History {
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

describe('865 requests, of which 835 have an unknown outcome', () => {
  test.each([
    [1, 10, 1_000_000],
    [2, 3, 20],
    [3, 1, 5],
  ])('seed %i, %i keys, %i values: are decided', (seed, keys, values) => {
    const history = robustnessRun(seed, keys, values);
    const verdict = check(history, map() as Spec, { maxSteps: 500_000 });
    if (verdict.kind !== 'linearizable') throw new Error(verdict.kind);
    expect(verifyWitness(history, map() as Spec, verdict.witness)).toBeUndefined();
  });
});
