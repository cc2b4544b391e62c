import { expect, test } from 'vitest';
import { Random } from '../../base/random.js';
import { Canonical } from '../../base/values/canonical.js';
import { show } from '../../base/values/show.js';
import { OneOf, oneOf, type Transition } from '../../spec/spec.js';
import { type Priority, priorityQueue } from './priority-queue.js';

const { initial, key, methods, readOnly } = priorityQueue<unknown>();
type State = typeof initial;

/** A step, or the choices of one, with the values of each state in order. */
function plain(returned: unknown): unknown {
  const ofStep = ([state, result]: Transition<State, unknown>) => [key?.(state), result];
  return returned instanceof OneOf
    ? returned.transitions.map(ofStep)
    : ofStep(returned as Transition<State, unknown>);
}

/** The state after some insertions. */
function holding(...calls: readonly (readonly [value: unknown, priority?: Priority])[]) {
  return calls.reduce(
    (items, call) => (methods.insert(items, ...call) as Transition<typeof items, void>)[0],
    initial,
  );
}

test('the smallest value is removed first', () => {
  expect(plain(methods.deleteMin(holding([3], [1], [2])))).toEqual(plain(oneOf([holding([2], [3]), 1])));
  expect(plain(methods.min(holding([3], [1], [2])))).toEqual(plain(oneOf([holding([1], [2], [3]), 1])));
});

test('a given priority replaces the value as priority', () => {
  expect(plain(methods.deleteMin(holding(['late', 2], ['soon', 1])))).toEqual(
    plain(oneOf([holding(['late', 2]), 'soon'])),
  );
  expect(key?.(holding([1, 1]))).toEqual(key?.(holding([1])));
});

test('any value of the smallest priority may be removed', () => {
  const items = holding(['b', 1], ['a', 1], ['c', 2]);
  const onlyB = holding(['b', 1], ['c', 2]);
  expect(plain(methods.deleteMin(items))).toEqual(
    plain(oneOf([onlyB, 'a'], [holding(['a', 1], ['c', 2]), 'b'])),
  );
  expect(plain(methods.min(items))).toEqual(plain(oneOf([items, 'a'], [items, 'b'])));
});

test('equal values of equal priority are one choice', () => {
  expect(plain(methods.deleteMin(holding([[1], 1], [[1], 1])))).toEqual(
    plain(oneOf([holding([[1], 1]), [1]])),
  );
});

test('the state does not depend on the order of insertion', () => {
  const [one, other] = [holding(['a', 1], ['b', 1], ['c', 0]), holding(['c', 0], ['b', 1], ['a', 1])];
  expect(key?.(one)).toEqual(key?.(other));
  const canonical = new Canonical();
  expect(canonical.key({ inner: one })).toBe(canonical.key({ inner: other }));
  expect(canonical.key(one)).not.toBe(canonical.key(holding(['a', 1], ['b', 1])));
  expect(show(one)).toBe(show(key?.(one)));
});

test('numbers and bigints are compared by value, strings by code units', () => {
  expect(methods.min(holding([10], [9n], [11]))).toMatchObject({ transitions: [[{}, 9n]] });
  expect(methods.min(holding([1], [1n]))).toMatchObject({
    transitions: [
      [{}, 1],
      [{}, 1n],
    ],
  });
  expect(methods.min(holding(['a'], ['B']))).toMatchObject({ transitions: [[{}, 'B']] });
  expect(methods.min(holding(['9'], ['10']))).toMatchObject({ transitions: [[{}, '10']] });
});

test('an empty queue returns null or its empty value', () => {
  expect(plain(methods.deleteMin(initial))).toEqual([[], null]);
  expect(plain(methods.min(initial))).toEqual([[], null]);
  const own = priorityQueue<number, number>({ empty: -1 });
  expect(plain(own.methods.min(own.initial))).toEqual([[], -1]);
});

test('initial values are their own priorities', () => {
  expect(key?.(priorityQueue<unknown>({ initial: [2, 1] }).initial)).toEqual(key?.(holding([1], [2])));
});

test('incomparable priorities are an error', () => {
  expect(() => methods.insert(initial, { a: 1 })).toThrow(/^invalid priority \{a: 1\}/);
  expect(() => methods.insert(initial, 1, Number.NaN)).toThrow(TypeError);
  expect(() => methods.insert(holding([1]), 'a')).toThrow('the priorities "a" and 1 cannot be compared');
});

test('only min is read-only', () => {
  expect(readOnly?.('min', [], { kind: 'pending' }, () => false)).toBe(true);
  expect(readOnly?.('deleteMin', [], { kind: 'returned', value: null }, () => false)).toBe(false);
  expect(readOnly?.('insert', [1], { kind: 'pending' }, () => false)).toBe(false);
});

test('along random runs the choices are the distinct values of smallest priority', () => {
  const random = new Random(1);
  for (let run = 0; run < 300; run++) {
    let state = initial;
    let held: { value: number; priority: number }[] = [];
    for (let i = 0; i < 30; i++) {
      if (held.length === 0 || random.below(3) > 0) {
        const item = { value: random.below(4), priority: random.below(4) };
        state = (methods.insert(state, item.value, item.priority) as Transition<State, void>)[0];
        held = [...held, item];
        continue;
      }
      const least = Math.min(...held.map(({ priority }) => priority));
      const distinct = [...new Set(held.filter((item) => item.priority === least).map(({ value }) => value))];
      const { transitions } = methods.deleteMin(state) as OneOf<State, unknown>;
      expect(transitions.map(([, value]) => value).sort()).toEqual(distinct.sort());
      const [next, removed] = random.pick(transitions);
      const at = held.findIndex((item) => item.priority === least && item.value === removed);
      held = held.filter((_, place) => place !== at);
      state = next;
      const byPriority = (a: { value: number; priority: number }, b: { value: number; priority: number }) =>
        a.priority - b.priority || a.value - b.value;
      expect(key?.(state)).toEqual([...held].sort(byPriority));
    }
  }
});
