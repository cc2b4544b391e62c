/**
 * The checker agrees with the oracle: on every small history, and on many random
 * ones. `npm run agree` does all of it; a plain test run does a share.
 */
import { describe, expect, test } from 'vitest';
import { Refuting } from '../src/check/searches/refuting.js';
import { check, draw, type History, replay, type Spec } from '../src/index.js';
import { queue, register, set, stack } from '../src/objects/index.js';
import { Machine } from '../src/spec/index.js';
import { allHistories, type Kind } from './support/all-histories.js';
import { isLinearizable } from './support/oracle.js';
import { Random, randomHistory } from './support/random-history.js';
import { subjects } from './support/subjects.js';

const ALL = process.env.AGREE === 'all';
const RANDOM_HISTORIES = ALL ? 20_000 : 2_000;
/** In a plain run, of histories of four operations one in this many. */
const SHARE = ALL ? 1 : 211;

/** What the search that looks for short proofs says when it looks for them all the time. */
function refutes(history: History, spec: Spec): boolean {
  const happened = history.happened();
  const search = new Refuting(happened, new Machine(happened, spec), 1);
  for (;;) {
    const answer = search.advance(1);
    if (answer) return !answer.found;
  }
}

/** The verdicts agree, the witness replays, and the core is wrong by itself, with the blame on a return that is. */
function expectAgreement(history: History, spec: Spec): boolean {
  const verdict = check(history, spec);
  const expected = isLinearizable(history, spec);
  const shown = () => `${spec.name}\n${draw(history)}\n${JSON.stringify(verdict)}`;
  if (verdict.kind !== (expected ? 'linearizable' : 'violation'))
    throw new Error(`oracle says ${expected}: ${shown()}`);
  if (refutes(history, spec) === expected && !history.stuck)
    throw new Error(`refuting says ${!expected}: ${shown()}`);
  if (verdict.kind === 'linearizable') {
    const fault = replay(history, spec, verdict.witness);
    if (fault) throw new Error(`the witness breaks ${fault.rule}: ${shown()}`);
  }
  if (verdict.kind === 'violation') {
    const { core, property } = verdict.counterexample;
    if (isLinearizable(core, spec)) throw new Error(`the core is linearizable: ${shown()}\n${draw(core)}`);
    const last = core.columns.events.length - 1;
    if (property === 'safety' && !isLinearizable(core.prefix(last - 1), spec))
      throw new Error(`a shorter prefix would do: ${shown()}`);
  }
  return expected;
}

const value = (method: string, args: readonly unknown[], ...results: unknown[]): Kind[] => [
  ...results.map((result): Kind => ({ method, args, outcome: { kind: 'returned', value: result } })),
  { method, args, outcome: { kind: 'pending' } },
];
const SMALL: Record<string, { spec: Spec; kinds: Kind[] }> = {
  register: {
    spec: register() as Spec,
    kinds: [
      value('write', [0], undefined),
      value('write', [1], undefined),
      value('read', [], null, 0, 1),
    ].flat(),
  },
  queue: {
    spec: queue() as Spec,
    kinds: [
      value('enqueue', [0], undefined),
      value('enqueue', [1], undefined),
      value('dequeue', [], null, 0, 1),
    ].flat(),
  },
  stack: {
    spec: stack() as Spec,
    kinds: [
      value('push', [0], undefined),
      value('push', [1], undefined),
      value('pop', [], null, 0, 1),
    ].flat(),
  },
  set: {
    spec: set() as Spec,
    kinds: [0, 1].flatMap((k) =>
      ['add', 'remove', 'contains'].flatMap((method) => value(method, [k], true, false)),
    ),
  },
};

describe.each(Object.entries(SMALL))('every small history of a %s', (_, { spec, kinds }) => {
  test.each([1, 2, 3, 4])('of %i operations agrees with the oracle', (length) => {
    const share = length === 4 ? SHARE : length === 3 && !ALL ? 3 : 1;
    let linearizable = 0;
    for (const history of allHistories(kinds, length, share))
      if (expectAgreement(history, spec)) linearizable++;
    expect(linearizable).toBeGreaterThan(0);
  });
});

describe.each(Object.entries(subjects))('random histories of a %s', (_, subject) => {
  test('agree with the oracle', () => {
    const random = new Random(2026);
    let linearizable = 0;
    for (let i = 0; i < RANDOM_HISTORIES; i++)
      if (expectAgreement(randomHistory(subject, random, 10), subject.spec)) linearizable++;
    expect(linearizable / RANDOM_HISTORIES).toBeGreaterThan(0.1);
    expect(linearizable / RANDOM_HISTORIES).toBeLessThan(0.95);
  });
});
