/** The meaning of Jepsen events, in each notation. */
import { describe, expect, test } from 'vitest';
import { draw } from '../../history/drawing/sketch.js';
import { objects } from '../../objects/registry.js';
import type { ReadOptions } from '../common/reader.js';
import { parseHistory } from '../read-history.js';

const lines = (...texts: string[]): string => texts.join('\n');
const as = (name: string): ReadOptions => {
  const spec = objects[name]({});
  return { jepsen: () => spec.jepsen, methodsOf: () => Object.keys(spec.methods) };
};
const drawn = (text: string, options?: ReadOptions): string => draw(parseHistory(text, options));

const REGISTER = lines(
  '{:process 0, :type :invoke, :f :write, :value 3, :time 10, :index 0}',
  '{:process 1, :type :invoke, :f :read, :value nil, :time 11, :index 1}',
  '{:process 0, :type :ok, :f :write, :value 3, :time 12, :index 2}',
  '{:process 1, :type :ok, :f :read, :value 3, :time 13, :index 3}',
  '{:process 0, :type :invoke, :f :cas, :value [3 4], :time 14, :index 4}',
  '{:process 0, :type :ok, :f :cas, :value [3 4], :time 15, :index 5}',
);
const DRAWN = drawn(REGISTER, as('cas-register'));

test('a register in EDN', () => {
  expect(`\n${DRAWN}`).toMatchInlineSnapshot(`
    "
    0  ├─ write(3) → null ─┤  ├─ cas(3, 4) → true ─┤
    1   ├─ read() → 3 ──────┤"
  `);
});

describe('a history in another notation is the same', () => {
  test.each([
    ['one vector', `[${REGISTER}]`],
    ['one list, on one line', `(${REGISTER.replaceAll('\n', ' ')})`],
    ['pretty-printed', REGISTER.replaceAll(', ', ',\n  ')],
    ['with tags and comments', `; history\n${REGISTER.replaceAll('{', '#jepsen.history.Op{')}`],
    ['JSON, one object a line', asJson(REGISTER)],
    ['JSON, one array', `[${asJson(REGISTER).replaceAll('\n', ',\n')}]`],
    ['JSON, objects over several lines', asJson(REGISTER).replaceAll(',', ',\n ')],
    ['the log', asLog(REGISTER, 'INFO  jepsen.util - ')],
    [
      'the log with times, and other lines between',
      `2024-01-31 12:30:00,000{GMT}\tINFO\t[main] jepsen.cli: Test {:a 1}\n${asLog(
        REGISTER,
        '2024-01-31 12:30:00,123{GMT}\tINFO\t[jepsen worker 0] jepsen.util: ',
      ).replaceAll('\n', '\nWARN [x] jepsen.core: 7\t:ok\t:read\n\n')}`,
    ],
    ['history.txt', asLog(REGISTER, '')],
  ])('%s', (_name, text) => {
    expect(drawn(text, as('cas-register'))).toBe(DRAWN);
  });
});

function asJson(edn: string): string {
  return edn
    .replace(
      /:(\w+) (?::(\w+)|(nil)|([^,}]+))/g,
      (_all, name, word, nil, other) =>
        `"${name}":${word ? `"${word}"` : nil ? 'null' : other.replace(' ', ',')}`,
    )
    .replaceAll(', ', ',');
}

function asLog(edn: string, before: string): string {
  return edn
    .split('\n')
    .map((line) => {
      const [, process, type, f, value] = /process (\d+), :type (:\w+), :f (:\w+), :value ([^,}]+)/.exec(
        line,
      )!;
      return `${before}${process}\t${type}\t${f}\t${value}`;
    })
    .join('\n');
}

test('fail had no effect; info is pending forever, and its process continues', () => {
  const history = parseHistory(
    lines(
      '{:process 0, :type :invoke, :f :write, :value 1}',
      '{:process 0, :type :info, :f :write, :value 1, :error :timeout}',
      '{:process 0, :type :invoke, :f :write, :value 2}',
      '{:process 0, :type :fail, :f :write, :value 2, :error [:refused 3]}',
      '{:process 0, :type :invoke, :f :write, :value 3}',
    ),
    as('register'),
  );
  expect(Array.from(history, ({ args, outcome }) => [...args, outcome])).toEqual([
    [1, { kind: 'pending', reason: 'timeout' }],
    [2, { kind: 'failed', reason: '["refused", 3]' }],
    [3, { kind: 'pending' }],
  ]);
});

test('operations of the nemesis are annotations', () => {
  const history = parseHistory(
    lines(
      '{:process :nemesis, :type :info, :f :start, :value nil}',
      '{:process 0, :type :invoke, :f :read, :value nil}',
      '{:process :nemesis, :type :info, :f :start, :value {"n1" #{"n2"}}}',
      '{:process 0, :type :ok, :f :read, :value nil}',
      '{:process :nemesis, :type :info, :f :stop, :value "healed"}',
    ),
  );
  expect(history.annotations).toEqual([
    { text: 'nemesis start', moment: 0 },
    { text: 'nemesis start {n1: Set {"n2"}}', moment: 1 },
    { text: 'nemesis stop healed', moment: 2 },
  ]);
});

test('with independent keys, each is an object', () => {
  const history = parseHistory(
    lines(
      '{:process 0, :type :invoke, :f :write, :value #jepsen.independent.Tuple[7 1]}',
      '{:process 1, :type :invoke, :f :read, :value ["x" nil]}',
      '{:process 0, :type :ok, :f :write, :value [7 1]}',
      '{:process 1, :type :ok, :f :read, :value ["x" 5]}',
      '{:process 1, :type :invoke, :f :cas, :value [7 [1 2]]}',
      '{:process 1, :type :info, :f :cas, :value nil}',
    ),
    { ...as('cas-register'), independent: true },
  );
  expect(Array.from(history, ({ object, method, args }) => [object, method, ...args])).toEqual([
    ['7', 'write', 1],
    ['x', 'read'],
    ['7', 'cas', 1, 2],
  ]);
  expect(history.at(1).outcome).toEqual({ kind: 'returned', value: 5 });
});

test('without a spec, f is the method, and the value is its argument or result', () => {
  const history = parseHistory(
    lines(
      '{:process 0, :type :invoke, :f :put, :value {:a 1}}',
      '{:process 0, :type :ok, :f :put, :value {:a 1}}',
      '{:process 0, :type :invoke, :f :take}',
      '{:process 0, :type :ok, :f :take, :value {:a 1}}',
      '{:process 0, :type :invoke, :f :txn, :value [[:r x nil] [:w x 2]]}',
      '{:process 0, :type :ok, :f :txn, :value [[:r x 1] [:w x 2]]}',
      '{:process 0, :type :invoke, :f :txn, :value [[:w x 2]]}',
      '{:process 0, :type :ok, :f :txn, :value [[:w x 2]]}',
    ),
  );
  expect(Array.from(history, ({ method, args, outcome }) => [method, args, outcome])).toEqual([
    ['put', [{ a: 1 }], { kind: 'returned', value: null }],
    ['take', [], { kind: 'returned', value: { a: 1 } }],
    [
      'txn',
      [
        [
          ['r', 'x', null],
          ['w', 'x', 2],
        ],
      ],
      {
        kind: 'returned',
        value: [
          ['r', 'x', 1],
          ['w', 'x', 2],
        ],
      },
    ],
    ['txn', [[['w', 'x', 2]]], { kind: 'returned', value: [['w', 'x', 2]] }],
  ]);
});

test('a read of a set gives a set, whether the file has a set or a list', () => {
  const read = (value: string) =>
    parseHistory(
      lines('{:process 0, :type :invoke, :f :read}', `{:process 0, :type :ok, :f :read, :value ${value}}`),
      as('set'),
    ).at(0).outcome;
  expect(read('#{1 2}')).toEqual({ kind: 'returned', value: new Set([1, 2]) });
  expect(read('[2 1]')).toEqual({ kind: 'returned', value: new Set([2, 1]) });
  expect(read('[1 1]')).toEqual({ kind: 'returned', value: [1, 1] });
});

test('a key is in a separate field, or first in the value', () => {
  const history = parseHistory(
    lines(
      '{:process 0, :type :invoke, :f :append, :key "k", :value "x"}',
      '{:process 0, :type :ok, :f :append, :key "k", :value "x"}',
      '{:process 0, :type :invoke, :f :read, :value ["k" nil]}',
      '{:process 0, :type :ok, :f :read, :value ["k" "x"]}',
      '{:process 0, :type :invoke, :f :cas, :value ["k" ["x" "y"]]}',
      '{:process 0, :type :ok, :f :cas, :value ["k" ["x" "y"]]}',
    ),
    as('map'),
  );
  expect(`\n${draw(history)}`).toMatchInlineSnapshot(`
    "
    0  ├─ append("k", "x") → null ─┤  ├─ get("k") → "x" ─┤  ├─ cas("k", "x", "y") → true ─┤"
  `);
});

test('names of f are renamed before the adapter reads them', () => {
  const text = lines('{:process 0, :type :invoke, :f :take}', '{:process 0, :type :ok, :f :take}');
  const history = parseHistory(text, { ...as('mutex'), rename: new Map([['take', 'lock']]) });
  expect(history.at(0).method).toBe('lock');
});

test('a history with only the nemesis has no operations', () => {
  expect(parseHistory('{:process :nemesis, :type :info, :f :start}').length).toBe(0);
});

test('operations of the JSON format may be in one array', () => {
  const operation = '{"process":"A","method":"f","call":1,\n"return":2}';
  const history = parseHistory(`[\n${operation},\n${operation.replace('"A"', '"B"')}\n]`);
  expect(history.processes).toEqual(['A', 'B']);
  expect(history.tables.lines).toEqual(Int32Array.of(2, 4));
  expect(parseHistory('[]').length).toBe(0);
});
