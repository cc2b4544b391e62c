import { expect, test } from 'vitest';
import { sketch } from '../history/drawing/sketch.js';
import { type Queue, queue } from '../objects/collections/container.js';
import { type Channel, channel } from '../objects/rendezvous/channel.js';
import { assertLinearizable } from './assert.js';

test('a history with an order is no error', () => {
  const history = sketch<Queue<number>>`A |- enqueue(1) -|  |- dequeue() -> 1 -|`;
  expect(() => assertLinearizable(history, queue<number>())).not.toThrow();
});

test('the error of one without an order is the report', () => {
  const history = sketch<Queue<number>>`A |- enqueue(1) -|  |- dequeue() -> 2 -|`;
  expect(() => assertLinearizable(history, queue<number>())).toThrow(
    /✗ not linearizable[\s\S]*├─ dequeue\(\) → 2 ✗ ─┤[\s\S]*returned 2; allowed: 1\./,
  );
});

test('an undecided history is an error too', () => {
  const history = sketch<Queue<number>>`A |- enqueue(1) -|  |- dequeue() -> 1 -|`;
  expect(() => assertLinearizable(history, queue<number>(), { maxSteps: 0 })).toThrow(/undecided/);
});

test('objects whose calls synchronise need rendezvous', () => {
  const met = sketch<Channel<number>>`
    A  |- send(1) ---------|
    B    |- receive() -> 1 -|`;
  expect(() => assertLinearizable(met, channel<number>())).not.toThrow();
  const alone = sketch<Channel<number>>`A |- send(1) -|`;
  expect(() => assertLinearizable(alone, channel<number>())).toThrow(
    /^No sequence of rendezvous of these calls gives these results\.\n\n✗ not synchronisation linearizable /,
  );
  expect(() => assertLinearizable(met, channel<number>(), { maxSteps: 0 })).toThrow(
    /^Undecided: a limit was reached before a sequence of rendezvous/,
  );
});
