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
    /✗ not linearizable[\s\S]*├─ dequeue\(\) → 2 ✗ ─┤[\s\S]*returned 2; allowed here: 1\./,
  );
});

test('an undecided history is an error too', () => {
  const history = sketch<Queue<number>>`A |- enqueue(1) -|  |- dequeue() -> 1 -|`;
  expect(() => assertLinearizable(history, queue<number>(), { maxSteps: 0 })).toThrow(/undecided/);
});

test('of calls that meet, meetings are asked for', () => {
  const met = sketch<Channel<number>>`
    A  |- send(1) ---------|
    B    |- receive() -> 1 -|`;
  expect(() => assertLinearizable(met, channel<number>())).not.toThrow();
  const alone = sketch<Channel<number>>`A |- send(1) -|`;
  expect(() => assertLinearizable(alone, channel<number>())).toThrow(
    /^No meetings of these calls give these results\.\n\n✗ no meetings explain it /,
  );
  expect(() => assertLinearizable(met, channel<number>(), { maxSteps: 0 })).toThrow(
    /^Whether some meetings of these calls give these results is not known\./,
  );
});
