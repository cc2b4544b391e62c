/**
 * The fast path for plain lines, against the JSON reader: for valid files, columns and tables are equal; for invalid
 * files, the error messages are. Every case comes from a seed.
 */
import { Buffer } from 'node:buffer';
import { expect, test } from 'vitest';
import { FILES, mutated } from '../../../test/support/generators/broken-files.js';
import { expectSameWithoutFastPath } from '../../../test/support/oracles/both-ways.js';
import { share } from '../../../test/support/share.js';
import { Random } from '../../base/random.js';
import type { ReadOptions } from '../common/reader.js';
import { PlainLine } from './plain-line.js';

const CASES = share(100_000, 400);
/** Every nth combination is tried; with this number, each pair of a field and a value. */
const STRIDE = share(1, 19);

const INTEGERS = ['0', '1', '7', '-1', '-12', '42', '999999999', '1000000000', '2147483647', '2147483648'];
const LARGE = ['-2147483648', '4294967296', '999999999999999', '9007199254740991', '-9007199254740991'];
const ODD_NUMBERS = [
  '-0',
  '"-0"',
  '"1.5"',
  '"0012"',
  '1700000000000000001',
  '"1700000000000000001"',
  '01',
  '-',
  '1.5',
  '1e3',
  '1E2',
  '0.0',
  '9007199254740992',
  '9007199254740993',
];
const STRINGS = ['""', '"a"', '"k17"', '"enqueue"', '"7"', '"-1"', '"x y"', '"$"', '"\u007f"', '"null"'];
const LONG = [`"${'x'.repeat(48)}"`, `"${'x'.repeat(49)}"`, `"${'xy'.repeat(1000)}"`];
const ODD_STRINGS = ['"\\n"', '"\\u0041"', '"ä"', '"😀"', '"a\tb"', '"a', "'a'", '"\\"', '"\\x"'];
const WORDS = ['null', 'true', 'false'];
const ODD = ['nul', 'True', '', '{}', '{"a":1}', '[]', '[1,[2]]', '{"$":"NaN"}', '{"$":"x"}', '[1,]', '1 2'];

function scalar(random: Random): string {
  const kind = random.below(100);
  if (kind < 40) return random.pick(INTEGERS);
  if (kind < 60) return random.pick(STRINGS);
  if (kind < 80) return random.pick(WORDS);
  if (kind < 96) return random.pick([...LARGE, ...LONG]);
  return random.pick([...ODD_NUMBERS, ...ODD_STRINGS, ...ODD]);
}

/** Every nth value is unusual. */
const seldom = (random: Random, usual: readonly string[], odd: readonly string[]): string =>
  random.below(60) === 0 ? random.pick(odd) : random.pick(usual);

const ANY = [...INTEGERS, ...LARGE, ...ODD_NUMBERS, ...STRINGS, ...LONG, ...ODD_STRINGS, ...WORDS, ...ODD];
const METHODS = ['"f"', '"g"', '"enqueue"'];

function args(random: Random): string {
  const count = random.below(40) === 0 ? 60 + random.below(10) : random.below(4);
  return `[${Array.from({ length: count }, () => scalar(random)).join(random.pick([',', ', ']))}]`;
}

/** The fields of an operation of a process that mostly calls sequentially. */
function operation(random: Random, number: number): [string, string][] {
  const process = number % 3;
  const fields: [string, string][] = [
    ['process', seldom(random, [`"p${process}"`, String(process), `"${process}"`], ANY)],
    ['method', seldom(random, METHODS, ANY)],
    ['call', seldom(random, [String(10 * number)], ANY)],
  ];
  if (random.withProbability(80))
    fields.push(['args', random.below(60) === 0 ? random.pick(ANY) : args(random)]);
  if (random.withProbability(20)) fields.push(['object', seldom(random, ['"o1"', '"o2"'], ANY)]);
  if (random.withProbability(10)) fields.push(['id', seldom(random, [String(number), `"n${number}"`], ANY)]);
  const end = random.below(10);
  if (end > 0) fields.push(['return', seldom(random, [String(10 * number + random.below(9))], ANY)]);
  if (end > 1 && end < 7) fields.push(['result', scalar(random)]);
  if (end === 7) fields.push(['threw', seldom(random, STRINGS, ANY)]);
  if (end === 8) fields.push(['failed', seldom(random, [...STRINGS, 'true'], ANY)]);
  if (end === 9) fields.push(['unknown', seldom(random, STRINGS, ANY)]);
  return fields;
}

/** A call and its end, most of the time. */
function event(random: Random, number: number): [string, string][] {
  const call = number >> 1;
  const process = seldom(random, [`"p${call % 2}"`], ANY);
  const fields: [string, string][] = [['process', process]];
  const [named, ofObject] = [call % 3 === 0, call % 5 === 0];
  if (named) fields.push(['id', seldom(random, [call % 2 === 0 ? String(call) : `"n${call}"`], ANY)]);
  if (ofObject && random.withProbability(90)) fields.push(['object', seldom(random, ['"o"'], ANY)]);
  if (number % 2 === 0) {
    fields.push(['type', seldom(random, ['"call"'], ANY)], ['method', seldom(random, METHODS, ANY)]);
    if (random.withProbability(80)) fields.push(['args', args(random)]);
    return fields;
  }
  const [type, field] = random.pick([
    ['return', 'result'],
    ['return', 'result'],
    ['throw', 'threw'],
    ['failed', 'failed'],
    ['unknown', 'unknown'],
  ]);
  fields.push(['type', seldom(random, [`"${type}"`], ANY)]);
  const value = field === 'result' ? scalar(random) : seldom(random, STRINGS, ANY);
  if (field === 'threw' || random.withProbability(60)) fields.push([field, value]);
  return fields;
}

const OTHER = [
  '',
  '   ',
  '\ufeff{}',
  '{"annotation":"x"}',
  '{"annotation":"x","at":7}',
  '{"stuck":true}',
  '{"process":"A"}',
  '{',
  'null',
  '\u00ff',
];
const EXTRA: readonly [string, string][] = [
  ['meta', '{"a":1}'],
  ['after', '[]'],
  ['retrun', '1'],
  ['__proto__', '1'],
  ['process', '"p0"'],
  ['args', '[5]'],
  ['call', '5'],
  ['result', '7'],
  ['threw', '"E"'],
];

function line(random: Random, number: number, ofEvents: boolean): string {
  if (random.below(100) === 0) return random.pick(OTHER);
  const fields = ofEvents ? event(random, number) : operation(random, number);
  if (random.below(40) === 0) fields.push(random.pick(EXTRA));
  if (random.below(200) === 0) fields.splice(random.below(fields.length), 1);
  // in any order
  for (let i = fields.length - 1; i > 0; i--) {
    const other = random.withProbability(50) ? i : random.below(i + 1);
    [fields[i], fields[other]] = [fields[other], fields[i]];
  }
  const space = () =>
    random.withProbability(10) ? random.pick([' ', '\t', '\r', '  ', '\u00a0', '\v']) : '';
  const spaced = random.withProbability(10) ? space : () => '';
  const inside = fields
    .map(([name, value]) => `${spaced()}"${name}"${spaced()}:${spaced()}${value}${spaced()}`)
    .join(',');
  return `${spaced()}{${inside}}${spaced()}`;
}

function file(random: Random): Buffer {
  const ofEvents = random.withProbability(50);
  const length = 1 + random.below(12);
  const lines = Array.from({ length }, (_, number) => line(random, number, ofEvents));
  if (random.withProbability(5)) lines.push(line(random, length, !ofEvents));
  const text = lines.join(random.withProbability(90) ? '\n' : '\r\n') + random.pick(['', '\n', '\r\n']);
  return Buffer.from(random.withProbability(60) ? text : since(text, random));
}

/** Short ones, around the largest integers that two doubles hold by the fast path, and beyond. */
const STARTS = [
  1_000n,
  10n ** 15n,
  2n ** 53n - 40n,
  17n * 10n ** 17n,
  4_611_686_018_427_387_903n - 40n,
  2n ** 63n,
  10n ** 21n,
];

/** The same times since a long time ago, as integers or decimals, or in quotes. */
function since(text: string, random: Random): string {
  const start = random.pick(STARTS) * (random.withProbability(80) ? 1n : -1n);
  const quote = random.pick(['', '', '"']);
  const places = random.withProbability(50) ? random.below(12) : 0;
  return text.replace(/("(?:call|return)":)(\d{1,3})(?=[,}])/g, (_, name: string, time: string) => {
    // some from other decimals: 1.5 and 1.50 are the same time
    const zeros = random.withProbability(20) ? random.below(3) : 0;
    const digits = `${start + BigInt(time)}`;
    const point = Math.max(1 + Number(start < 0n), digits.length - places);
    const fraction = digits.slice(point) + '0'.repeat(zeros);
    return `${name}${quote}${digits.slice(0, point)}${fraction && `.${fraction}`}${quote}`;
  });
}

const OPTIONS: readonly ReadOptions[] = [
  {},
  {},
  { clockError: 3 },
  { rename: new Map([['f', 'g']]) },
  { methodsOf: (object) => (object === 'o2' ? ['f', 'g'] : ['f', 'g', 'enqueue']) },
  { rename: new Map([['enqueue', 'f']]), methodsOf: () => ['f', 'g'] },
];

/** Calls `check` with many cases; a failure names its seed. Returns the number of cases for which it was true. */
function count(cases: number, check: (random: Random) => boolean): number {
  let found = 0;
  for (let seed = 1; seed <= cases; seed++)
    try {
      if (check(new Random(seed))) found++;
    } catch (error) {
      throw new Error(`seed ${seed}`, { cause: error });
    }
  return found;
}

/** Valid records, each after the lines that it requires. */
const GOOD_CALL = '{"type":"call","process":1,"method":"f"}';
const GOOD: readonly (readonly [before: string, fields: Readonly<Record<string, string>>])[] = [
  ...[{ result: '7' }, { threw: '"E"' }, { failed: 'true' }, { unknown: '"?"' }, {}].map(
    (outcome) =>
      ['', { process: '1', method: '"f"', args: '[1,"a"]', ...outcome, call: '5', return: '6' }] as const,
  ),
  ['', { object: '"o"', id: '3', process: '"A"', method: '"f"', call: '5' }],
  ['', { type: '"call"', process: '"A"', method: '"f"', args: '[]', object: '"o"', id: '"3"' }],
  [GOOD_CALL, { type: '"return"', process: '1', result: 'null' }],
  [GOOD_CALL, { type: '"throw"', process: '1', threw: '"E"' }],
  [GOOD_CALL, { type: '"failed"', process: '1', failed: '"no"' }],
  [GOOD_CALL, { type: '"unknown"', process: '1', unknown: '"?"' }],
];
const EVERY_FIELD = [...new Set(GOOD.flatMap(([, fields]) => Object.keys(fields)))];

test('every field with every value, missing, unknown or repeated, gives the same result with both readers', () => {
  let [read, refused, looks] = [0, 0, 0];
  const tried = new Set<string>();
  const values = [...ANY, '[1,null]', '[-0]', '[1,2,]', '[1 2]', '["a","a",-1]'];
  const look = (before: string, fields: readonly (readonly [string, string])[]) => {
    if (looks++ % STRIDE !== 0) return;
    for (const [name, value] of [fields[0], fields[fields.length - 1]]) tried.add(`${name} ${value}`);
    const record = `{${fields.map(([name, value]) => `"${name}":${value}`).join(',')}}`;
    // the next lines show whether the numbers of tables are the same
    const behind =
      before === '' && !record.includes('"type"')
        ? '{"process":9,"method":"z","args":[0,7],"call":9}'
        : GOOD_CALL.replace('1', '9');
    if (expectSameWithoutFastPath([Buffer.from(`${before}\n${record}\n${behind}\n`)])) read++;
    else refused++;
  };
  for (const [before, good] of GOOD) {
    const fields = Object.entries(good);
    for (const name of EVERY_FIELD)
      for (const value of values)
        for (const others of [fields, fields.filter(([own]) => own !== name)]) {
          look(before, [...others, [name, value]]);
          look(before, [[name, value], ...others]);
        }
    for (const [name] of fields)
      look(
        before,
        fields.filter(([own]) => own !== name),
      );
  }
  expect(Math.min(read, refused)).toBeGreaterThan(3000 / STRIDE);
  const isMissing = (pair: string): boolean => !tried.has(pair);
  expect(EVERY_FIELD.flatMap((name) => values.map((value) => `${name} ${value}`)).filter(isMissing)).toEqual(
    [],
  );
});

test('random files, valid and invalid, give the same result with both readers', () => {
  const read = count(CASES, (random) => expectSameWithoutFastPath([file(random)], random.pick(OPTIONS)));
  // enough files are valid, and enough are invalid
  expect(read).toBeGreaterThan(CASES / 4);
  expect(read).toBeLessThan((CASES * 3) / 4);
});

test('most random lines are plain, and some are not', () => {
  const plain = count(2000, (random) => {
    const bytes = Buffer.from(`${line(random, random.below(20), random.withProbability(50))}\n`);
    const plainLine = new PlainLine();
    plainLine.begin(bytes);
    return plainLine.read(0) === bytes.length;
  });
  expect(plain).toBeGreaterThan(1000);
  expect(plain).toBeLessThan(1900);
});

/** Lines of one recorder, as texts of the fields of each. */
const RECORDERS: ((i: number) => Readonly<Record<string, string | number>>)[] = [
  (i) => ({
    process: `"p${i % 3}"`,
    method: i % 2 === 0 ? '"enqueue"' : '"dequeue"',
    args: i % 2 === 0 ? `[${7 * i}]` : '[]',
    result: i % 4 === 0 ? 'null' : 1234 * i,
    call: 10 * i,
    return: 10 * i + 5,
  }),
  (i) => ({
    call: `${1_767_225_600 + i}.0000000${i % 9}`,
    return: `"17672256${i + 20}000000001"`,
    process: i % 2,
    object: `"o${i % 2}"`,
    method: '"put"',
    args: `["k${i}", ${i}, true, null]`,
    result: i % 2 === 0 ? `"v${i}"` : 'false',
  }),
  (i) => ({
    id: i % 2 === 0 ? i : `"n${i}"`,
    process: '"a"',
    method: '"f"',
    call: i,
    ...(i % 3 === 0
      ? { threw: '"Full"', return: i + 1 }
      : i % 3 === 1
        ? { failed: 'true' }
        : { unknown: '"late"' }),
  }),
];
/** Nanoseconds and milliseconds since 1970, whose first digits change after some lines. */
for (const [start, quote] of [
  [1_767_225_599_999_999_900n, ''],
  [1_766_999_999_900n, '"'],
] as const)
  RECORDERS.push((i) => ({
    process: i % 2,
    method: '"f"',
    call: `${quote}${start + BigInt(10 * i)}${quote}`,
    return: `${quote}${start + BigInt(10 * i + 5)}${quote}`,
  }));
const BYTES = Array.from('"\\,:{}[]0195-+.eEnt \t\r\n\u007fä', (text) => Buffer.from(text));

test('a changed line behind others of one recorder gives the same result with both readers', () => {
  let [looks, read, refused] = [0, 0, 0];
  for (const recorder of RECORDERS)
    for (const [comma, colon, end] of [
      [',', ':', '\n'],
      [', ', ' : ', ' \r\n'],
    ]) {
      const lineOf = (i: number, order: (fields: string[]) => string[] = (fields) => fields) => {
        const fields = Object.entries(recorder(i)).map(([name, value]) => `"${name}"${colon}${value}`);
        return Buffer.from(`{${order(fields).join(comma)}}${end}`);
      };
      const before = Array.from({ length: 14 }, (_, i) => lineOf(i));
      const after = [lineOf(20), lineOf(21)];
      const look = (...changed: Buffer[]) => {
        if (looks++ % STRIDE !== 0) return;
        if (expectSameWithoutFastPath([Buffer.concat([...before, ...changed, ...after])])) read++;
        else refused++;
      };
      for (const i of [14, 15, 16, 17]) {
        const line = lineOf(i);
        for (let at = 0; at < line.length; at++) {
          const [head, tail] = [line.subarray(0, at), line.subarray(at + 1)];
          look(head, tail);
          for (const byte of BYTES) {
            look(head, byte, tail);
            look(head, byte, line.subarray(at));
          }
        }
        look(lineOf(i, (fields) => fields.toReversed()));
        look(lineOf(i, ([first, ...others]) => [...others, first]));
        look(lineOf(i, (fields) => [...fields, fields[0]]));
        look(Buffer.of(0xef, 0xbb, 0xbf), line);
      }
      // the file may end anywhere in a line
      const last = lineOf(14);
      for (let at = 0; at < last.length; at++)
        expectSameWithoutFastPath([Buffer.concat([...before, last.subarray(0, at)])]);
    }
  expect(Math.min(read, refused)).toBeGreaterThan(2000 / STRIDE);
});

test('invalid files of every format give the same result with both readers', () => {
  for (const lines of Object.values(FILES))
    count(CASES / 10, (random) => expectSameWithoutFastPath([mutated(lines, random)]));
});

test('the division of bytes into chunks does not matter', () => {
  count(share(200, 2), (random) => {
    // the cost is quadratic in the length
    const bytes = file(random).subarray(0, share(undefined, 350));
    for (let at = 0; at <= bytes.length; at++)
      expectSameWithoutFastPath([bytes.subarray(0, at), bytes.subarray(at)]);
    return expectSameWithoutFastPath(Array.from(bytes, (byte) => Uint8Array.of(byte)));
  });
});

test('texts beyond the limit of the cache are distinguished', () => {
  const lines = Array.from(
    { length: 70_000 },
    (_, i) => `{"process":"p${i}","method":"f","args":["v${i % 40_000}"],"call":${i}}`,
  );
  expect(expectSameWithoutFastPath([Buffer.from(lines.join('\n'))])).toBe(true);
});
