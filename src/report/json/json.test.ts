import { expect, test } from 'vitest';
import type { Algorithm } from '../../check/algorithms.js';
import { check } from '../../check/check.js';
import { sketch } from '../../history/drawing/sketch.js';
import type { History } from '../../history/history.js';
import { queue } from '../../objects/collections/container.js';
import { mutex } from '../../objects/locks/mutex.js';
import { refuse, type Spec } from '../../spec/spec.js';
import { jsonReport } from './json.js';

function causeOf(history: History, spec: unknown, algorithm: Algorithm = 'search'): unknown {
  const verdict = check(history, spec as Spec, { algorithm });
  const document = jsonReport({ file: '-', spec: '', history, verdict, ms: { read: 0, check: 0 } });
  return (document.counterexample as { cause: unknown }).cause;
}

test('an order has its state and the allowed outcomes; the first is also the longest', () => {
  const history = sketch`
    A  |- enqueue(1) -----|
    B    |- enqueue(2) -|   |- dequeue() -> 3 -|
  `;
  expect(causeOf(history, queue())).toEqual({
    kind: 'stuck',
    operation: 2,
    allowed: [{ result: 2 }, { result: 1 }],
    longest: [1, 0],
    state: '[2, 1]',
    orders: [
      { order: [1, 0], state: '[2, 1]', answers: [{ result: 2 }] },
      { order: [0, 1], state: '[1, 2]', answers: [{ result: 1 }] },
    ],
  });
});

test('an order says whether the call blocks after it', () => {
  expect(causeOf(sketch`A  |- lock() -|  |- lock() -|`, mutex())).toEqual({
    kind: 'stuck',
    operation: 1,
    allowed: [],
    longest: [0],
    state: 'locked',
    orders: [{ order: [0], state: 'locked', waits: true }],
  });
});

test('a refused call has the reasons of the spec', () => {
  const spec = { name: 'closed', initial: 0, methods: { run: () => refuse('it is closed') } };
  expect(causeOf(sketch`A  |- run() -> 1 -|`, spec)).toEqual({
    kind: 'stuck',
    operation: 0,
    allowed: [],
    refused: ['it is closed'],
    longest: [],
    state: '0',
    orders: [{ order: [], state: '0', refused: ['it is closed'] }],
  });
});

test('a cause of a monitor names the operations that inserted and removed each value', () => {
  const history = sketch`
    A  |- enqueue(1) -|  |- enqueue(2) -|
    B                                      |- dequeue() -> 2 -|  |- dequeue() -> 1 -|
  `;
  expect(causeOf(history, queue(), 'auto')).toEqual({
    kind: 'overtaken',
    operation: 2,
    allowed: [{ result: 1 }],
    // its removal comes later
    first: { value: 1, put: 0 },
    second: { value: 2, put: 1, taken: 2 },
    between: [],
    left: [],
  });
});
