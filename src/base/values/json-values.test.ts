import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { share } from '../../../test/support/share.js';
import { Canonical } from './canonical.js';
import { JsonReader, readDocument } from './json-reader.js';
import { stringify, untag } from './json-values.js';
import { result } from './result-reference.js';

const written = (value: unknown): unknown => untag(readDocument(new JsonReader(stringify(value))));

describe('a written value is read back as the same value', () => {
  test.each([
    undefined,
    null,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    5n,
    -(2n ** 70n),
    2 ** 53,
    2 ** 60,
    -(2 ** 70),
    1e300,
    0.1,
    '{"$":"NaN"}',
    new Date(5),
    new Map<unknown, unknown>([
      [{ a: undefined }, [1n]],
      ['b', new Set([new Map()])],
    ]),
    Uint8Array.of(1, 255),
    Float64Array.of(Number.NaN, 0.5, Number.POSITIVE_INFINITY),
    BigInt64Array.of(1n, -(2n ** 63n)),
    { $: 'NaN' },
    { $: { $: 1 }, value: undefined },
    { $: 'object', value: { $: 'bigint' } },
    JSON.parse('{"__proto__": {"$": 1}}'),
    [[], {}, ''],
    [result('take')],
  ])('%o', (value) => {
    expect(written(value)).toStrictEqual(value);
  });

  test('-0 as 0, which it equals', () => {
    expect(stringify(-0)).toBe('0');
  });

  test('an invalid date as an invalid date', () => {
    expect(written(new Date(Number.NaN))).toStrictEqual(new Date(Number.NaN));
  });

  test('the holes of an array as undefined', () => {
    expect(written(new Array(2))).toStrictEqual([undefined, undefined]);
  });

  test('any value', () => {
    const canonical = new Canonical();
    const anything = fc.anything({
      key: fc.oneof(fc.string(), fc.constantFrom('$', 'value', '__proto__')),
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withTypedArray: true,
    });
    fc.assert(
      fc.property(anything, (value) => canonical.key(written(value)) === canonical.key(value)),
      { numRuns: share(3_000, 600), seed: 1 },
    );
  });
});

test('plain JSON is written as JSON.stringify writes it', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      fc.pre(!/"\$":|\d{16}/.test(JSON.stringify(value)));
      expect(stringify(value)).toBe(JSON.stringify(value));
    }),
  );
});

test('values that JSON cannot represent are tagged', () => {
  expect(stringify(undefined)).toBe('{"$":"undefined"}');
  expect(stringify([5n, Number.NaN])).toBe('[{"$":"bigint","value":"5"},{"$":"NaN"}]');
  expect(stringify(2n ** 60n)).toBe('1152921504606846976');
  expect(stringify(new Set(['a']))).toBe('{"$":"Set","value":["a"]}');
});

test('functions and symbols cannot be written', () => {
  expect(() => stringify([() => 1])).toThrow(new TypeError('cannot write a function as JSON'));
  expect(() => stringify({ a: Symbol('a') })).toThrow(new TypeError('cannot write a symbol as JSON'));
});

test('an unknown tag, or a value that does not fit its tag, is an error', () => {
  expect(() => untag({ $: 'nope' })).toThrow(new RangeError('unknown tag {"$":"nope"}'));
  expect(() => untag([{ $: 5 }])).toThrow(new RangeError('unknown tag {"$":5}'));
  expect(() => untag({ $: 'bigint', value: 'x' })).toThrow(new RangeError('invalid value of {"$":"bigint"}'));
  expect(() => untag({ $: 'Map', value: 5 })).toThrow(RangeError);
  expect(() => untag({ $: 'Uint8Array', value: -1 })).toThrow(RangeError);
  expect(() => untag({ $: 'object' })).toThrow(RangeError);
});
