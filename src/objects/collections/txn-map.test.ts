import { expect, test } from 'vitest';
import { expectLinearizable, expectViolation } from '../../../test/support/oracles/evidence.js';
import { sketch } from '../../history/drawing/sketch.js';
import { refuse } from '../../spec/spec.js';
import { type TxnMap, txnMap } from './map.js';

const { initial, methods, part, readOnly } = txnMap<unknown, unknown>();
const run = (state: ReadonlyMap<unknown, unknown>, ...actions: unknown[]) =>
  methods.txn(state, actions as never);
const never = () => false;

test('a transaction reads the current values and its own writes', () => {
  expect(run(initial, ['r', 'x', null], ['w', 'x', 1], ['r', 'x', null], ['r', 'y'])).toEqual([
    new Map([['x', 1]]),
    [
      ['r', 'x', null],
      ['w', 'x', 1],
      ['r', 'x', 1],
      ['r', 'y', null],
    ],
  ]);
});

test('an absent key has the value null or the initial value', () => {
  expect(txnMap({ initial: 0 }).methods.txn(new Map(), [['r', 'x']])).toEqual([new Map(), [['r', 'x', 0]]]);
});

test('append extends a list, or creates one', () => {
  expect(run(initial, ['append', 'x', 1], ['append', 'x', 2], ['r', 'x', null])).toEqual([
    new Map([['x', [1, 2]]]),
    [
      ['append', 'x', 1],
      ['append', 'x', 2],
      ['r', 'x', [1, 2]],
    ],
  ]);
  expect(txnMap({ initial: [0] }).methods.txn(new Map(), [['append', 'x', 1]])).toEqual([
    new Map([['x', [0, 1]]]),
    [['append', 'x', 1]],
  ]);
});

test('append to a value that is no list is refused, and the transaction has no effect', () => {
  expect(run(initial, ['w', 'x', 5], ['append', 'x', 1])).toEqual(
    refuse('cannot append to "x": 5 is not a list'),
  );
});

test('keys are equal by content', () => {
  expect(run(new Map([[{ a: 1 }, 1]]), ['w', { a: 1 }, 2])).toEqual([
    new Map([[{ a: 1 }, 2]]),
    [['w', { a: 1 }, 2]],
  ]);
});

test.each([
  [5, 'argument of txn(actions): expected a list; got 5'],
  [
    [5],
    'action of txn(actions): expected ["r", key, null], ["w", key, value] or ["append", key, item]; got 5',
  ],
  [[['x', 'k', 1]], 'got ["x", "k", 1]'],
  [[['w', 'k']], 'got ["w", "k"]'],
  [[['r', 'k', 1]], 'got ["r", "k", 1]'],
])('%j is refused', (actions, message) => {
  expect(() => methods.txn(initial, actions as never)).toThrow(message);
  expect(() => part?.('txn', [actions])).not.toThrow();
  expect(() => readOnly?.('txn', [actions], { kind: 'pending' }, never)).not.toThrow();
});

test('the keys of a transaction are its parts', () => {
  expect(
    part?.('txn', [
      [
        ['r', 'x', null],
        ['w', 7, 1],
      ],
    ]),
  ).toEqual(['x', 7]);
});

test('a transaction of reads is read-only', () => {
  const isReadOnly = (...actions: unknown[]) => readOnly?.('txn', [actions], { kind: 'pending' }, never);
  expect(isReadOnly(['r', 'x', null], ['r', 'y', null])).toBe(true);
  expect(isReadOnly()).toBe(true);
  expect(isReadOnly(['r', 'x', null], ['w', 'y', 1])).toBe(false);
  expect(isReadOnly(['append', 'y', 1])).toBe(false);
});

type Bank = TxnMap<string, number, number>;
const bank = txnMap<string, number, number>({ initial: 0 });

test('two sequential updates are linearizable', () => {
  const history = sketch<Bank>`
    A  |- txn([["r","x",null],["w","x",1]]) -> [["r","x",0],["w","x",1]] ---|
    B    |- txn([["r","x",null],["w","x",2]]) -> [["r","x",1],["w","x",2]] -|
  `;
  expect([...expectLinearizable(history, bank)]).toEqual([0, 1]);
});

test('a lost update is a violation', () => {
  const history = sketch<Bank>`
    A  |- txn([["r","x",null],["w","x",1]]) -> [["r","x",0],["w","x",1]] ---|
    B    |- txn([["r","x",null],["w","x",2]]) -> [["r","x",0],["w","x",2]] -|
  `;
  expectViolation(history, bank);
});

test('write skew is a violation, although each key alone is linearizable', () => {
  const history = sketch<Bank>`
    A  |- txn([["r","x",null],["r","y",null],["w","x",1]]) -> [["r","x",0],["r","y",0],["w","x",1]] ---|
    B    |- txn([["r","x",null],["r","y",null],["w","y",1]]) -> [["r","x",0],["r","y",0],["w","y",1]] -|
  `;
  expect(expectViolation(history, bank).part).toBe('x, y');
});

test('a stale read by a later transaction is serializable, but not strictly serializable', () => {
  const history = sketch<Bank>`
    A  |- txn([["w","x",1]]) -> [["w","x",1]] -|
    B                                             |- txn([["r","x",null]]) -> [["r","x",0]] -|
  `;
  expect(expectViolation(history, bank).cause).toMatchObject({
    operation: 1,
    allowed: [{ kind: 'returned', value: [['r', 'x', 1]] }],
  });
});

test('lists show the order of appends', () => {
  const lists = txnMap<string, number[]>();
  const history = sketch<TxnMap<string, number[]>>`
    A  |- txn([["append","x",1]]) -> [["append","x",1]] -|  |- txn([["r","x",null]]) -> [["r","x",[1,2]]] -|
    B  |- txn([["append","x",2]]) -> [["append","x",2]] -|  |- txn([["r","x",null]]) -> [["r","x",[2,1]]] -|
  `;
  expectViolation(history, lists);
});
