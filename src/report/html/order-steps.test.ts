import { describe, expect, test } from 'vitest';
import { check } from '../../check/check.js';
import { partsOf } from '../../check/parts/parts.js';
import { sketch } from '../../history/drawing/sketch.js';
import type { History } from '../../history/history.js';
import { queue } from '../../objects/collections/container.js';
import { counterChannel } from '../../objects/rendezvous/channel.js';
import type { SyncSpec } from '../../spec/rendezvous/sync-spec.js';
import type { Spec } from '../../spec/spec.js';
import { walkOrder, walkRendezvous } from './order-steps.js';

const history = sketch`
  A  |- enqueue(1) -----|   |- dequeue() -> 2 -|
  B    |- enqueue(2) -|                            |- dequeue() -> 2 -|
` as History;
const [part] = partsOf(history, () => queue() as Spec, { monitors: false });

test('each step has the state after it and the outcomes that the spec allows', () => {
  expect(walkOrder(part, [1, 0, 2], 10)).toEqual({
    start: '[]',
    steps: [
      { operation: 1, state: '[2]', allowed: [{ kind: 'returned', value: undefined }] },
      { operation: 0, state: '[2, 1]', allowed: [{ kind: 'returned', value: undefined }] },
      { operation: 2, state: '[1]', allowed: [{ kind: 'returned', value: 2 }] },
    ],
  });
});

test('the walk ends at an operation that the spec does not allow, which is included', () => {
  const { steps } = walkOrder(part, [0, 1, 2, 3], 10);
  expect(steps.map(({ state }) => state)).toEqual(['[1]', '[1, 2]', undefined]);
  expect(steps[2].allowed).toEqual([{ kind: 'returned', value: 1 }]);
});

test('a long linearization is cut after the first steps', () => {
  expect(walkOrder(part, [1, 0, 2, 3], 2).steps).toHaveLength(2);
});

describe('rendezvous-steps', () => {
  test('the state of the spec after each rendezvous', () => {
    const history = sketch`
    A  |- send("a") -> 1 ------------|  |- send("b") -> 2 ----------|
    B     |- receive() -> ["a", 1] -|     |- receive() -> ["b", 2] -|`;
    const specOf = () => counterChannel() as SyncSpec;
    const verdict = check(history, specOf);
    if (verdict.kind !== 'linearizable') throw new Error('expected rendezvous');
    const rendezvous = (verdict.witness.rendezvous ?? []).map((members) => [...members]);
    expect(walkRendezvous(history, specOf, rendezvous)).toEqual(['1', '2']);
  });
});
