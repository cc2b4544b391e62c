/**
 * Specs whose methods see the outcome, the process or the interval agree with the oracle.
 *
 * The oracle knows no context. It gets the same history with the context as extra arguments, and a spec whose methods
 * take them.
 */
import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/base/random.js';
import { check } from '../../../src/check/check.js';
import { verifyWitness } from '../../../src/check/verify-witness.js';
import { measureConsistency } from '../../../src/consistency/measure.js';
import { HistoryBuilder } from '../../../src/history/builder/builder.js';
import { draw } from '../../../src/history/drawing/sketch.js';
import type { History } from '../../../src/history/history.js';
import type { Outcome } from '../../../src/history/model/operation.js';
import {
  blocked,
  type OperationContext,
  oneOf,
  refuse,
  type Spec,
  withContext,
} from '../../../src/spec/spec.js';
import { isLinearizable } from '../../support/oracles/oracle.js';
import { share } from '../../support/share.js';

type Fields = readonly (keyof OperationContext)[];
// biome-ignore lint/suspicious/noExplicitAny: methods of any state and arguments
type ContextFunction = (state: any, context: OperationContext, ...args: any[]) => any;

interface Subject {
  readonly spec: Omit<Spec, 'methods'>;
  readonly methods: Readonly<Record<string, readonly [Fields, ContextFunction]>>;
  readonly calls: readonly (readonly [method: string, ...args: unknown[]])[];
  /** Results to choose from, for each method. */
  readonly results: Readonly<Record<string, readonly unknown[]>>;
}

const returned = (outcome: Outcome): unknown => (outcome.kind === 'returned' ? outcome.value : undefined);

/** A lease with tokens that the server chooses. A lease ends between the first and the last possible instant. */
type Lease = { owner: string | null; token: number; from: number; to: number };
const lease: Subject = {
  spec: { name: 'lease', initial: { owner: null, token: 0, from: 0, to: 0 } },
  methods: {
    acquire: [
      ['outcome', 'process', 'interval'],
      (state: Lease, { outcome, process, interval: [call, end] }, ttl: number) => {
        const granted = (token: number) =>
          [{ owner: process, token, from: call + ttl, to: end + ttl }, token] as const;
        if (outcome.kind === 'pending')
          return oneOf<Lease, unknown>(
            [state, false],
            ...(end >= state.from ? [granted(state.token + 1)] : []),
          );
        if (outcome.kind !== 'returned') return refuse('acquire never throws');
        if (outcome.value === false)
          return state.owner !== null && call <= state.to ? [state, false] : refuse('the lease is free');
        const token = outcome.value as number;
        if (state.owner !== null && end < state.from) return refuse(`${state.owner} holds the lease`);
        return token > state.token ? granted(token) : refuse(`the token is not above ${state.token}`);
      },
    ],
    release: [
      ['process'],
      (state: Lease, { process }, token: number) =>
        state.owner === process && state.token === token ? [{ ...state, owner: null }, true] : [state, false],
    ],
  },
  calls: [
    ['acquire', 3],
    ['acquire', 1],
    ['release', 1],
    ['release', 2],
  ],
  results: { acquire: [1, 2, 3, 4, false], release: [true, false] },
};

/** A register that answers each write with a revision that only grows. */
type Revised = { value: number; revision: number };
const revisions: Subject = {
  spec: {
    name: 'revisions',
    initial: { value: 0, revision: 0 },
    readOnly: (method: string) => method === 'read',
  },
  methods: {
    write: [
      ['outcome'],
      (state: Revised, { outcome }, value: number) => {
        const revision = returned(outcome) as number | undefined;
        if (revision === undefined) return [{ value, revision: state.revision + 1 }, state.revision + 1];
        return revision > state.revision ? [{ value, revision }, revision] : refuse('an old revision');
      },
    ],
    read: [
      ['outcome'],
      (state: Revised, { outcome }) =>
        outcome.kind === 'pending' || returned(outcome) === state.value
          ? [state, state.value]
          : refuse(`the value is ${state.value}`),
    ],
  },
  calls: [['write', 1], ['write', 2], ['read']],
  results: { write: [1, 2, 3, 4], read: [0, 1, 2] },
};

/** Locks by name, which belong to the process that took them; `unlock` by another process throws nothing but waits. */
const locks: Subject = {
  spec: {
    name: 'locks',
    initial: {},
    part: (_method: string, [name]: readonly unknown[]) => String(name),
  },
  methods: {
    tryLock: [
      ['process'],
      (held: Record<string, string>, { process }, name: string) =>
        held[name] === undefined ? [{ ...held, [name]: process }, true] : [held, false],
    ],
    unlock: [
      ['process'],
      (held: Record<string, string>, { process }, name: string) => {
        const { [name]: owner, ...others } = held;
        return owner === process ? [others, true] : owner === undefined ? [held, false] : blocked;
      },
    ],
  },
  calls: [
    ['tryLock', 'x'],
    ['tryLock', 'y'],
    ['unlock', 'x'],
    ['unlock', 'y'],
  ],
  results: { tryLock: [true, true, false], unlock: [true, true, false] },
};

const specOf = ({ spec, methods }: Subject): Spec =>
  ({
    ...spec,
    methods: Object.fromEntries(
      Object.entries(methods).map(([name, [sees, run]]) => [name, withContext(sees, run as never)]),
    ),
  }) as unknown as Spec;

/** The same methods, which take the context as their first argument. Nothing is hidden from them. */
const plainSpecOf = ({ spec: { part: _, readOnly: __, ...spec }, methods }: Subject): Spec =>
  ({
    ...spec,
    methods: Object.fromEntries(
      Object.entries(methods).map(([name, [, run]]) => [
        name,
        (state: unknown, context: OperationContext, ...args: unknown[]) => run(state, context, ...args),
      ]),
    ),
  }) as unknown as Spec;

/**
 * A random history, and the same one for the oracle. The methods give the outcomes, at random points of the intervals;
 * then a few outcomes are replaced.
 */
function randomPair(subject: Subject, random: Random, clockError = 0): readonly [History, History] {
  const { calls, results, methods } = subject;
  const length = 3 + random.below(6);
  const busyUntil = new Map<string, number>();
  const drafts = [];
  for (let i = 0; i < length; i++) {
    const [method, ...args] = random.pick(calls);
    const process = random.pick(['A', 'B', 'C']);
    const call = Math.max((busyUntil.get(process) ?? -1) + 1, i + random.below(2));
    if (call === Number.POSITIVE_INFINITY) continue;
    const isPending = random.withProbability(8);
    const end = isPending ? Number.POSITIVE_INFINITY : call + random.below(3);
    busyUntil.set(process, end);
    drafts.push({
      method,
      args,
      process,
      call,
      end,
      point: call + random.below(isPending ? 5 : end - call + 1),
    });
  }
  const outcomes = new Map<(typeof drafts)[number], Outcome>();
  let state: unknown = subject.spec.initial;
  for (const draft of [...drafts].sort((one, other) => one.point - other.point)) {
    const { method, args, process, call, end } = draft;
    const run = (outcome: Outcome): unknown =>
      methods[method][1](state, { outcome, process, interval: [call, end] }, ...args);
    const fitting = results[method].filter((value) => {
      const effect = run({ kind: 'returned', value });
      return Array.isArray(effect) && effect[1] === value;
    });
    const value = random.pick(fitting.length > 0 ? fitting : results[method]);
    const effect = run({ kind: 'returned', value });
    if (end < Number.POSITIVE_INFINITY && Array.isArray(effect)) state = effect[0];
    const isReplaced = random.withProbability(6);
    outcomes.set(
      draft,
      end === Number.POSITIVE_INFINITY
        ? { kind: 'pending' }
        : { kind: 'returned', value: isReplaced ? random.pick(results[method]) : value },
    );
  }
  const error = clockError === 0 ? undefined : clockError;
  const own = new HistoryBuilder({ keepTimes: true, clockError: error });
  const plain = new HistoryBuilder({ clockError: error });
  const offsets = new Map(
    ['A', 'B', 'C'].map((name) => [name, random.below(2 * clockError + 1) - clockError]),
  );
  for (const draft of drafts) {
    const { method, args, process } = draft;
    const offset = offsets.get(process) ?? 0;
    const [call, end] = [draft.call + offset, draft.end + offset];
    const outcome = outcomes.get(draft) as Outcome;
    const times = end === Number.POSITIVE_INFINITY ? { call } : { call, return: end };
    own.operation({ process, method, args, outcome, ...times });
    const context: OperationContext = { outcome, process, interval: [call - clockError, end + clockError] };
    plain.operation({ process, method, args: [context, ...args], outcome, ...times });
  }
  return [own.finish(), plain.finish()];
}

const ALGORITHMS = ['auto', 'search', 'jit-graph', 'jit-breadth', 'jit-tree', 'wg-graph', 'wg-tree'] as const;

describe.each(Object.entries({ lease, revisions, locks }))('methods with a context: %s', (_, subject) => {
  test.each([0, 1, 2])(
    'every algorithm gives the verdict of the oracle, with evidence; clocks off by %i',
    (clockError) => {
      const random = new Random(7);
      const [spec, plainSpec] = [specOf(subject), plainSpecOf(subject)];
      const rounds = share(10_000, 120);
      let linearizable = 0;
      for (let i = 0; i < rounds; i++) {
        const [history, plain] = randomPair(subject, random, clockError);
        if (history.length === 0) continue;
        const expected = isLinearizable(plain, plainSpec);
        if (expected) linearizable++;
        for (const algorithm of ALGORITHMS) {
          const verdict = check(history, spec, { algorithm });
          if (verdict.kind !== (expected ? 'linearizable' : 'violation'))
            throw new Error(`${algorithm} says ${verdict.kind}, the oracle ${expected}\n${draw(history)}`);
          if (verdict.kind === 'linearizable') {
            expect(verifyWitness(history, spec, verdict.witness)).toBeUndefined();
            continue;
          }
          if (verdict.kind !== 'violation' || algorithm !== 'auto') continue;
          const { core, cause } = verdict.counterexample;
          expect(check(core, spec).kind).toBe('violation');
          // each result that is called allowed makes the history up to the return linearizable
          const place = history.positionsById()[cause.operation];
          const [part] = history.args(place);
          const cut = history
            .prefix(history.columns.return[place])
            .select((k) => !spec.part || history.args(k)[0] === part);
          const at = cut.positionsById()[cause.operation];
          for (const outcome of cause.allowed)
            expect(check(cut.withOutcome(at, outcome), spec).kind).toBe('linearizable');
        }
      }
      expect(linearizable / rounds).toBeGreaterThan(0.1);
      expect(linearizable / rounds).toBeLessThan(0.9);
    },
  );

  test('clocks that are off by the clock error at most cause no false alarm', () => {
    const spec = specOf(subject);
    let linearizable = 0;
    for (let seed = 0; seed < share(10_000, 300); seed++) {
      const [exact] = randomPair(subject, new Random(seed));
      if (check(exact, spec).kind !== 'linearizable') continue;
      linearizable++;
      // the same operations, with times of inexact clocks
      for (const clockError of [1, 3]) {
        const builder = new HistoryBuilder({ keepTimes: true, clockError });
        const random = new Random(seed);
        const offsets = new Map(
          exact.tables.processes.map((name) => [name, random.below(2 * clockError + 1) - clockError]),
        );
        for (const { id, process, method, args, outcome } of exact) {
          const offset = offsets.get(process) ?? 0;
          const { call, return: end } = exact.tables.times ?? {};
          const times = outcome.kind === 'pending' ? {} : { return: (end?.[id] ?? 0) + offset };
          builder.operation({ process, method, args, outcome, call: (call?.[id] ?? 0) + offset, ...times });
        }
        const verdict = check(builder.finish(), spec);
        if (verdict.kind !== 'linearizable')
          throw new Error(`seed ${seed}, error ${clockError}\n${draw(exact)}`);
      }
    }
    expect(linearizable).toBeGreaterThan(20);
  });

  test('measuring the consistency takes the context into account', () => {
    const random = new Random(11);
    for (let i = 0; i < 20; i++) {
      const [history] = randomPair(subject, random);
      const { sequential } = measureConsistency(history, specOf(subject));
      const verdict = check(history, specOf(subject));
      if (verdict.kind === 'linearizable') expect(sequential.kind).not.toBe('fails');
    }
  });
});
