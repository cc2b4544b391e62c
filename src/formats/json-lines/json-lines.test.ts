/** The JSON format: valid files, and their meaning. */
import { describe, expect, test } from 'vitest';
import { parseHistory } from '../read-history.js';

const lines = (...records: object[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');

/** The calls and returns in order, as `f(` and `)f`. */
function order(text: string): string {
  const history = parseHistory(text);
  return Array.from(history.columns.events, (event) =>
    event >= 0 ? `${history.at(event).method}(` : `)${history.at(~event).method}`,
  ).join(' ');
}

/** An operation with the texts of its times. */
const timed = (method: string, call: string, end?: string): string =>
  `{"process":"${method}","method":"${method}","call":${call}${end === undefined ? '' : `,"return":${end}`}}\n`;

describe('operations', () => {
  test('a line is an operation, with its times ranked', () => {
    const history = parseHistory(
      lines(
        { process: 'A', method: 'enqueue', args: [1], result: null, call: 10, return: 14 },
        { process: 'B', method: 'dequeue', args: [], result: 1, call: 12, return: 19 },
        { process: 'C', method: 'enqueue', args: [2], call: 13 },
      ),
    );
    expect([...history]).toEqual([
      {
        id: 0,
        process: 'A',
        method: 'enqueue',
        args: [1],
        outcome: { kind: 'returned', value: null },
        call: 0,
        return: 3,
      },
      {
        id: 1,
        process: 'B',
        method: 'dequeue',
        args: [],
        outcome: { kind: 'returned', value: 1 },
        call: 1,
        return: 4,
      },
      {
        id: 2,
        process: 'C',
        method: 'enqueue',
        args: [2],
        outcome: { kind: 'pending' },
        call: 2,
        return: Number.POSITIVE_INFINITY,
      },
    ]);
    expect(history.stuck).toBe(false);
    expect(history.annotations).toEqual([]);
  });

  test('operations may be in any order and are numbered by call', () => {
    expect(order(timed('late', '5', '6') + timed('early', '1', '2'))).toBe('early( )early late( )late');
  });

  test('"threw" is a return, "failed" and "unknown" are not', () => {
    const history = parseHistory(
      lines(
        { process: 'A', method: 'f', threw: 'Closed', call: 1, return: 2 },
        { process: 'A', method: 'f', failed: 'no leader', call: 3, return: 4 },
        { process: 'A', method: 'f', failed: true, call: 5 },
        { process: 'A', method: 'f', unknown: 'timeout', call: 7, return: 8 },
        { process: 'A', method: 'f', unknown: 'timeout', call: 9 },
      ),
    );
    expect(Array.from(history, ({ outcome }) => outcome)).toEqual([
      { kind: 'threw', error: 'Closed' },
      { kind: 'failed', reason: 'no leader' },
      { kind: 'failed' },
      { kind: 'pending', reason: 'timeout' },
      { kind: 'pending', reason: 'timeout' },
    ]);
  });

  test('an unknown end is no return, even with a time, and its process continues', () => {
    const history = parseHistory(
      lines(
        { process: 'A', method: 'f', unknown: 'timeout', call: 1, return: 5 },
        { process: 'A', method: 'g', call: 3, return: 4 },
      ),
    );
    expect(history.at(0).return).toBe(Number.POSITIVE_INFINITY);
    expect(Array.from(history.columns.events)).toEqual([0, 1, ~1]);
  });

  test('a missing result means null, and missing arguments mean none', () => {
    const [missing, given] = parseHistory(
      lines(
        { process: 'A', method: 'f', call: 1, return: 2 },
        { process: 'A', method: 'f', args: [], result: null, call: 3, return: 4 },
      ),
    );
    expect(missing.outcome).toEqual({ kind: 'returned', value: null });
    expect(missing.outcome).toEqual(given.outcome);
    expect(missing.args).toEqual(given.args);
  });

  test('in a file undefined is null, unless undefined itself occurs', () => {
    const plain = parseHistory(timed('f', '1', '2'));
    expect(plain.tables.undefinedIsNull).toBe(true);
    const tagged = parseHistory(
      lines({ process: 'A', method: 'f', result: { $: 'undefined' }, call: 1, return: 2 }),
    );
    expect(tagged.tables.undefinedIsNull).toBe(false);
    expect(tagged.at(0).outcome).toStrictEqual({ kind: 'returned', value: undefined });
  });

  test('several objects share a file', () => {
    const history = parseHistory(
      lines(
        { object: 'orders', process: 'A', method: 'f', call: 1, return: 2 },
        { object: 'stock', process: 'A', method: 'f', call: 3, return: 4 },
        { process: 'A', method: 'f', call: 5, return: 6 },
      ),
    );
    expect(history.objects).toEqual(['orders', 'stock', undefined]);
    expect(history.at(1).object).toBe('stock');
    expect(history.at(2)).not.toHaveProperty('object');
  });

  test('a process may be an integer of any size, which equals its decimal text', () => {
    const history = parseHistory(
      `{"process":1,"method":"f","call":1,"return":2}
       {"process":"1","method":"f","call":3,"return":4}
       {"process":-7,"method":"f","call":3,"return":4}
       {"process":12345678901234567890,"method":"f","call":3,"return":4}`,
    );
    expect(history.processes).toEqual(['1', '-7', '12345678901234567890']);
  });

  test('names may be empty, or names of fields of every JavaScript object', () => {
    const history = parseHistory(
      lines(
        { process: '__proto__', method: 'constructor', object: 'toString', call: 1, return: 2 },
        { process: '', method: '', object: '', call: 1, return: 2 },
      ),
    );
    expect(Array.from(history, ({ process, method, object }) => [process, method, object])).toEqual([
      ['__proto__', 'constructor', 'toString'],
      ['', '', ''],
    ]);
  });

  test('with ids the operations of one process may overlap', () => {
    const text = lines(
      { id: 1, process: 'A', method: 'f', call: 1, return: 5 },
      { id: 'two', process: 'A', method: 'g', call: 2, return: 3 },
    );
    expect(order(text)).toBe('f( g( )g )f');
  });

  test('consecutive operations of one process are ordered, also if they share a time', () => {
    const text = lines(
      { process: 'A', method: 'f', call: 1, return: 5 },
      { process: 'A', method: 'g', call: 5, return: 6 },
    );
    expect(order(text)).toBe('f( )f g( )g');
  });

  test('"after" adds order that times do not show, and may name a later line', () => {
    const { columns } = parseHistory(
      lines(
        { id: 'b', process: 'A', method: 'f', after: ['a', 7], call: 1, return: 9 },
        { id: 'a', process: 'B', method: 'f', call: 2, return: 9 },
        { id: 7, process: 'C', method: 'f', call: 3 },
      ),
    );
    expect(Array.from(columns.after?.start ?? [])).toEqual([0, 2, 2, 2]);
    expect(Array.from(columns.after?.items ?? [])).toEqual([1, 2]);
  });

  test('"meta" may hold any value', () => {
    expect(parseHistory(lines({ process: 'A', method: 'f', call: 1, meta: { at: 'node 3' } })).length).toBe(
      1,
    );
  });
});

describe('events', () => {
  test('the order of lines is time', () => {
    const text = lines(
      { type: 'call', process: 'A', method: 'f', args: [1] },
      { type: 'call', process: 'B', method: 'g' },
      { type: 'return', process: 'A', result: 5 },
      { type: 'throw', process: 'B', threw: 'Closed' },
    );
    expect(order(text)).toBe('f( g( )f )g');
    expect(Array.from(parseHistory(text), ({ args, outcome }) => [args, outcome])).toEqual([
      [[1], { kind: 'returned', value: 5 }],
      [[], { kind: 'threw', error: 'Closed' }],
    ]);
  });

  test('ends have results, errors and reasons', () => {
    const call = { type: 'call', process: 'A', method: 'f' };
    const history = parseHistory(
      lines(
        ...[call, { type: 'failed', process: 'A' }],
        ...[call, { type: 'failed', process: 'A', failed: 'no leader' }],
        ...[call, { type: 'unknown', process: 'A' }],
        ...[call, { type: 'unknown', process: 'A', unknown: 'timeout' }],
        ...[call, { type: 'return', process: 'A' }],
        ...[call, { type: 'return', process: 'A', result: { $: 'undefined' } }],
        call,
      ),
    );
    expect(Array.from(history, ({ outcome }) => outcome)).toStrictEqual([
      { kind: 'failed' },
      { kind: 'failed', reason: 'no leader' },
      { kind: 'pending' },
      { kind: 'pending', reason: 'timeout' },
      { kind: 'returned', value: null },
      { kind: 'returned', value: undefined },
      { kind: 'pending' },
    ]);
  });

  test('with ids a process has several open calls, which end in any order', () => {
    const text = lines(
      { type: 'call', id: 1, process: 'A', method: 'f' },
      { type: 'call', id: 'two', process: 'A', method: 'g' },
      { type: 'call', id: 3, process: 'A', method: 'h' },
      { type: 'return', id: 'two', process: 'A', result: 'g' },
      { type: 'return', id: '1', process: 'A', result: 'f' },
    );
    expect(order(text)).toBe('f( g( h( )g )f');
    expect(parseHistory(text).at(0).outcome).toEqual({ kind: 'returned', value: 'f' });
  });

  test('the end of a call may repeat its object', () => {
    const text = lines(
      { type: 'call', process: 'A', object: 'q', method: 'f' },
      { type: 'return', process: 'A', object: 'q' },
    );
    expect(order(text)).toBe('f( )f');
  });

  test('an annotation has the position of its line', () => {
    const { annotations } = parseHistory(
      lines(
        { annotation: 'start' },
        { type: 'call', process: 'A', method: 'f' },
        { annotation: 'node 2 killed' },
        { type: 'return', process: 'A' },
        { annotation: 'end', meta: 1 },
      ),
    );
    expect(annotations).toEqual([
      { text: 'start', moment: 0 },
      { text: 'node 2 killed', moment: 1 },
      { text: 'end', moment: 2 },
    ]);
  });

  test('"after" orders events too', () => {
    const { columns } = parseHistory(
      lines(
        { type: 'call', id: 'a', process: 'A', method: 'f' },
        { type: 'call', process: 'B', method: 'g', after: ['a'] },
        { type: 'return', process: 'B' },
      ),
    );
    expect(Array.from(columns.after?.items ?? [])).toEqual([0]);
  });

  test('the last line may declare the history stuck', () => {
    expect(parseHistory(lines({ type: 'call', process: 'A', method: 'f' }, { stuck: true })).stuck).toBe(
      true,
    );
  });
});

describe('times', () => {
  test('at equal times calls come before returns', () => {
    expect(order(timed('f', '1', '5') + timed('g', '5', '7'))).toBe('f( g( )f )g');
    expect(order(timed('f', '5', '5'))).toBe('f( )f');
    expect(order(timed('f', '1.50', '2') + timed('g', '2.0', '3'))).toBe('f( g( )f )g');
  });

  test('nanoseconds since 1970 are ranked to the nanosecond', () => {
    expect(
      order(
        timed('f', '1700000000000000001', '1700000000000000002') +
          timed('g', '1700000000000000003', '1700000000000000005') +
          timed('h', '1700000000000000000', '1700000000000000004'),
      ),
    ).toBe('h( f( )f g( )h )g');
  });

  test('decimals are ranked to their last digit', () => {
    expect(
      order(
        timed('f', '1699999999.123456789', '1699999999.123456790') +
          timed('g', '1699999999.123456791', '1699999999.2') +
          timed('h', '1699999999.123456788'),
      ),
    ).toBe('h( f( )f g( )g');
  });

  test('short and long decimals are ranked by their text, not by the nearest double', () => {
    // the nearest double of some is above, of some below
    for (const short of [
      '1699999999.1',
      '1699999999.2',
      '1699999999.3',
      '1699999999.4',
      '0.1',
      '2.3',
      '1e-7',
    ]) {
      const long = /e/.test(short) ? '1.00000000000000000001e-7' : `${short}00000000000000001`.slice(0, 30);
      expect(order(timed('long', long) + timed('short', short))).toBe('short( long(');
      expect(order(timed('f', short, long) + timed('g', `${long.replace(/1(e-7)?$/, '2$1')}`))).toBe(
        'f( )f g(',
      );
    }
  });

  test('different texts of one time are equal', () => {
    for (const [one, other] of [
      ['1699999999.1', '1699999999.100000000000'],
      ['10', '10.000000000000000000'],
      ['1500', '1.5e3'],
      ['1700000000000000000', '1.7e18'],
      ['-0', '0'],
      ['0.00', '0e5'],
    ])
      for (const [first, second] of [
        [one, other],
        [other, one],
      ]) {
        expect(order(timed('f', first, second))).toBe('f( )f');
        expect(order(timed('f', '-1', first) + timed('g', second))).toBe('f( g( )f');
      }
  });

  test('times may be negative', () => {
    expect(order(timed('f', '-1', '0') + timed('g', '-1700000000000000001', '-1700000000000000000'))).toBe(
      'g( )g f( )f',
    );
  });

  test('times of up to 30 digits are exact', () => {
    const nines = '9'.repeat(30);
    expect(order(timed('f', nines) + timed('g', `${nines.slice(0, 29)}8`))).toBe('g( f(');
    expect(order(timed('f', `0.${nines}`) + timed('g', `0.${nines.slice(0, 29)}8`))).toBe('g( f(');
  });

  test('an annotation is placed among operations by its time', () => {
    const { annotations } = parseHistory(
      `{"annotation":"before","at":-1}\n{"annotation":"at the call","at":1700000000000000001}\n${timed('f', '1700000000000000001', '1700000000000000002')}{"annotation":"between","at":1700000000000000001.5}\n{"annotation":"after","at":1e30}`,
    );
    expect(annotations).toEqual([
      { text: 'before', moment: 0 },
      { text: 'at the call', moment: 0 },
      { text: 'between', moment: 1 },
      { text: 'after', moment: 2 },
    ]);
  });
});

describe('values', () => {
  const valuesOf = (json: string): unknown[] =>
    parseHistory(`{"process":"A","method":"f","args":${json},"call":1}`).args(0);

  test('integers above 2^53 are exact', () => {
    expect(valuesOf('[9007199254740993,-12345678901234567890,9007199254740991]')).toEqual([
      9007199254740993n,
      -12345678901234567890n,
      9007199254740991,
    ]);
  });

  test('values that differ only beyond 2^53 are different', () => {
    const [a, b] = valuesOf('[9007199254740992,9007199254740993]');
    expect(a).not.toEqual(b);
  });

  test('decimals and numbers with exponents are numbers', () => {
    expect(valuesOf('[0.1,1e3,1.7976931348623157e308,-0]')).toEqual([0.1, 1000, Number.MAX_VALUE, -0]);
  });

  test('tags encode values that JSON cannot represent, at any depth, also beside large times', () => {
    const history = parseHistory(
      '{"process":"A","method":"f","args":[{"$":"undefined"},[{"$":"NaN"}],{"a":{"$":"bigint","value":"5"}}],"result":{"$":"Set","value":[{"$":"-Infinity"}]},"call":1700000000000000000,"return":1700000000000000001.5}',
    );
    expect(history.at(0)).toMatchObject({
      args: [undefined, [Number.NaN], { a: 5n }],
      outcome: { kind: 'returned', value: new Set([Number.NEGATIVE_INFINITY]) },
      return: 1,
    });
  });

  test('"__proto__" is a field like any other', () => {
    const [value] = valuesOf('[{"__proto__":{"polluted":true},"constructor":1}]');
    expect(Object.keys(value as object)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(value).not.toHaveProperty('polluted');
  });

  test('values may be nested some hundred levels deep, and long', () => {
    const deep = `${'['.repeat(990)}${']'.repeat(990)}`;
    expect(valuesOf(`[${deep}]`)).toEqual([JSON.parse(deep)]);
    const wide = Array.from({ length: 3000 }, (_, i) => [i, {}]);
    expect(valuesOf(JSON.stringify(wide))).toEqual(wide);
  });
});

describe('lines', () => {
  const f = '{"process":"A","method":"f","call":1,"return":2}';
  const g = '{"process":"B","method":"g","call":3,"return":4}';

  test.each([
    ['newlines', `${f}\n${g}\n`],
    ['carriage returns before newlines', `${f}\r\n${g}\r\n`],
    ['no newline at the end', `${f}\n${g}`],
    ['a carriage return at the end', `${f}\n${g}\r`],
    ['a byte order mark', `\ufeff${f}\n${g}\n`],
    ['a byte order mark and a blank line', `\ufeff\r\n${f}\n${g}\n`],
    ['blank lines anywhere', `\n\r\n  \t\n${f}\n\n\n${g}\n   \n`],
    ['more blank lines than a reader looks at', `${'\n'.repeat(1000)}${f}\n${g}`],
    ['spaces around', ` \t${f}  \n  ${g} \n`],
    ['spaces within', `{ "process" : "A" , "method":"f","call": 1,"return" :2 }\n${g}`],
  ])('a file with %s is the same file', (_claim, text) => {
    expect(order(text)).toBe('f( )f g( )g');
  });

  test('an empty file is an empty history', () => {
    for (const text of ['', '\n', '\r\n \n', '\ufeff']) expect(parseHistory(text).length).toBe(0);
  });

  test('an empty history may be stuck', () => {
    expect(parseHistory('{"stuck":true}')).toMatchObject({ length: 0, stuck: true });
  });
});

describe('names of methods', () => {
  test('are renamed as requested', () => {
    const rename = new Map([['enq', 'enqueue']]);
    const methodsOf = () => ['enqueue', 'dequeue'];
    const operations = parseHistory(
      lines({ process: 'A', method: 'enq', call: 1 }, { process: 'B', method: 'dequeue', call: 1 }),
      { rename, methodsOf },
    );
    expect(Array.from(operations, ({ method }) => method)).toEqual(['enqueue', 'dequeue']);
    const events = parseHistory(lines({ type: 'call', process: 'A', method: 'enq' }), { rename, methodsOf });
    expect(events.at(0).method).toBe('enqueue');
  });

  test('are checked per object, and not for unknown objects', () => {
    const methodsOf = (object: string | undefined) => (object === 'q' ? ['dequeue'] : undefined);
    const text = lines(
      { object: 'q', process: 'A', method: 'dequeue', call: 1 },
      { object: 'r', process: 'B', method: 'anything', call: 1 },
    );
    expect(parseHistory(text, { methodsOf }).length).toBe(2);
  });
});

test('"args" that are null are no arguments, as in a list of Go that is nil', () => {
  const line = '{"process":"A","method":"read","args":null,"result":null,"call":1,"return":2}';
  expect(parseHistory(line).args(0)).toEqual([]);
});
