import { describe, expect, test } from 'vitest';
import { subjects } from '../../../test/support/fixtures/subjects.js';
import { randomHistory } from '../../../test/support/generators/random-history.js';
import { share } from '../../../test/support/share.js';
import { Random } from '../../base/random.js';
import { HistoryBuilder } from '../../history/builder/builder.js';
import { sketch } from '../../history/drawing/sketch.js';
import type { History } from '../../history/history.js';
import type { AnyObject } from '../../history/model/operation.js';
import { map } from '../../objects/collections/map.js';
import type { PartKey, Spec } from '../../spec/spec.js';
import { check } from '../check.js';
import { verifyWitness } from '../verify-witness.js';
import { joinOrders, partsOf } from './parts.js';

/** A spec whose operations belong to the parts that their first argument lists. */
const listed: Spec = {
  name: 'listed',
  initial: 0,
  methods: { touch: (state: number) => [state, undefined] },
  part: (_method, [keys]) => keys as PartKey | PartKey[] | undefined,
};

/** The parts of a drawing: name, ids and cuts. */
const partsIn = (drawing: string, spec: Spec = listed) =>
  partsOf(sketch(drawing), () => spec, { monitors: false }).map(({ name, history, cuts }) => [
    name,
    [...history.columns.id],
    ...cuts,
  ]);

describe('parts', () => {
  test('contain the operations of one key and have its name', () => {
    expect(
      partsIn(`
        A  |- touch("a") -|  |- touch("b") -|
        B  |- touch("b") -|  |- touch(1) -|  |- touch("1") -|
      `),
    ).toEqual([
      ['a', [0], 'part'],
      ['b', [1, 2], 'part'],
      ['1', [3], 'part'],
      ['1', [4], 'part'],
    ]);
  });

  test('are joined by operations with several keys, transitively', () => {
    expect(
      partsIn(`
        A  |- touch("a") -|  |- touch(["b", "c"]) -|  |- touch("d") -|
        B  |- touch("c") -|  |- touch(["a", "b"]) -|
      `),
    ).toEqual([
      ['a, c, b', [0, 1, 2, 3], 'part'],
      ['d', [4], 'part'],
    ]);
  });

  test('are joined to one unnamed part by an operation without a key', () => {
    expect(
      partsIn(`
        A  |- touch("a") -|  |- touch({"$": "undefined"}) -|
        B  |- touch("b") -|
      `),
    ).toEqual([['', [0, 1, 2]]]);
  });

  test('omit failed operations', () => {
    expect(partsIn('A  |- touch("a") -|  |- touch("b") -x  |- touch("c") -|')).toEqual([
      ['a', [0], 'part'],
      ['c', [2], 'part'],
    ]);
  });

  test('are not joined by failed operations', () => {
    expect(partsIn('A  |- touch("a") -|  |- touch(["a", "b"]) -x  |- touch("b") -|')).toEqual([
      ['a', [0], 'part'],
      ['b', [2], 'part'],
    ]);
  });

  test('are the whole history if it has one key', () => {
    expect(partsIn('A  |- touch("a") -|  |- touch("a") -|')).toEqual([['a', [0, 1]]]);
  });

  test('are joined by explicit "after" edges', () => {
    const builder = new HistoryBuilder();
    for (const key of ['a', 'b', 'c']) builder.call({ process: key, method: 'touch', args: [key] });
    builder.after(2, [0]);
    const parts = partsOf(builder.finish(), () => listed, { monitors: false });
    expect(parts.map(({ name, history }) => [name, [...history.columns.id]])).toEqual([
      ['a, c', [0, 2]],
      ['b', [1]],
    ]);
    expect([...(parts[0].history.columns.after?.items ?? [])]).toEqual([0]);
  });
});

test('a history is split by object first, and the object is in the names of its parts', () => {
  const drawing = `
    A  |- x.put("k", 1) -|  |- y.put("k", 1) -|
    B  |- x.put("l", 1) -|  |- put("m", 1) -|
  `;
  expect(partsIn(drawing, map() as unknown as Spec)).toEqual([
    ['x k', [0], 'object', 'part'],
    ['x l', [1], 'object', 'part'],
    ['y k', [2], 'object'],
    ['m', [3], 'object'],
  ]);
});

test('keys with equal content are one key', () => {
  const drawing =
    'A  |- put({"a": 1, "b": 2}, 1) -|  |- get({"b": 2, "a": 1}) -> 1 -|  |- get([1]) -> null -|';
  expect(partsIn(drawing, map() as unknown as Spec).map(([, own]) => own)).toEqual([[0, 1], [2]]);
});

test('the parts of an empty history are empty', () => {
  expect(partsIn('').every(([, own]) => (own as number[]).length === 0)).toBe(true);
});

test('the parts of a history of failed operations are empty', () => {
  expect(partsIn('A  |- touch("a") -x').flatMap(([, own]) => own as number[])).toEqual([]);
});

describe('joinOrders', () => {
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

  test('joins the linearizations of parts in real-time order', () => {
    const history = sketch`
    A  |- f() ---------------|   |- h() -|
    B     |- g() -|   |- i() ------------------|
  `;
    const [f, g, i, h] = [0, 1, 2, 3];
    expect(Array.from(history, ({ method }) => method)).toEqual(['f', 'g', 'i', 'h']);
    expect(joined([h], [g, f, i])).toEqual([g, f, i, h]);
    expect(joined([i, h], [f], [g])).toEqual([f, g, i, h]);
  });

  test('keeps the order of each linearization', () => {
    expect(joined([2, 0], [1])).toEqual([1, 2, 0]);
    expect(joined([0, 5, 1, 2], [4, 3])).toEqual([0, 4, 3, 5, 1, 2]);
  });

  test('omits operations that are in no linearization', () => {
    expect(joined([4, 1], [3], [])).toEqual([3, 4, 1]);
  });

  test('returns a single linearization unchanged, and nothing for empty ones', () => {
    const order = Int32Array.of(1, 0);
    expect(joinOrders([order], new Int32Array(2))).toBe(order);
    expect(joined([], [])).toEqual([]);
  });

  /** Interleaves histories of several objects with the same processes. */
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

  test('gives a witness of many objects and keys that is valid for the whole history', () => {
    const random = new Random(11);
    let linearizable = 0;
    for (let round = 0; round < share(300, 100); round++) {
      const whole = mixed(Array.from({ length: 3 }, () => randomHistory(subjects.map, random, 8)));
      const spec = map() as unknown as Spec;
      const verdict = check(whole, spec);
      if (verdict.kind !== 'linearizable') continue;
      linearizable++;
      expect(verifyWitness(whole, spec, verdict.witness)).toBeUndefined();
      expect(verdict.stats.parts).toBeGreaterThan(1);
    }
    expect(linearizable).toBeGreaterThan(20);
  });
});
