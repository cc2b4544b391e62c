/** The table of built-in effects against the functions themselves: each is called, and its object compared before and after. */
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { AnyFunction } from '../../base/any-function.js';
import { effectOf, tracingEffectOf } from './effects.js';

/** Two objects of each class with different contents. */
const SAMPLES: Readonly<Record<string, readonly [() => object, () => object]>> = {
  Array: [() => [3, 1, 2], () => [5, 4]],
  Map: [() => new Map([[1, 2]]), () => new Map([[3, 4]])],
  Set: [() => new Set([1]), () => new Set([2, 3])],
  Int32Array: [() => Int32Array.of(3, 1, 2), () => Int32Array.of(5, 4)],
  Date: [() => new Date(86_400_000 * 365.5), () => new Date(987_654_321_012)],
  RegExp: [() => /1/g, () => /2/g],
};
const ARGUMENTS: readonly (readonly unknown[])[] = [[], [1], [1, 9], [9, 0, 1], [[7]], ['121'], [() => 1]];
/** Functions whose result is a view of the object: it is read when the view is. */
const VIEWS = new Set(['subarray', Symbol.iterator]);

interface Observed {
  readonly changes: boolean;
  readonly reads: boolean;
}

function observe(called: AnyFunction, [first, second]: readonly [() => object, () => object]): Observed {
  let changes = false;
  let reads = false;
  for (const args of ARGUMENTS) {
    const results = [first(), second()].map((object) => {
      const before = inspect([object, (object as RegExp).lastIndex]);
      let result: unknown;
      try {
        result = Reflect.apply(called, object, args);
      } catch (error) {
        result = String(error);
      }
      changes ||= inspect([object, (object as RegExp).lastIndex]) !== before;
      return inspect(result);
    });
    reads ||= results[0] !== results[1];
  }
  return { changes, reads };
}

function* functionsOf(make: () => object): Generator<[key: string | symbol, called: AnyFunction]> {
  for (
    let at = Object.getPrototypeOf(make()) as object;
    at !== Object.prototype;
    at = Object.getPrototypeOf(at) as object
  )
    for (const key of Reflect.ownKeys(at)) {
      const value: unknown = Object.getOwnPropertyDescriptor(at, key)!.value;
      if (typeof value === 'function' && key !== 'constructor') yield [key, value as AnyFunction];
    }
}

describe.each(Object.entries(SAMPLES))('functions of %s', (name, samples) => {
  const observed = Array.from(functionsOf(samples[0]), ([key, called]) => ({
    key,
    object: effectOf(called),
    tracing: tracingEffectOf(called),
    ...observe(called, samples),
  }));

  test('some are in the table', () => {
    expect(observed.filter(({ object }) => object !== undefined).length).toBeGreaterThan(3);
    expect(observed.filter(({ tracing }) => tracing !== undefined).length).toBeGreaterThan(3);
  });

  test.each(['object', 'tracing'] as const)(
    'that change it are not listed as harmless in the column %s',
    (column) => {
      // the runtime tests for `lastIndex` itself (keepsLastIndex)
      const isRegExp = name === 'RegExp' && column === 'object';
      const wrong = observed.filter((row) => row.changes && row[column] && row[column] !== 'writes');
      expect(isRegExp ? [] : wrong).toEqual([]);
    },
  );

  test.each(['object', 'tracing'] as const)(
    'that read it are not listed as pure in the column %s',
    (column) => {
      const wrong = observed.filter(
        (row) => row.reads && !VIEWS.has(row.key) && (row[column] === 'pure' || row[column] === 'none'),
      );
      expect(name === 'RegExp' ? [] : wrong).toEqual([]);
    },
  );

  test('that are listed as writes change it', () => {
    const wrong = observed.filter(({ changes, object }) => object === 'writes' && !changes);
    expect(wrong).toEqual([]);
  });
});
