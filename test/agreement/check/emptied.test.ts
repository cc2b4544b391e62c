/**
 * Containers that a pending removal may have emptied: repeated values, several "empty" results, and removals and adds
 * that never return. In such a history a later operation may decide what a pending removal took, so the return that a
 * monitor names need not be the faulty one.
 *
 * Each algorithm gives the verdict of a search that knows only the methods, and never an error. If it names the first
 * fault, that search finds a linearization up to the return before it, and none with it. If another return is blamed,
 * the first fault is found all the same.
 */
import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/base/random.js';
import type { Algorithm } from '../../../src/check/algorithms.js';
import { check } from '../../../src/check/check.js';
import { findFirstFault } from '../../../src/check/counterexample/first-fault.js';
import { Budget } from '../../../src/check/model/budget.js';
import { Disagreement } from '../../../src/check/model/search.js';
import { partsOf } from '../../../src/check/parts/parts.js';
import { HistoryBuilder } from '../../../src/history/builder/builder.js';
import { draw } from '../../../src/history/drawing/sketch.js';
import type { History } from '../../../src/history/history.js';
import type { Outcome } from '../../../src/history/model/operation.js';
import { objects } from '../../../src/objects/registry.js';
import type { Spec } from '../../../src/spec/spec.js';
import { type QueueCall, queueHistory } from '../../support/generators/queue-history.js';
import { choices } from '../../support/oracles/oracle.js';
import { share } from '../../support/share.js';

const HISTORIES = share(2_000, 45);
const SEED = share(2041, 2040);
const MOST_OPERATIONS = 11;

/** Only its last result shows that the pending dequeue took no 3, so that the earlier ones stand. */
const EXAMPLE: readonly QueueCall[] = [
  ['enqueue', 2, 0],
  ['enqueue', 3, 1, 4],
  ['dequeue', null, 2],
  ['dequeue', null, 3, 5],
  ['dequeue', null, 6, 8],
  ['enqueue', 1, 7],
  ['enqueue', 3, 9],
  ['dequeue', 3, 10, 11],
  ['dequeue', null, 12, 13],
  ['dequeue', 3, 14, 15],
];

interface Emptied {
  readonly spec: Spec;
  readonly adds: readonly string[];
  readonly removals: readonly string[];
}

const specOf = (name: keyof typeof objects, options = {}): Spec => objects[name](options) as Spec;

const CONTAINERS: Readonly<Record<string, Emptied>> = {
  queue: { spec: specOf('queue'), adds: ['enqueue'], removals: ['dequeue'] },
  'queue with initial values': {
    spec: specOf('queue', { initial: [1, 2] }),
    adds: ['enqueue'],
    removals: ['dequeue'],
  },
  stack: { spec: specOf('stack'), adds: ['push'], removals: ['pop'] },
  'priority queue': {
    spec: specOf('priority-queue'),
    adds: ['insert'],
    removals: ['deleteMin'],
  },
  deque: {
    spec: specOf('deque'),
    adds: ['pushFront', 'pushBack'],
    removals: ['popFront', 'popBack'],
  },
};

/** A random history with few values. Some operations never return, and some removals return "empty" or a result of another. */
function randomEmptied({ spec, adds, removals }: Emptied, random: Random): History {
  const length = 5 + random.below(MOST_OPERATIONS - 4);
  const values = 1 + random.below(3);
  const longest = random.pick([2, 4, 6]);
  const pending = random.pick([10, 25]);
  const drafts = Array.from({ length }, (_, number) => {
    const isAdd = random.withProbability(50);
    const call = 2 * number + random.below(longest);
    const end = call + 1 + random.below(longest);
    const method = random.pick(isAdd ? adds : removals);
    const args = isAdd ? [1 + random.below(values)] : [];
    const point = call + random.below(end - call);
    const isPending = random.withProbability(pending);
    return { method, args, call, end, point, isAdd, isPending, outcome: { kind: 'pending' } as Outcome };
  });
  let state: unknown = spec.initial;
  for (const draft of [...drafts].sort((a, b) => a.point - b.point)) {
    // what never returns takes effect sometimes
    if (draft.isPending && random.withProbability(50)) continue;
    const { next, outcome } = random.pick(choices(spec, state, draft));
    state = next;
    if (!draft.isPending) draft.outcome = outcome;
  }
  const answers = drafts.filter(({ isAdd, outcome }) => !isAdd && outcome.kind === 'returned');
  for (let changes = random.below(5); changes > 0 && answers.length > 0; changes--) {
    const other = random.pick(answers).outcome;
    random.pick(answers).outcome = random.withProbability(50) ? { kind: 'returned', value: null } : other;
  }
  return historyOf(drafts.map(({ outcome, call, end, method, args }) => [method, args, outcome, call, end]));
}

/** A variation of the example below: some values, results and times differ, and what is pending. */
function variedEmptied({ adds, removals }: Emptied, random: Random): History {
  const one = random.below(12) + 3;
  const shift = (): number => (random.below(one) === 0 ? random.below(9) - 4 : 0);
  return historyOf(
    EXAMPLE.map(([method, value, call, end]) => {
      const isAdd = method === 'enqueue';
      const own = random.below(one) === 0 ? 1 + random.below(3) : value;
      const result = random.below(one) === 0 ? random.pick([null, 3, 2]) : value;
      const isPending = (end === undefined) !== (random.below(one) === 0);
      const begin = 4 * call + shift();
      return [
        random.pick(isAdd ? adds : removals),
        isAdd ? [own] : [],
        isPending ? { kind: 'pending' } : { kind: 'returned', value: isAdd ? undefined : result },
        begin,
        Math.max(begin + 1, 4 * (end ?? call + 1) + shift()),
      ];
    }),
  );
}

type Row = readonly [method: string, args: readonly unknown[], outcome: Outcome, call: number, end: number];

function historyOf(rows: readonly Row[]): History {
  const builder = new HistoryBuilder();
  rows.forEach(([method, args, outcome, call, end], number) => {
    const process = String(number);
    const returned = outcome.kind === 'pending' ? undefined : end;
    builder.operation({ process, method, args, outcome, call, return: returned });
  });
  return builder.finish();
}

/** Throws unless all algorithms give the verdict of the methods; returns whether it is a violation. */
function expectAgreement(history: History, spec: Spec, algorithms: readonly Algorithm[]): boolean {
  const truth = (own: History) => check(own, spec, { algorithm: 'wg-tree' }).kind;
  const expected = truth(history);
  const complain = (algorithm: Algorithm, what: string) =>
    new Error(`${algorithm} ${what}; the methods: ${expected}; ${spec.name}\n${draw(history)}`);
  for (const algorithm of algorithms) {
    let verdict: ReturnType<typeof check>;
    try {
      verdict = check(history, spec, { algorithm });
    } catch (error) {
      throw complain(algorithm, `throws ${error}`);
    }
    if (verdict.kind !== expected) throw complain(algorithm, `says ${verdict.kind}`);
    if (verdict.kind !== 'violation') continue;
    const { cause, isFirst } = verdict.counterexample;
    const moment = history.columns.return[history.positionsById()[cause.operation]];
    if (truth(history.prefix(moment)) !== 'violation') throw complain(algorithm, `blames ${cause.operation}`);
    if (isFirst && moment > 0 && truth(history.prefix(moment - 1)) !== 'linearizable')
      throw complain(algorithm, `says that ${cause.operation} is the first fault`);
  }
  return expected === 'violation';
}

/** The first fault is the same if another return is blamed; if nothing is at fault, blame is an error. */
function expectFaultWhateverIsBlamed(history: History, spec: Spec, random: Random): void {
  const [part] = partsOf(history, () => spec, { monitors: true });
  const { events } = part.history.columns;
  const returns = Array.from(events.keys()).filter((moment) => events[moment] < 0);
  if (returns.length === 0) return;
  const find = () => findFirstFault(new Budget({}), part, random.pick(returns), random.withProbability(50));
  if (check(history, spec, { algorithm: 'wg-tree' }).kind === 'linearizable')
    expect(find).toThrow(Disagreement);
  else {
    const { moment } = find();
    expect(check(history.prefix(moment), spec, { algorithm: 'wg-tree' }).kind).toBe('violation');
    expect(check(history.prefix(moment - 1), spec, { algorithm: 'wg-tree' }).kind).toBe('linearizable');
  }
}

test('a later result can show that a pending dequeue took nothing', () => {
  const history = queueHistory(EXAMPLE);
  expect(expectAgreement(history, CONTAINERS.queue.spec, ['auto', 'monitor', 'search'])).toBe(true);
  const verdict = check(history, CONTAINERS.queue.spec);
  expect(verdict).toMatchObject({
    kind: 'violation',
    counterexample: { cause: { operation: 9 }, isFirst: true },
  });
});

test('also in a history that is too long to search at once', () => {
  const before = Array.from({ length: 150 }, (_, i): QueueCall[] => [
    ['enqueue', 100 + i, 4 * i, 4 * i + 1],
    ['dequeue', 100 + i, 4 * i + 2, 4 * i + 3],
  ]).flat();
  const example = EXAMPLE.map(([method, value, call, end]): QueueCall => {
    const begin = 600 + call;
    return end === undefined ? [method, value, begin] : [method, value, begin, 600 + end];
  });
  const history = queueHistory([...before, ...example]);
  const { spec } = CONTAINERS.queue;
  expect(check(history, spec)).toMatchObject({
    kind: 'violation',
    counterexample: { cause: { operation: 309 }, isFirst: true },
  });
  const [part] = partsOf(history, () => spec, { monitors: true });
  const blamed = history.columns.return[304];
  expect(findFirstFault(new Budget({}), part, blamed, false)).toMatchObject({ operation: 309 });
});

describe.each(Object.entries(CONTAINERS))('histories of a %s', (_, container) => {
  test('get the verdict of the methods, whichever return is blamed', () => {
    const random = new Random(SEED);
    let violations = 0;
    for (let i = 0; i < HISTORIES; i++) {
      const history = (i % 2 === 0 ? randomEmptied : variedEmptied)(container, random);
      if (expectAgreement(history, container.spec, ['auto', 'search'])) violations++;
      expectFaultWhateverIsBlamed(history, container.spec, random);
    }
    expect(violations).toBeGreaterThan(HISTORIES / 4);
    expect(violations).toBeLessThan(HISTORIES * 0.95);
  });
});
