import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/base/random.js';
import { check } from '../../../src/check/check.js';
import type { Search, SearchResult } from '../../../src/check/model/search.js';
import { Competition } from '../../../src/check/search/choose-search.js';
import { QueueOriented } from '../../../src/check/search/containers/queue-oriented.js';
import { StackOriented } from '../../../src/check/search/containers/stack-oriented.js';
import { JitTree, WgGraph, WgTree } from '../../../src/check/search/generic/depth-first.js';
import { JitBreadth } from '../../../src/check/search/generic/jit-breadth.js';
import { JitGraph } from '../../../src/check/search/generic/jit-graph.js';
import { RefutingSearch } from '../../../src/check/search/refutation.js';
import { verifyWitness } from '../../../src/check/verify-witness.js';
import { draw } from '../../../src/history/drawing/sketch.js';
import type { History } from '../../../src/history/history.js';
import { register } from '../../../src/objects/cells/register.js';
import { queue, stack } from '../../../src/objects/collections/container.js';
import { set } from '../../../src/objects/collections/set.js';
import { Machine } from '../../../src/spec/machine/machine.js';
import type { Spec } from '../../../src/spec/spec.js';
import { subjects } from '../../support/fixtures/subjects.js';
import { allHistories, type Kind } from '../../support/generators/all-histories.js';
import { randomHistory } from '../../support/generators/random-history.js';
import { isLinearizable } from '../../support/oracles/oracle.js';
import { share } from '../../support/share.js';

const ALL = process.env.AGREE === 'all';
const RANDOM_HISTORIES = share(20_000, 120);
/** A plain run checks every nth history of three and of four operations. */
const SHARES: Readonly<Record<number, number>> = { 3: 31, 4: 1_511 };
/** A set has more kinds of operations, and so more histories of each length. */
const SHARES_OF_SET: Readonly<Record<number, number>> = { 2: 3, 3: 397, 4: 40_009 };

/**
 * All searches, each run alone on the whole history if it supports the object. The refuting search looks for short
 * proofs after every step.
 */
const SEARCHES: Readonly<Record<string, (history: History, machine: Machine) => Search | undefined>> = {
  'jit-graph': (history, machine) => new JitGraph(history, machine),
  'jit-breadth': (history, machine) => new JitBreadth(history, machine),
  refuting: (history, machine) => new RefutingSearch(history, machine, 1),
  'wg-tree': (history, machine) => new WgTree(history, machine),
  'wg-graph': (history, machine) => new WgGraph(history, machine),
  'jit-tree': (history, machine) => new JitTree(history, machine),
  'queue-oriented': (history, machine) =>
    QueueOriented.obstacle(history, machine) === undefined ? new QueueOriented(history, machine) : undefined,
  'stack-oriented': (history, machine) =>
    StackOriented.obstacle(history, machine) === undefined ? new StackOriented(history, machine) : undefined,
  competition: (history, machine) =>
    new Competition(
      [
        () => new WgTree(history, machine),
        () => new JitBreadth(history, machine),
        () => new JitGraph(history, machine),
      ],
      { headStart: 0 },
    ),
};

function answerOf(search: Search): SearchResult {
  for (;;) {
    const answer = search.advance(1);
    if (answer) return answer;
  }
}

/** Each search gives the verdict of the oracle: a witness that replays, or the same faulty return from the same states. */
function expectSameAnswers(history: History, spec: Spec, expected: boolean): void {
  const happened = history.withoutFailed();
  const machine = new Machine(happened, spec);
  const graph = answerOf(new JitGraph(happened, machine));
  for (const [name, begin] of Object.entries(SEARCHES)) {
    const search = begin(happened, machine);
    if (!search) continue;
    const answer = answerOf(search);
    const complain = (what: string) => new Error(`${name}: ${what}; ${spec.name}\n${draw(history)}`);
    if ((answer.kind === 'linearizable') !== expected)
      throw complain(`says ${answer.kind === 'linearizable'}`);
    if (answer.kind === 'linearizable') {
      const witness = { order: answer.witness.map((k) => happened.columns.id[k]) };
      const fault = verifyWitness(happened, spec, witness);
      if (fault) throw complain(`its linearization breaks ${fault.rule}`);
    } else if (graph.kind === 'violation') {
      if (answer.refutation.moment !== graph.refutation.moment)
        throw complain(`stops at ${answer.refutation.moment}, not at ${graph.refutation.moment}`);
      const states = new Set(answer.refutation.states);
      if (
        states.size !== graph.refutation.states.length ||
        !graph.refutation.states.every((state) => states.has(state))
      )
        throw complain(`stands in ${answer.refutation.states}, not in ${graph.refutation.states}`);
      for (const { order } of answer.refutation.longest()) {
        const longest = { order: order.map((k) => happened.columns.id[k]) };
        const fault = verifyWitness(happened.prefix(answer.refutation.moment - 1), spec, longest);
        if (fault) throw complain(`its longest linearization breaks ${fault.rule}`);
      }
    }
  }
}

/** The verdicts agree, and the witness is verified. `evidence.test.ts` compares the evidence of violations. */
function expectAgreement(history: History, spec: Spec): boolean {
  const verdict = check(history, spec, { algorithm: 'search' });
  const expected = isLinearizable(history, spec);
  const shown = () => `${spec.name}\n${draw(history)}\n${JSON.stringify(verdict)}`;
  if (verdict.kind !== (expected ? 'linearizable' : 'violation'))
    throw new Error(`oracle says ${expected}: ${shown()}`);
  if (!history.stuck) expectSameAnswers(history, spec, expected);
  if (verdict.kind === 'linearizable') {
    const fault = verifyWitness(history, spec, verdict.witness);
    if (fault) throw new Error(`the witness breaks ${fault.rule}: ${shown()}`);
  }
  return expected;
}

const value = (method: string, args: readonly unknown[], ...results: unknown[]): Kind[] => [
  ...results.map((result): Kind => ({ method, args, outcome: { kind: 'returned', value: result } })),
  { method, args, outcome: { kind: 'pending' } },
];
const SMALL: Record<string, { spec: Spec; kinds: Kind[]; shares?: Readonly<Record<number, number>> }> = {
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
    shares: SHARES_OF_SET,
  },
};

describe.each(Object.entries(SMALL))('small histories of a %s', (_, { spec, kinds, shares = SHARES }) => {
  test.each([1, 2, 3, 4])('every history of %i operations gets the verdict of the oracle', (length) => {
    let linearizable = 0;
    for (const history of allHistories(kinds, length, ALL ? 1 : (shares[length] ?? 1)))
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
