import { expect, test } from 'vitest';
import { check } from '../../check/check.js';
import { sketch } from '../../history/drawing/sketch.js';
import type { History } from '../../history/history.js';
import { queue } from '../../objects/collections/queue.js';
import { channel } from '../../objects/rendezvous/channel.js';
import type { AnySpec } from '../../spec/rendezvous/sync-spec.js';
import { meetingsOf } from './meetings-data.js';

test('calls of plain objects are told among the meetings, in one order', () => {
  const history = sketch`
    A  |- jobs.enqueue(1) -|                  |- jobs.dequeue() -> 1 -|
    B     |- line.send(7) -------|
    C        |- line.receive() -> 7 -|
    D                                            |- line.send(8) -------|
    E                                               |- line.receive() -> 8 -|` as History;
  const specOf = (object?: string) => (object === 'jobs' ? queue() : channel()) as AnySpec;
  const told = meetingsOf(check(history, specOf), history, specOf);
  expect(told.map(({ members }) => members)).toEqual([[0], [1, 2], [3], [4, 5]]);
});
