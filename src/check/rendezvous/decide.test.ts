import { describe, expect, test } from 'vitest';
import { HistoryBuilder } from '../../history/builder/builder.js';
import { sketch } from '../../history/drawing/sketch.js';
import type { History } from '../../history/history.js';
import type { AnySpec, SyncSpec } from '../../spec/rendezvous/sync-spec.js';
import { blocked, type Spec, SpecError } from '../../spec/spec.js';
import { check } from '../check.js';
import { verifyWitness } from '../verify-witness.js';

const channel: SyncSpec = {
  name: 'channel',
  initial: null,
  rendezvous: { 'send+receive': (state: null, [value]: [number]) => [state, [undefined, value]] },
};
const register: Spec = {
  name: 'register',
  initial: 0,
  methods: {
    write: (_: number, value: number) => [value, undefined],
    read: (value: number) => [value, value],
  },
};
const door: SyncSpec = {
  name: 'door',
  initial: 'shut',
  rendezvous: {
    open: () => ['open', [undefined]],
    'in+out': (state: string) => (state === 'shut' ? blocked : [state, [undefined, undefined]]),
  },
};

const specOf = (object: string | undefined): AnySpec => (object === 'line' ? channel : register);
const rendezvousOf = (history: History, spec: AnySpec | typeof specOf) => {
  const verdict = check(history, typeof spec === 'function' ? spec : () => spec);
  return verdict.kind === 'linearizable'
    ? verdict.witness.rendezvous?.map((members) => [...members])
    : verdict.kind;
};

describe('several objects', () => {
  const history = sketch`
    A  |- line.send(1) -------|  |- cell.write(7) -|
    B     |- line.receive() -> 1 -|                  |- cell.read() -> 7 -|`;

  test('are checked separately, by a linearization or by rendezvous', () => {
    const verdict = check(history, specOf);
    if (verdict.kind !== 'linearizable') throw new Error(verdict.kind);
    expect(verdict.witness.rendezvous?.map((members) => [...members])).toEqual([[0, 1]]);
    expect([...verdict.witness.order]).toEqual([2, 3]);
    expect(verdict.stats).toMatchObject({ parts: 2, decided: 2 });
    expect(verifyWitness(history, specOf, verdict.witness)).toBeUndefined();
  });

  test('are a violation if one of them is, of either kind', () => {
    const plain = sketch`
      A  |- line.send(1) -------|  |- cell.write(7) -|
      B     |- line.receive() -> 1 -|                  |- cell.read() -> 8 -|`;
    expect(check(plain, specOf)).toMatchObject({
      kind: 'violation',
      counterexample: { part: 'cell' },
      undecided: [],
      notExamined: ['line'],
    });
    const rendezvous = sketch`
      A  |- line.send(1) -|      |- cell.write(7) -|
      B                      |- line.receive() -> 1 -|  |- cell.read() -> 7 -|`;
    expect(check(rendezvous, specOf)).toMatchObject({ kind: 'violation', counterexample: { part: 'line' } });
  });

  test('have their rendezvous in one sequence', () => {
    const both = sketch`
      A  |- x.send(1) -|   |- y.send(2) -|
      B  |- x.receive() -> 1 -| |- y.receive() -> 2 -|`;
    expect(rendezvousOf(both, () => channel)).toEqual([
      [0, 1],
      [2, 3],
    ]);
  });
});

describe('a sequence of rendezvous', () => {
  const history = sketch`
    A  |- send(1) --------|  |- send(2) --------|
    B    |- receive() -> 1 -|  |- receive() -> 2 -|`;
  const fault = (...rendezvous: number[][]) =>
    verifyWitness(history, channel, {
      order: new Int32Array(0),
      rendezvous: rendezvous.map((members) => Int32Array.from(members)),
    })?.rule;

  test.each([
    [
      undefined,
      [
        [0, 1],
        [2, 3],
      ],
    ],
    ['missing', [[0, 1]]],
    [
      'spec',
      [
        [1, 0],
        [2, 3],
      ],
    ],
    ['spec', [[0], [2, 3]]],
    [
      'real-time',
      [
        [0, 3],
        [2, 1],
      ],
    ],
    [
      'real-time',
      [
        [2, 3],
        [0, 1],
      ],
    ],
    [
      'twice',
      [
        [0, 1],
        [0, 1],
      ],
    ],
    ['twice', [[0, 0]]],
    ['unknown', [[0, 9]]],
  ])('is verified; broken rule: %s', (rule, rendezvous) => {
    expect(fault(...(rendezvous as number[][]))).toBe(rule);
  });

  test('for a stuck history must neither include blocked calls nor leave calls that can synchronise', () => {
    const builder = new HistoryBuilder();
    builder.call({ process: 'A', method: 'send', args: [1] });
    builder.call({ process: 'B', method: 'receive', args: [] });
    builder.markStuck();
    const stuck = builder.finish();
    const order = new Int32Array(0);
    expect(verifyWitness(stuck, channel, { order, rendezvous: [] })?.rule).toBe('waits');
    expect(verifyWitness(stuck, channel, { order, rendezvous: [Int32Array.of(0, 1)] })?.rule).toBe('waits');
  });
});

test('a check that reaches its step limit is undecided', () => {
  const history = sketch`
    A  |- in() -----|
    B    |- out() -----|
    C      |- open() -----|`;
  expect(check(history, door, { maxSteps: 1 })).toMatchObject({ kind: 'undecided', reason: 'steps' });
  expect(check(history, door)).toMatchObject({ kind: 'linearizable' });
});

test('rendezvous respect explicit "after" edges', () => {
  const build = (after: boolean) => {
    const builder = new HistoryBuilder();
    const at = (process: string, method: string, call: number, end: number) =>
      builder.operation({
        process,
        method,
        args: [],
        outcome: { kind: 'returned', value: undefined },
        call,
        return: end,
      });
    const opened = at('C', 'open', 0, 9);
    const entered = at('A', 'in', 1, 8);
    at('B', 'out', 2, 7);
    if (after) builder.after(opened, [entered]);
    return builder.finish();
  };
  expect(check(build(false), door).kind).toBe('linearizable');
  expect(check(build(true), door).kind).toBe('violation');
  expect(check(build(true), door, { algorithm: 'rendezvous-asap' }).kind).toBe('violation');
});

test('an algorithm rejects objects that it does not support', () => {
  const rendezvous = sketch`A |- send(1) -|`;
  expect(() => check(rendezvous, channel, { algorithm: 'wg-tree' })).toThrow('not for rendezvous objects');
  expect(() => check(sketch`A |- read() -> 0 -|`, register, { algorithm: 'matching' })).toThrow(
    'is for rendezvous objects only',
  );
  expect(() => check(sketch`A |- open() -|`, door, { algorithm: 'matching' })).toThrow(
    'its calls change a state',
  );
});

describe('a spec whose `pairs` differ from its rendezvous', () => {
  const history = sketch`
    A  |- send(1) --------|
    B    |- receive() -> 1 -|`;

  test('is an error if they allow more', () => {
    const inconsistent: SyncSpec = { ...channel, pairs: () => [0, 0] };
    const wrong = sketch`
      A  |- send(1) --------|
      B    |- receive() -> 2 -|`;
    expect(() => check(wrong, inconsistent)).toThrow(SpecError);
  });

  test('is an error if they allow less', () => {
    const inconsistent: SyncSpec = { ...channel, pairs: (method) => [method, 'no class'] };
    expect(() => check(history, inconsistent)).toThrow(
      'pairs and rendezvous of the spec differ about operations 0 and 1',
    );
  });
});

describe('calls whose results identify their rendezvous', () => {
  /** Three calls synchronise, and each returns the names of all. */
  const table: SyncSpec = {
    name: 'table',
    initial: null,
    rendezvous: {
      'cook+guest+waiter': (state: null, ...calls: [string][]) => {
        const names = calls.map(([name]) => name).join();
        return [state, [names, names, names]];
      },
    },
    group: (_method, _args, outcome) => (outcome.kind === 'returned' ? outcome.value : undefined),
  };
  const checkerOf = (history: History) => {
    const { kind, stats } = check(history, () => table);
    return [kind, stats.checker];
  };

  test('are grouped by their results, in order of the first return', () => {
    const history = sketch`
      A  |- cook("a") -> "a,b,c" -|   |- cook("a") -> "a,b,c" -------|
      B    |- guest("b") -> "a,b,c" -----|  |- guest("b") -> "a,b,c" --|
      C      |- waiter("c") -> "a,b,c" ------|   |- waiter("c") -> "a,b,c" --|`;
    expect(checkerOf(history)).toEqual(['linearizable', 'groups of calls']);
  });
  test('are searched if one may have synchronised with a pending call, or has no partner', () => {
    const history = sketch`
      A  |- cook("a") -> "a,b,c" -|
      B    |- guest("b") -> "a,b,c" -|
      C      |- waiter("c") -?`;
    expect(checkerOf(history)).toEqual([
      'linearizable',
      'groups of calls and just-in-time search for rendezvous',
    ]);
    expect(checkerOf(history.select((k) => k < 2))[0]).toBe('violation');
  });
});
