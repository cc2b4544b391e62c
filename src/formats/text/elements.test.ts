import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { share } from '../../../test/support/share.js';
import { FormatError, READ_PARTIAL } from '../common/reader.js';
import { EDN_ELEMENTS, type ElementSyntax, Elements, JSON_ELEMENTS } from './elements.js';

/** Each element as `line:column text`, and the error, if there is one. */
function split(syntax: ElementSyntax, text: string | Uint8Array, most = Number.POSITIVE_INFINITY): string[] {
  const found: string[] = [];
  const elements = new Elements(syntax, (element, { line, column }) =>
    found.push(`${line}:${column} ${element}`),
  );
  const bytes = Buffer.from(text as string);
  try {
    for (let at = 0; at < bytes.length; at += most) {
      // the chunk is reused, as a stream may do
      const chunk = Buffer.from(bytes.subarray(at, at + most));
      elements.write(chunk);
      chunk.fill(0x21);
    }
    elements.end();
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    found.push(error.message);
  }
  return found;
}

type Row = [text: string, elements: string[]];

describe('EDN', () => {
  test.each<Row>([
    ['', []],
    [' , \n ; nothing\n', []],
    ['{:a 1}\n{:b 2}\n', ['1:1 {:a 1}', '2:1 {:b 2}']],
    ['{:a 1} {:b 2}{:c 3}', ['1:1 {:a 1}', '1:8 {:b 2}', '1:14 {:c 3}']],
    ['[{:a 1}, {:b 2}]', ['1:2 {:a 1}', '1:10 {:b 2}']],
    ['(\n {:a 1}\n {:b\n  2} {:c 3})\n', ['2:2 {:a 1}', '3:2 {:b\n  2}', '4:6 {:c 3}']],
    ['[]', []],
    [
      '[[1] (2) #{3} "x" y \\] 5]',
      ['1:2 [1]', '1:6 (2)', '1:10 #{3}', '1:15 "x"', '1:19 y', '1:21 \\]', '1:24 5'],
    ],
    ['{:a "}\\"{"}{}', ['1:1 {:a "}\\"{"}', '1:12 {}']],
    ['{:a \\}}{:b \\"}', ['1:1 {:a \\}}', '1:8 {:b \\"}']],
    ['{:a ; }\n 1}{}', ['1:1 {:a ; }\n 1}', '2:4 {}']],
    ['; [\n{} ; }\n{}', ['2:1 {}', '3:1 {}']],
    ['#jepsen.history.Op{:a 1} #t {:b 2}', ['1:1 #jepsen.history.Op{:a 1}', '1:26 #t {:b 2}']],
    ['#t ; comment\n {} {}', ['1:1 #t ; comment\n {}', '2:5 {}']],
    ['#_{:a 1} {:b 2}', ['1:1 #_{:a 1} {:b 2}']],
    ['[1 #_ #_ 2 3 4 #t #_5 6]', ['1:2 1', '1:4 #_ #_ 2 3 4', '1:16 #t #_5 6']],
    ['[1 #_2]', ['1:2 1', '1:4 #_2']],
    ['##NaN #{1}', ['1:1 ##NaN', '1:7 #{1}']],
    ['{"ä€😀" 1} {:b 2}', ['1:1 {"ä€😀" 1}', '1:12 {:b 2}']],
    ['{"ä\nö" 1} {:b 2}', ['1:1 {"ä\nö" 1}', '2:7 {:b 2}']],
    ['ä ö ü', ['1:1 ä', '1:3 ö', '1:5 ü']],
    ['\ufeff{} {}', ['1:1 {}', '1:4 {}']],
    ['{}\r\n{}\r\n', ['1:1 {}', '2:1 {}']],
  ])('%j', (text, elements) => {
    expect(split(EDN_ELEMENTS, text)).toEqual(elements);
  });

  test.each<Row>([
    ['{:a 1}\n}', ['1:1 {:a 1}', 'line 2, column 1: expected a value, found "}"']],
    ['[{:a 1})', ['1:2 {:a 1}', 'line 1, column 8: expected a value, found ")"']],
    ['[1] 2', ['1:2 1', 'line 1, column 5: expected the end of the text after the closing bracket']],
    [
      '\n[1\n 2',
      [
        '2:2 1',
        '3:2 2',
        `line 3, column 3: expected "]" for the bracket on line 2, found the end of the text; ${READ_PARTIAL}`,
      ],
    ],
    [
      '{:a 1}\n{:b\n[2',
      [
        '1:1 {:a 1}',
        '2:1 {:b\n[2',
        `line 3, column 3: expected the end of the value that starts on line 2, but the text ends; ${READ_PARTIAL}`,
      ],
    ],
    [
      '"abc',
      [
        '1:1 "abc',
        `line 1, column 5: expected the end of the value that starts on line 1, but the text ends; ${READ_PARTIAL}`,
      ],
    ],
    ['#t', ['1:1 #t']],
  ])('%j, which is invalid', (text, elements) => {
    expect(split(EDN_ELEMENTS, text)).toEqual(elements);
  });
});

describe('JSON', () => {
  test.each<Row>([
    ['{"a":1}\n{"b":[1,{}]}', ['1:1 {"a":1}', '2:1 {"b":[1,{}]}']],
    ['[{"a":1},{"b":2}]', ['1:2 {"a":1}', '1:10 {"b":2}']],
    ['[\n  {\n    "a": "]\\"}"\n  },\n  {}\n]\n', ['2:3 {\n    "a": "]\\"}"\n  }', '5:3 {}']],
    ['[1,"a",null,[2]]', ['1:2 1', '1:4 "a"', '1:8 null', '1:13 [2]']],
    ['{"a":1}{"b":2}', ['1:1 {"a":1}', '1:8 {"b":2}']],
    ['[]', []],
    ['{"a":#1;}', ['1:1 {"a":#1;}']],
  ])('%j', (text, elements) => {
    expect(split(JSON_ELEMENTS, text)).toEqual(elements);
  });

  test.each<Row>([
    ['[{} {}]', ['1:2 {}', 'line 1, column 5: expected "," before this value']],
    ['[{},]', ['1:2 {}', 'line 1, column 5: expected a value, found "]"']],
    ['[,{}]', ['line 1, column 2: expected a value, found ","']],
    ['[{},,{}]', ['1:2 {}', 'line 1, column 5: expected a value, found ","']],
    ['{},{}', ['1:1 {}', 'line 1, column 3: expected a value, found ","']],
    [
      '[{},',
      [
        '1:2 {}',
        `line 1, column 5: expected "]" for the bracket on line 1, found the end of the text; ${READ_PARTIAL}`,
      ],
    ],
  ])('%j, which is invalid', (text, elements) => {
    expect(split(JSON_ELEMENTS, text)).toEqual(elements);
  });
});

test('a byte that is not UTF-8 is reported with its position', () => {
  const bytes = Buffer.concat([Buffer.from('{:a 1}\n{:b "ä\nö'), Buffer.from([0xff]), Buffer.from('"}')]);
  expect(split(EDN_ELEMENTS, bytes)).toEqual([
    '1:1 {:a 1}',
    'line 3, column 2: the byte 0xff is not UTF-8; expected text',
  ]);
});

test('the division of bytes into pieces does not matter', () => {
  const scrap = fc.constantFrom(
    ...[
      '{',
      '}',
      '[',
      ']',
      '(',
      ')',
      '"',
      '\\',
      ';',
      '#',
      '_',
      ' ',
      '\n',
      ',',
      ':a',
      'ä',
      '😀',
      '1',
      '#t ',
      '{:a 1}',
    ],
  );
  fc.assert(
    fc.property(fc.array(scrap, { maxLength: 30 }), fc.boolean(), (scraps, edn) => {
      const syntax = edn ? EDN_ELEMENTS : JSON_ELEMENTS;
      const text = scraps.join('');
      const whole = split(syntax, text);
      for (const most of [1, 2, 5]) expect(split(syntax, text, most)).toEqual(whole);
    }),
    { seed: 3, numRuns: share(2_000, 400) },
  );
});

test('an element of more than 64 MB is refused, whatever follows', () => {
  const megabyte = Buffer.alloc(1024 * 1024, 'x');
  const elements = new Elements(EDN_ELEMENTS, () => {});
  elements.write(Buffer.from('{}\n[ "'));
  expect(() => {
    for (let i = 0; i < 70; i++) elements.write(megabyte);
  }).toThrow(
    new FormatError(
      'expected the end of the value that starts on line 2, but it is longer than 64 MB',
      2,
      67108868,
    ),
  );
});

test('only one element is held at a time', () => {
  const megabytes = share(200, 100);
  const line = `{:process 0, :type :invoke, :f :write, :value "${'x'.repeat(950)}"}\n`;
  const chunk = Buffer.from(line.repeat(1000));
  let count = 0;
  const elements = new Elements(EDN_ELEMENTS, () => count++);
  const before = process.memoryUsage().rss;
  for (let i = 0; i < megabytes; i++) elements.write(chunk);
  elements.end();
  expect(count).toBe(1_000 * megabytes);
  expect(process.memoryUsage().rss - before).toBeLessThan(0.75 * megabytes * 2 ** 20);
});
