import { describe, expect, test } from 'vitest';
import { EdnReader } from './reader.js';
import { EdnError } from './scanner.js';

const read = (text: string): unknown => new EdnReader(text).document();

function complaint(text: string): string {
  try {
    return `accepted: ${JSON.stringify(read(text))}`;
  } catch (error) {
    if (!(error instanceof EdnError)) throw error;
    return `${error.position}: ${error.message}`;
  }
}

test.each<[text: string, value: unknown]>([
  ['nil', null],
  ['true', true],
  ['false', false],
  ['nilly', 'nilly'],
  [':read', 'read'],
  [':jepsen.util/timed-out', 'jepsen.util/timed-out'],
  [':1', '1'],
  ['foo/bar', 'foo/bar'],
  ['-', '-'],
  ['+a', '+a'],
  ['->x', '->x'],
  ['ä€😀', 'ä€😀'],
])('%s is a word', (text, value) => {
  expect(read(text)).toBe(value);
});

test.each<[text: string, value: unknown]>([
  ['0', 0],
  ['-0', 0],
  ['+7', 7],
  ['-12', -12],
  ['9007199254740991', 2 ** 53 - 1],
  ['9007199254740993', 9007199254740993n],
  ['-123456789012345678901234567890', -123456789012345678901234567890n],
  ['5N', 5],
  ['9007199254740993N', 9007199254740993n],
  ['1.5', 1.5],
  ['1.', 1],
  ['-1.25e-3', -0.00125],
  ['1E3', 1000],
  ['5M', 5],
  ['1.50M', 1.5],
  ['0.1234567890123456789M', '0.1234567890123456789M'],
  ['1e999M', '1e999M'],
  ['1/3', '1/3'],
  ['-4/6', '-2/3'],
  ['10/5', 2],
  ['##Inf', Number.POSITIVE_INFINITY],
  ['##-Inf', Number.NEGATIVE_INFINITY],
  ['##NaN', Number.NaN],
])('%s is a number', (text, value) => {
  expect(read(text)).toBe(value);
});

test.each<[text: string, value: unknown]>([
  ['""', ''],
  ['"a b"', 'a b'],
  ['"a\nb"', 'a\nb'],
  [String.raw`"\t\r\n\b\f\\\""`, '\t\r\n\b\f\\"'],
  [String.raw`"x\u00e4y\101z\0"`, 'xäyAz\0'],
  [String.raw`"\\u0041"`, String.raw`\u0041`],
  [String.raw`\a`, 'a'],
  [String.raw`\{`, '{'],
  [String.raw`\\`, '\\'],
  [String.raw`\"`, '"'],
  [String.raw`\;`, ';'],
  [String.raw`\u`, 'u'],
  [String.raw`\u00e4`, 'ä'],
  [String.raw`\o101`, 'A'],
  [String.raw`\newline`, '\n'],
  [String.raw`\space`, ' '],
  [String.raw`\😀`, '😀'],
])('%s is a text', (text, value) => {
  expect(read(text)).toBe(value);
});

test.each<[text: string, value: unknown]>([
  ['[]', []],
  ['[1,2,,3]', [1, 2, 3]],
  ['(1 (2) [nil])', [1, [2], [null]]],
  ['[[1][2]{}"a"b]', [[1], [2], {}, 'a', 'b']],
  ['{}', {}],
  ['{:a 1, "b" [2] c 3}', { a: 1, b: [2], c: 3 }],
  ['{:__proto__ 1 :toString 2}', { ['__proto__']: 1, toString: 2 }],
  [
    '{:a 1 2 3 [4] 5}',
    new Map<unknown, unknown>([
      ['a', 1],
      [2, 3],
      [[4], 5],
    ]),
  ],
  ['#{}', new Set()],
  ['#{1 :a [2]}', new Set([1, 'a', [2]])],
  [String.raw`[\]\[\(]`, [']', '[', '(']],
  ['[; one\n1 ;two]\n]', [1]],
  ['[#_1 2 #_ #_ 3 4 5 #_[6 7]]', [2, 5]],
  ['#_ a b', 'b'],
  ['#inst "2024-01-31T12:30:00.000-00:00"', new Date(Date.UTC(2024, 0, 31, 12, 30))],
  ['#inst "2024-01-31T12:30:00.123456789Z"', new Date(Date.UTC(2024, 0, 31, 12, 30, 0, 123))],
  ['#inst "2024"', new Date(Date.UTC(2024, 0, 1))],
  ['#inst "2024-01-31T12"', new Date(Date.UTC(2024, 0, 31, 12))],
  ['#inst "2024-01-31T12:30"', new Date(Date.UTC(2024, 0, 31, 12, 30))],
  ['#uuid "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"', 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6'],
  [
    '#jepsen.history.Op{:process 0, :value #jepsen.independent.Tuple[1 nil]}',
    { process: 0, value: [1, null] },
  ],
  ['#a #b {:x #c 1}', { x: 1 }],
])('%s is a collection or a tagged value', (text, value) => {
  expect(read(text)).toEqual(value);
});

test('a key named __proto__ is a field like others', () => {
  const value = read('{:__proto__ {:polluted 1}}') as object;
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect(Object.keys(value)).toEqual(['__proto__']);
});

const STRING = 'expected a string with a closing double quote and valid EDN escapes, found';
const CHARACTER = String.raw`expected a character such as \a, \newline or \u0041, found`;
test.each<[text: string, message: string]>([
  ['', '0: expected a value, found the end of the text'],
  [' ; only a comment', '17: expected a value, found the end of the text'],
  ['1 2', '2: expected the end of the text, found "2"'],
  ['[1 2', '4: expected a value or "]", found the end of the text'],
  ['[1 }', '3: expected a value or "]", found "}"'],
  ['(1 ]', '3: expected a value or ")", found "]"'],
  [']', '0: expected a value, found "]"'],
  ['{:a}', '3: expected a value, found "}"'],
  ['{:a 1 :a 2}', '6: duplicate "a" in one map'],
  ['{:a 1 "a" 2}', '6: duplicate "a" in one map'],
  ['{1 2 1 3}', '5: duplicate 1 in one map'],
  ['#{1 1}', '4: duplicate 1 in one set'],
  ['"abc', `4: ${STRING} the end of the text`],
  [String.raw`"a\qb"`, `2: ${STRING} "\\\\"`],
  [String.raw`"a\u12"`, `2: ${STRING} "\\\\"`],
  [String.raw`"a\n`, `4: ${STRING} the end of the text`],
  [String.raw`\ab`, `0: ${CHARACTER} "\\\\"`],
  ['\\', `0: ${CHARACTER} "\\\\"`],
  ['\\ ', `0: ${CHARACTER} "\\\\"`],
  ['1a', '0: expected a number, found "1a"'],
  ['01', '0: expected a number, found "01"'],
  ['1/0', '0: expected a number, found "1"'],
  ['1e999', '0: expected a number, found "1e999"'],
  ['0x1F', '0: expected a number, found "0x1F"'],
  [':', '1: expected a keyword, found the end of the text'],
  ['::a', '0: expected a keyword, found ":"'],
  [':a@b', '2: expected a keyword, found "@"'],
  ['^a', '0: expected a value, found "^"'],
  ['a\\b', '1: expected a value, found "\\\\"'],
  ['#', '1: expected a tag, a set or a discarded value, found the end of the text'],
  ['#"x"', '1: expected a tag, a set or a discarded value, found "\\""'],
  ['#(x)', '1: expected a tag, a set or a discarded value, found "("'],
  ['#1 x', '1: expected a tag, a set or a discarded value, found "1"'],
  ['#a', '2: expected a value, found the end of the text'],
  ['#_', '2: expected a value, found the end of the text'],
  ['##x', '0: expected ##Inf, ##-Inf or ##NaN, found "#"'],
  ['#inst "soon"', '0: expected a time such as #inst "2024-01-31T12:30:00Z", found "#"'],
  ['#inst "2024-13-01"', '0: expected a time such as #inst "2024-01-31T12:30:00Z", found "#"'],
])('%s is refused: %s', (text, message) => {
  expect(complaint(text)).toBe(message);
});

describe('a deeply nested value', () => {
  test.each(['[', '{:a ', '#{', '#_ ', '#a '])('nesting of %s beyond the limit is refused', (opening) => {
    expect(complaint(opening.repeat(100_000))).toMatch(/nested deeper than 1000 levels$/);
  });

  test('may have 1000 levels', () => {
    expect(complaint('['.repeat(1000) + ']'.repeat(1000))).toMatch(/^accepted/);
  });
});

test('a string of several megabytes is read, with or without escapes', () => {
  const long = 'a'.repeat(4_000_000);
  expect(read(`"${long}"`)).toBe(long);
  expect(read(`"\\n${long}"`)).toBe(`\n${long}`);
  expect(read(`"${String.raw`\n`.repeat(1_000_000)}"`)).toBe('\n'.repeat(1_000_000));
});

test('the values of a text are read in sequence, without discarded ones', () => {
  const reader = new EdnReader('1 #_2 [3] #_4 ; end');
  const values: unknown[] = [];
  while (reader.hasNext()) values.push(reader.value());
  expect(values).toEqual([1, [3]]);
});

test('the fields of a map can be read one by one, past its tags', () => {
  const reader = new EdnReader('#jepsen.history.Op {:type :ok :value [1]}');
  reader.enterMap();
  const fields: unknown[] = [];
  while (!reader.leaveMapIfEnded()) fields.push([reader.value(), reader.value()]);
  expect(fields).toEqual([
    ['type', 'ok'],
    ['value', [1]],
  ]);
  expect(reader.hasNext()).toBe(false);
});
