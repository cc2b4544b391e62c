import { describe, expect, test } from 'vitest';
import { Random } from '../../base/random.js';
import { Canonical } from '../../base/values/canonical.js';
import { show } from '../../base/values/show.js';
import type { Transition } from '../../spec/spec.js';
import { deque, Items, queue, stack } from './container.js';

const of = Items.of;
/** The values after a call, and its result. */
const plain = (step: unknown): [unknown[], unknown] => {
  const [next, result] = step as Transition<Items<unknown>, unknown>;
  return [next.toArray(), result];
};

const { initial, methods, readOnly } = deque<number>();

test('values are added at both ends', () => {
  expect(plain(methods.pushFront(of([1]), 2))).toEqual([[2, 1], undefined]);
  expect(plain(methods.pushBack(of([1]), 2))).toEqual([[1, 2], undefined]);
});

test('values are removed at both ends', () => {
  expect(plain(methods.popFront(of([1, 2, 3])))).toEqual([[2, 3], 1]);
  expect(plain(methods.popBack(of([1, 2, 3])))).toEqual([[1, 2], 3]);
});

test('an empty deque returns null or its empty value', () => {
  expect(plain(methods.popFront(initial))).toEqual([[], null]);
  expect(plain(methods.popBack(initial))).toEqual([[], null]);
  expect(plain(deque<number, string>({ empty: 'EMPTY' }).methods.popBack(of([])))).toEqual([[], 'EMPTY']);
});

test('a deque starts with its initial values, the front first', () => {
  expect(deque({ initial: [1, 2] }).initial.toArray()).toEqual([1, 2]);
});

test('an empty result is read-only if no call pushes the empty value at either end', () => {
  const empty = { kind: 'returned', value: null } as const;
  for (const pop of ['popFront', 'popBack']) {
    expect(readOnly?.(pop, [], empty, () => false)).toBe(true);
    for (const push of ['pushFront', 'pushBack'])
      expect(readOnly?.(pop, [], empty, (method, value) => method === push && value === null)).toBe(false);
  }
  expect(readOnly?.('pushFront', [1], { kind: 'pending' }, () => false)).toBe(false);
});

describe('queue', () => {
  const { initial, methods, readOnly, family } = queue<number | null>();
  const never = () => false;

  test('values are removed in the order in which they were added', () => {
    expect(plain(methods.enqueue(of([1]), 2))).toEqual([[1, 2], undefined]);
    expect(plain(methods.dequeue(of([1, 2])))).toEqual([[2], 1]);
    expect(plain(methods.peek(of([1, 2])))).toEqual([[1, 2], 1]);
  });

  test('an empty queue returns null or its empty value', () => {
    expect(initial.toArray()).toEqual([]);
    expect(plain(methods.dequeue(of([])))).toEqual([[], null]);
    expect(plain(methods.peek(of([])))).toEqual([[], null]);
    expect(plain(queue<number, string>({ empty: 'EMPTY' }).methods.dequeue(of([])))).toEqual([[], 'EMPTY']);
    expect(plain(queue<number, undefined>({ empty: undefined }).methods.dequeue(of([])))).toStrictEqual([
      [],
      undefined,
    ]);
    expect(family?.empty).toBe(null);
  });

  test('a queue starts with its initial values, the oldest first', () => {
    const started = queue({ initial: [1, 2] });
    expect(plain(started.methods.dequeue(started.initial))).toEqual([[2], 1]);
  });

  test('dequeue → empty is read-only if no call enqueues the empty value', () => {
    const empty = { kind: 'returned', value: null } as const;
    expect(readOnly?.('dequeue', [], empty, never)).toBe(true);
    expect(readOnly?.('dequeue', [], empty, (method, value) => method === 'enqueue' && value === null)).toBe(
      false,
    );
    expect(queue({ initial: [null] }).readOnly?.('dequeue', [], empty, never)).toBe(false);
    expect(readOnly?.('dequeue', [], { kind: 'returned', value: 1 }, never)).toBe(false);
    expect(readOnly?.('dequeue', [], { kind: 'pending' }, never)).toBe(false);
    expect(readOnly?.('peek', [], { kind: 'pending' }, never)).toBe(true);
    expect(readOnly?.('enqueue', [1], { kind: 'pending' }, never)).toBe(false);
  });

  test('in a file, null may mean the empty value undefined', () => {
    const { readOnly } = queue<unknown, undefined>({ empty: undefined });
    const empty = { kind: 'returned', value: null } as const;
    expect(readOnly?.('dequeue', [], empty, never)).toBe(true);
    expect(readOnly?.('dequeue', [], empty, (_method, value) => value === null)).toBe(false);
  });

  test('an initial value that is no list is an error', () => {
    expect(() => queue({ initial: 5 as never })).toThrow(
      new TypeError('initial of a queue: expected a list; got 5'),
    );
  });
});

describe('stack', () => {
  const { initial, methods, readOnly } = stack<number>();

  test('values are removed in the reverse order in which they were added', () => {
    expect(plain(methods.push(of([1]), 2))).toEqual([[1, 2], undefined]);
    expect(plain(methods.pop(of([1, 2])))).toEqual([[1], 2]);
    expect(plain(methods.peek(of([1, 2])))).toEqual([[1, 2], 2]);
  });

  test('an empty stack returns null or its empty value', () => {
    expect(plain(methods.pop(initial))).toEqual([[], null]);
    expect(plain(methods.peek(initial))).toEqual([[], null]);
    expect(plain(stack<number, number>({ empty: -1 }).methods.pop(of([])))).toEqual([[], -1]);
  });

  test('a stack starts with its initial values, the top last', () => {
    const started = stack({ initial: [1, 2] });
    expect(plain(started.methods.pop(started.initial))).toEqual([[1], 2]);
  });

  test('pop → empty is read-only if no call pushes the empty value', () => {
    const empty = { kind: 'returned', value: null } as const;
    expect(readOnly?.('pop', [], empty, () => false)).toBe(true);
    expect(readOnly?.('pop', [], empty, (method, value) => method === 'push' && value === null)).toBe(false);
    expect(readOnly?.('peek', [], { kind: 'pending' }, () => false)).toBe(true);
    expect(readOnly?.('push', [1], { kind: 'pending' }, () => false)).toBe(false);
  });
});

describe('Items', () => {
  test('along random runs, also ones that branch, it holds the same values as an array', () => {
    const random = new Random(1);
    for (let run = 0; run < 200; run++) {
      // every list that was made, with its values; calls continue from any of them
      const made: (readonly [Items<number>, readonly number[]])[] = [[of([]), []]];
      for (let i = 0; i < 60; i++) {
        const at = random.below(4) === 0 ? random.below(made.length) : made.length - 1;
        const [items, values] = made[at];
        const kind = random.below(5);
        if (kind === 0) made.push([items.withFirst(i), [i, ...values]]);
        else if (kind === 1) made.push([items.withLast(i), [...values, i]]);
        else if (kind === 2) {
          const settled = items.settled();
          if (values.length > 0) expect([settled.first, settled.last]).toEqual([values[0], values.at(-1)]);
          made.push([settled, values]);
        } else if (values.length > 0) {
          const [rest, value] = kind === 3 ? items.withoutFirst() : items.withoutLast();
          expect(value).toBe(kind === 3 ? values[0] : values.at(-1));
          made.push([rest, kind === 3 ? values.slice(1) : values.slice(0, -1)]);
        }
      }
      for (const [items, values] of made) {
        expect(items.toArray()).toEqual(values);
        expect(items.length).toBe(values.length);
      }
    }
  });

  test('lists are compared by content, also inside other values', () => {
    const canonical = new Canonical();
    const one = { items: of([1, [2]]), isClosed: false };
    const same = { items: of<unknown>([[2]]).withFirst(1), isClosed: false };
    expect(canonical.key(one)).toBe(canonical.key(same));
    expect(canonical.key(one)).not.toBe(canonical.key({ items: of([1, [3]]), isClosed: false }));
    expect(canonical.key(of([1]))).not.toBe(canonical.key(of([1, 1])));
    expect(show(same.items)).toBe('[1, [2]]');
  });
});
