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
])('%s: a word', (text, value) => {
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
])('%s: a number', (text, value) => {
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
])('%s: a text', (text, value) => {
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
])('%s: a collection or a tagged value', (text, value) => {
  expect(read(text)).toEqual(value);
});

test('a key named __proto__ is a field like others', () => {
  const value = read('{:__proto__ {:polluted 1}}') as object;
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect(Object.keys(value)).toEqual(['__proto__']);
});

const STRING = 'where a string that ends in a double quote and has escapes that EDN knows was expected';
const CHARACTER = String.raw`where a character such as \a, \newline or \u0041 was expected`;
test.each<[text: string, message: string]>([
  ['', '0: the text ends where a value was expected'],
  [' ; only a comment', '17: the text ends where a value was expected'],
  ['1 2', '2: "2" stands where the end was expected'],
  ['[1 2', '4: the text ends where a value or "]" was expected'],
  ['[1 }', '3: "}" stands where a value or "]" was expected'],
  ['(1 ]', '3: "]" stands where a value or ")" was expected'],
  [']', '0: "]" stands where a value was expected'],
  ['{:a}', '3: "}" stands where a value was expected'],
  ['{:a 1 :a 2}', '6: "a" stands twice in one map'],
  ['{:a 1 "a" 2}', '6: "a" stands twice in one map'],
  ['{1 2 1 3}', '5: 1 stands twice in one map'],
  ['#{1 1}', '4: 1 stands twice in one set'],
  ['"abc', `4: the text ends ${STRING}`],
  [String.raw`"a\qb"`, `2: "\\\\" stands ${STRING}`],
  [String.raw`"a\u12"`, `2: "\\\\" stands ${STRING}`],
  [String.raw`"a\n`, `4: the text ends ${STRING}`],
  [String.raw`\ab`, `0: "\\\\" stands ${CHARACTER}`],
  ['\\', `0: "\\\\" stands ${CHARACTER}`],
  ['\\ ', `0: "\\\\" stands ${CHARACTER}`],
  ['1a', '0: "1a" stands where a number was expected'],
  ['01', '0: "01" stands where a number was expected'],
  ['1/0', '0: "1" stands where a number was expected'],
  ['1e999', '0: "1e999" stands where a number was expected'],
  ['0x1F', '0: "0x1F" stands where a number was expected'],
  [':', '1: the text ends where a keyword was expected'],
  ['::a', '0: ":" stands where a keyword was expected'],
  [':a@b', '2: "@" stands where a keyword was expected'],
  ['^a', '0: "^" stands where a value was expected'],
  ['a\\b', '1: "\\\\" stands where a value was expected'],
  ['#', '1: the text ends where a tag, a set or a discarded value was expected'],
  ['#"x"', '1: "\\"" stands where a tag, a set or a discarded value was expected'],
  ['#(x)', '1: "(" stands where a tag, a set or a discarded value was expected'],
  ['#1 x', '1: "1" stands where a tag, a set or a discarded value was expected'],
  ['#a', '2: the text ends where a value was expected'],
  ['#_', '2: the text ends where a value was expected'],
  ['##x', '0: "#" stands where ##Inf, ##-Inf or ##NaN was expected'],
  ['#inst "soon"', '0: "#" stands where a time such as #inst "2024-01-31T12:30:00Z" was expected'],
  ['#inst "2024-13-01"', '0: "#" stands where a time such as #inst "2024-01-31T12:30:00Z" was expected'],
])('%s is refused: %s', (text, message) => {
  expect(complaint(text)).toBe(message);
});

describe('a value that is nested deeply', () => {
  test.each(['[', '{:a ', '#{', '#_ ', '#a '])('of %s is refused, not a crash', (opening) => {
    expect(complaint(opening.repeat(100_000))).toMatch(/nested deeper than 1000 levels$/);
  });

  test('may have 1000 levels', () => {
    expect(complaint('['.repeat(1000) + ']'.repeat(1000))).toMatch(/^accepted/);
  });
});

test('a string of megabytes is read, with or without escapes', () => {
  const long = 'a'.repeat(4_000_000);
  expect(read(`"${long}"`)).toBe(long);
  expect(read(`"\\n${long}"`)).toBe(`\n${long}`);
  expect(read(`"${String.raw`\n`.repeat(1_000_000)}"`)).toBe('\n'.repeat(1_000_000));
});

test('the values of a text are read one after another, and what is discarded is none', () => {
  const reader = new EdnReader('1 #_2 [3] #_4 ; end');
  const values: unknown[] = [];
  while (reader.hasNext()) values.push(reader.value());
  expect(values).toEqual([1, [3]]);
});

test('the fields of a map can be read one by one, past its tags', () => {
  const reader = new EdnReader('#jepsen.history.Op {:type :ok :value [1]}');
  reader.enterMap();
  const fields: unknown[] = [];
  while (!reader.leavesMap()) fields.push([reader.value(), reader.value()]);
  expect(fields).toEqual([
    ['type', 'ok'],
    ['value', [1]],
  ]);
  expect(reader.hasNext()).toBe(false);
});
