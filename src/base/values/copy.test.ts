import fc from 'fast-check';
import { List } from 'immutable';
import { describe, expect, test } from 'vitest';
import { Canonical, copyOf } from './canonical.js';

class Job {
  steps: string[] = ['start'];
}
class Sealed {
  #secret = 1;
  get secret() {
    return this.#secret;
  }
}
class Labelled extends Map<string, number[]> {
  label = { text: 'a' };
}

test('a copy equals its original', () => {
  const canonical = new Canonical();
  const anything = fc.anything({
    withBigInt: true,
    withBoxedValues: true,
    withDate: true,
    withMap: true,
    withNullPrototype: true,
    withObjectString: true,
    withSet: true,
    withSparseArray: true,
    withTypedArray: true,
  });
  fc.assert(
    fc.property(anything, (value) => canonical.key(copyOf(value)) === canonical.key(value)),
    { numRuns: 2000, seed: 1 },
  );
});

describe('changing the copy does not change the original', () => {
  test('in plain data and built-ins', () => {
    const original = { list: [[1]], map: new Map([['k', [1]]]), set: new Set([1]), bytes: Uint8Array.of(1) };
    const copy = copyOf(original) as typeof original;
    copy.list[0].push(2);
    copy.map.get('k')?.push(2);
    copy.set.add(2);
    copy.bytes[0] = 2;
    expect(original).toEqual({
      list: [[1]],
      map: new Map([['k', [1]]]),
      set: new Set([1]),
      bytes: Uint8Array.of(1),
    });
  });

  test('in a Buffer, whose slices share memory', () => {
    const original = Buffer.from('ab');
    const copy = copyOf(original) as Buffer;
    copy[0] = 0;
    expect(original.toString()).toBe('ab');
    expect(copy).toBeInstanceOf(Buffer);
  });

  test('in instances, which keep their class', () => {
    const original = new Job();
    const copy = copyOf(original) as Job;
    copy.steps.push('end');
    expect(copy).toBeInstanceOf(Job);
    expect(original.steps).toEqual(['start']);
    const labelled = new Labelled([['k', [1]]]);
    const other = copyOf(labelled) as Labelled;
    other.label.text = 'b';
    other.get('k')?.push(2);
    expect(other).toBeInstanceOf(Labelled);
    expect([labelled.label.text, labelled.get('k')]).toEqual(['a', [1]]);
  });
});

test.each([
  ['a function', () => 1],
  ['an error', new Error('a')],
  ['an instance with #private members', new Sealed()],
  ['an immutable list', List.of(1)],
  ['a pattern', /a/],
  ['a promise', Promise.resolve()],
])('%s is not copied', (_, value) => {
  expect(copyOf(value)).toBe(value);
  expect((copyOf([value]) as unknown[])[0]).toBe(value);
});

test('a cyclic value has a cyclic copy', () => {
  const knot: { self?: unknown } = {};
  knot.self = knot;
  const copy = copyOf(knot) as typeof knot;
  expect(copy).not.toBe(knot);
  expect(copy.self).toBe(copy);
});

test('a field named __proto__ is a field of the copy', () => {
  const copy = copyOf(JSON.parse('{"__proto__": {"a": 1}}')) as object;
  expect(Object.keys(copy)).toEqual(['__proto__']);
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
});
