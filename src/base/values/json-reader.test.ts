import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { share } from '../../../test/support/share.js';
import { describeFound, exactNumber, JsonError, JsonReader, readDocument } from './json-reader.js';

const read = (text: string): unknown => readDocument(new JsonReader(text));

/** The error of a text, which must have one. */
function errorOf(text: string): JsonError {
  try {
    read(text);
  } catch (error) {
    if (error instanceof JsonError) return error;
    throw error;
  }
  throw new Error(`${text} was read`);
}

/** The value of a text, with big integers rounded; undefined if it is invalid. */
const strictly = (text: string): unknown => attempt(() => ({ value: JSON.parse(text) }));
const exactly = (text: string): unknown => attempt(() => ({ value: rounded(read(text)) }));

function attempt(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof JsonError) return 'no JSON';
    throw error;
  }
}

function rounded(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(rounded);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, rounded(field)]));
}

describe('accepts exactly the texts of JSON.parse, with the same values except for big integers', () => {
  test('on JSON', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), fc.nat(4), (text, indent) => {
        const spread = JSON.stringify(JSON.parse(text), null, indent);
        expect(exactly(text)).toStrictEqual(strictly(text));
        expect(exactly(spread)).toStrictEqual(strictly(spread));
      }),
      { numRuns: 1000, seed: 1 },
    );
  });

  test('on JSON with one character inserted, removed or replaced', () => {
    const marks = fc.constantFrom(...'{}[]",:\\/-+.eEtfn0129 \t\n\u0001\u2028xu\ud83d');
    fc.assert(
      fc.property(
        fc.json({ maxDepth: 3 }),
        fc.nat(),
        fc.nat(1),
        fc.option(marks),
        (text, at, taken, mark) => {
          const place = at % (text.length + 1);
          const broken = text.slice(0, place) + (mark ?? '') + text.slice(place + taken);
          expect(exactly(broken)).toStrictEqual(strictly(broken));
        },
      ),
      { numRuns: share(5_000, 800), seed: 2 },
    );
  });

  test('on random sequences of JSON tokens', () => {
    const marks = fc.constantFrom(
      ...[
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '"',
        '"a"',
        '"\\u00e9"',
        '\\',
        '-',
        '0',
        '1',
        '00',
        '.',
        '.5',
        'e3',
        'E+1',
      ],
      ...['true', 'null', 'false', ' ', '\n', '\ufeff', '\u00a0', 'NaN', '12345678901234567890'],
    );
    fc.assert(
      fc.property(fc.array(marks, { maxLength: 7 }), (parts) => {
        const text = parts.join('');
        expect(exactly(text)).toStrictEqual(strictly(text));
      }),
      { numRuns: share(5_000, 800), seed: 3 },
    );
  });

  test.each([
    '{"__proto__":1}',
    '{"a":1,"a":2}',
    '{"2":0,"1":0}',
    '"\\ud83d"',
    '-0',
    '1E400',
    '  [ ]\r\n',
    '',
  ])('on %s', (text) => {
    expect(exactly(text)).toStrictEqual(strictly(text));
  });
});

test('integers that a number would round are bigints', () => {
  expect(read('[9007199254740991, 9007199254740992, -9007199254740993]')).toEqual([
    9007199254740991,
    9007199254740992n,
    -9007199254740993n,
  ]);
  expect(read('1700000000123456789')).toBe(1700000000123456789n);
});

test('decimals and numbers with an exponent stay numbers', () => {
  expect(exactNumber('1e20')).toBe(1e20);
  expect(exactNumber('9007199254740993.5')).toBe(9007199254740994);
  expect(exactNumber('0.1')).toBe(0.1);
  expect(exactNumber('-0')).toBe(-0);
});

describe('an error names its position, the text found and what was expected', () => {
  test.each([
    ['', 0, 'expected a JSON value, found the end of the text'],
    ['[1, 2', 5, 'expected "," or "]", found the end of the text'],
    ['[1,]', 3, 'expected a JSON value, found "]"'],
    ['{"a" 1}', 5, 'expected ":", found "1"'],
    ['{a: 1}', 1, 'expected a field name in double quotes, found "a"'],
    ['{"a": 1,}', 8, 'expected a field name in double quotes, found "}"'],
    ['{"a": 1 "b"}', 8, 'expected "," or "}", found "\\""'],
    ['{"a": nil}', 6, 'expected a JSON value, found "nil"'],
    ['[1] 2', 4, 'expected the end of the text, found "2"'],
    ['01', 1, 'expected the end of the text, found "1"'],
    ['{"a": "b', 8, 'expected a closing double quote, found the end of the text'],
    [
      '["a\\qb"]',
      3,
      'expected a string with a closing double quote and escaped control characters, found "\\\\"',
    ],
    [
      '["a\tb"]',
      3,
      'expected a string with a closing double quote and escaped control characters, found "\\t"',
    ],
  ])('%j', (text, position, message) => {
    const error = errorOf(text);
    expect(error.position).toBe(position);
    expect(error.message).toBe(message);
  });

  test('its position is never after the first invalid character', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 3 }), fc.nat(), (text, at) => {
        const place = at % (text.length + 1);
        const broken = `${text.slice(0, place)}\u0001${text.slice(place)}`;
        expect(errorOf(broken).position).toBeLessThanOrEqual(place);
      }),
      { numRuns: 1000, seed: 4 },
    );
  });
});

test('nesting is limited to 1000 levels', () => {
  expect(() => read('['.repeat(1000) + ']'.repeat(1000))).not.toThrow();
  expect(errorOf('['.repeat(1001) + ']'.repeat(1001)).message).toBe('nested deeper than 1000 levels');
  expect(errorOf('{"a":'.repeat(100_000)).message).toBe('nested deeper than 1000 levels');
});

test('a string of many megabytes is read', () => {
  const long = 'x'.repeat(10_000_000);
  expect(read(`"${long}"`)).toBe(long);
  expect(read(`"${'\\n'.repeat(2_000_000)}"`)).toBe('\n'.repeat(2_000_000));
});

test('the text found is a word or one character; long words are cut', () => {
  expect(describeFound('abc.d, e', 0)).toBe('"abc.d"');
  expect(describeFound('{"a"}', 0)).toBe('"{"');
  expect(describeFound('\u001b[31m', 0)).toBe('"\\u001b"');
  expect(describeFound('x'.repeat(100), 0)).toBe(`"${'x'.repeat(24)}"`);
  expect(describeFound('a', 1)).toBe('the end of the text');
});
