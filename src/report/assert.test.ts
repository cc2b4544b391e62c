import { expect, test } from 'vitest';
import { sketch } from '../history/index.js';
import { type Queue, queue } from '../objects/index.js';
import { assertLinearizable } from './assert.js';

test('a history with an order is no error', () => {
  const history = sketch<Queue<number>>`A |- enqueue(1) -|  |- dequeue() -> 1 -|`;
  expect(() => assertLinearizable(history, queue<number>())).not.toThrow();
});

test('the error of one without an order is the report', () => {
  const history = sketch<Queue<number>>`A |- enqueue(1) -|  |- dequeue() -> 2 -|`;
  expect(() => assertLinearizable(history, queue<number>())).toThrow(
    /✗ not linearizable[\s\S]*├─ dequeue\(\) → 2 ✗ ─┤[\s\S]*returned 2; allowed here: 1\./,
  );
});

test('an undecided history is an error too', () => {
  const history = sketch<Queue<number>>`A |- enqueue(1) -|  |- dequeue() -> 1 -|`;
  expect(() => assertLinearizable(history, queue<number>(), { steps: 0 })).toThrow(/undecided/);
});
