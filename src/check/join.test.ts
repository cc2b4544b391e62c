import { expect, test } from 'vitest';
import { Random, randomHistory } from '../../test/support/random-history.js';
import { subjects } from '../../test/support/subjects.js';
import { type AnyObject, type History, HistoryBuilder, sketch } from '../history/index.js';
import { map } from '../objects/index.js';
import type { Spec } from '../spec/index.js';
import { check } from './check.js';
import { joinOrders } from './join.js';
import { replay } from './replay.js';

test('orders of parts are joined so that real time holds between them', () => {
  const history = sketch`
    A  |- f() ---------------|   |- h() -|
    B     |- g() -|   |- i() ------------------|
  `;
  const [f, g, i, h] = [0, 1, 2, 3];
  expect(Array.from(history, ({ method }) => method)).toEqual(['f', 'g', 'i', 'h']);
  expect([...joinOrders([Int32Array.of(h), Int32Array.of(g, f, i)])]).toEqual([g, f, i, h]);
  expect([...joinOrders([Int32Array.of(i, h), Int32Array.of(f), Int32Array.of(g)])]).toEqual([f, g, i, h]);
});

test('each order stays as it is inside the joined one', () => {
  const joined = [...joinOrders([Int32Array.of(2, 0), Int32Array.of(1)])];
  expect(joined.indexOf(2)).toBeLessThan(joined.indexOf(0));
  expect(joined.toSorted()).toEqual([0, 1, 2]);
});

test('one order is itself, and none is empty', () => {
  const order = Int32Array.of(1, 0);
  expect(joinOrders([order])).toBe(order);
  expect(joinOrders([])).toHaveLength(0);
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
