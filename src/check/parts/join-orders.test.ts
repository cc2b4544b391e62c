import { expect, test } from 'vitest';
import { randomHistory } from '../../../test/support/random-history.js';
import { subjects } from '../../../test/support/subjects.js';
import { Random } from '../../base/random.js';
import { HistoryBuilder } from '../../history/builder/builder.js';
import { sketch } from '../../history/drawing/sketch.js';
import type { History } from '../../history/history.js';
import type { AnyObject } from '../../history/model/operation.js';
import { map } from '../../objects/collections/map.js';
import type { Spec } from '../../spec/spec.js';
import { check } from '../check.js';
import { replay } from '../replay.js';
import { joinOrders } from './join-orders.js';

function joined(...orders: readonly number[][]): number[] {
  const partOf = new Int32Array(10);
  orders.forEach((order, part) => {
    for (const operation of order) partOf[operation] = part;
  });
  return [
    ...joinOrders(
      orders.map((order) => Int32Array.from(order)),
      partOf,
    ),
  ];
}

test('orders of parts are joined so that real time holds between them', () => {
  const history = sketch`
    A  |- f() ---------------|   |- h() -|
    B     |- g() -|   |- i() ------------------|
  `;
  const [f, g, i, h] = [0, 1, 2, 3];
  expect(Array.from(history, ({ method }) => method)).toEqual(['f', 'g', 'i', 'h']);
  expect(joined([h], [g, f, i])).toEqual([g, f, i, h]);
  expect(joined([i, h], [f], [g])).toEqual([f, g, i, h]);
});

test('each order stays as it is inside the joined one', () => {
  expect(joined([2, 0], [1])).toEqual([1, 2, 0]);
  expect(joined([0, 5, 1, 2], [4, 3])).toEqual([0, 4, 3, 5, 1, 2]);
});

test('what stands in no order is left out', () => {
  expect(joined([4, 1], [3], [])).toEqual([3, 4, 1]);
});

test('one order is itself, and none is empty', () => {
  const order = Int32Array.of(1, 0);
  expect(joinOrders([order], new Int32Array(2))).toBe(order);
  expect(joined([], [])).toEqual([]);
});

/** Histories of several objects at once, spread over the same processes. */
function mixed(histories: readonly History<AnyObject>[]): History<AnyObject> {
  const builder = new HistoryBuilder();
  histories.forEach((history, object) => {
    for (const { call, return: end, ...operation } of history)
      builder.operation({
        ...operation,
        object: `object ${object}`,
        overlapping: true,
        call: 3 * call + object,
        return: end === Number.POSITIVE_INFINITY ? undefined : 3 * end + object,
      });
  });
  return builder.finish();
}

test('the witness of many objects and keys replays on the whole history', () => {
  const random = new Random(11);
  let linearizable = 0;
  for (let round = 0; round < 300; round++) {
    const whole = mixed(Array.from({ length: 3 }, () => randomHistory(subjects.map, random, 8)));
    const spec = map() as unknown as Spec;
    const verdict = check(whole, spec);
    if (verdict.kind !== 'linearizable') continue;
    linearizable++;
    expect(replay(whole, spec, verdict.witness)).toBeUndefined();
    expect(verdict.effort.parts).toBeGreaterThan(1);
  }
  expect(linearizable).toBeGreaterThan(20);
});
