import { describe, expect, test } from 'vitest';
import { FormatError, type HistoryRecord, type RecordMap } from './common/reader.js';
import { writeJsonLines } from './json-lines/writer.js';
import { parseHistory } from './read-history.js';

const RECORDS = [
  { who: 1, op: 'put', with: ['k', 9007199254740993n], from: 10n ** 19n, to: 10n ** 19n + 1n },
  { who: 2, op: 'skip' },
  { who: 2, op: 'get', with: ['k'], from: 10n ** 19n + 2n },
];
const json = (value: unknown, indent?: number): string =>
  JSON.stringify(value, (_, own: unknown) => (typeof own === 'bigint' ? `#${own}#` : own), indent).replace(
    /"#(\d+)#"/g,
    '$1',
  );
const map: RecordMap = ({ who, op, with: args, from, to }) =>
  op === 'skip' ? undefined : { process: who, method: op, args, call: from, return: to };

/** The error of reading a text. */
function complaint(text: string, by: RecordMap): string {
  try {
    parseHistory(text, { recordMap: by });
  } catch (error) {
    if (error instanceof FormatError) return error.message;
    throw error;
  }
  return 'accepted';
}

describe('foreign JSON', () => {
  test.each([
    ['a record a line', RECORDS.map((record) => `${json(record)}\n`).join('')],
    ['one array', json(RECORDS)],
    ['one array, indented', json(RECORDS, 2)],
    ['in sequence, indented', RECORDS.map((record) => json(record, 4)).join('\n')],
  ])('as %s is converted, with exact large integers', (_, text) => {
    const history = parseHistory(text, { recordMap: map });
    expect([...writeJsonLines(history)].join('')).toBe(
      `{"process":"1","method":"put","args":["k",9007199254740993],"result":null,"call":0,"return":1}
{"process":"2","method":"get","args":["k"],"call":2}
`,
    );
  });

  test('one record may become several records, or none', () => {
    const events = (op: string): HistoryRecord[] => [
      { type: 'call', process: 'A', method: op },
      { type: 'return', process: 'A', result: [op] },
    ];
    const history = parseHistory('"f" "g"\n[1]', {
      recordMap: (own) => (typeof own === 'string' ? events(own) : null),
    });
    expect(Array.from(history, ({ outcome }) => outcome)).toEqual([
      { kind: 'returned', value: ['f'] },
      { kind: 'returned', value: ['g'] },
    ]);
  });

  test('a record may become an annotation or a stuck mark', () => {
    const history = parseHistory('1 2 3', {
      recordMap: (n: number) =>
        [{ process: 0, method: 'f', call: 1 }, { annotation: 'kill', at: 2 }, { stuck: true } as const][
          n - 1
        ],
    });
    expect([history.annotations[0].text, history.stuck]).toEqual(['kill', true]);
  });

  test('a record map may reuse its objects', () => {
    const args = [0];
    const history = parseHistory('1 2', {
      recordMap: (n: number) => {
        args[0] = n;
        return { process: n, method: 'f', args, call: n, return: n };
      },
    });
    expect(Array.from(history, (operation) => operation.args)).toEqual([[1], [2]]);
  });

  test('line numbers are those of the foreign records', () => {
    const history = parseHistory(json(RECORDS, 2), { recordMap: map });
    expect([...(history.tables.lines ?? [])]).toEqual([2, 16]);
  });
});

describe('errors name the position of the foreign record', () => {
  const given =
    (record: unknown): RecordMap =>
    () =>
      record as ReturnType<RecordMap>;
  const operation = { process: 0, method: 'f', call: 1, return: 2 };
  test.each<[string, string, RecordMap, string]>([
    [
      'a map that throws',
      '{}\n {}',
      (() => {
        let n = 0;
        return () => {
          if (n++ === 1) throw new Error('no value');
          return null;
        };
      })(),
      'line 2, column 2: the record map threw for this record: Error: no value',
    ],
    [
      'no object',
      '{}',
      given('x'),
      'line 1, column 1: the record map returned "x"; expected a plain object, a list of them, or nothing',
    ],
    [
      'a promise',
      '{}',
      given(Promise.resolve()),
      'line 1, column 1: the record map returned Promise {}; expected a plain object, a list of them, or nothing',
    ],
    [
      'a list with a hole',
      '{}',
      given([operation, undefined]),
      'line 1, column 1: the record map returned undefined; expected a plain object, a list of them, or nothing',
    ],
    [
      'a field that no record has',
      '{}',
      given({ ...operation, retrun: 2 }),
      'line 1, column 1: unknown field "retrun" of an operation; expected process, method, args, object, id, after, meta, result, threw, failed, unknown, call, return',
    ],
    [
      'a time that is a text',
      '{}',
      given({ ...operation, call: '2018-01-01' }),
      'line 1, column 1: invalid "call" "2018-01-01"; expected a date with a time zone, such as "2024-01-31T12:30:00.25Z" or "2024-01-31T13:30:00+01:00"',
    ],
    [
      'a time that is no number',
      '{}',
      given({ ...operation, call: Number.NaN }),
      'line 1, column 1: invalid "call" NaN; expected a number, the time of one clock, or a date such as "2024-01-31T12:30:00.25Z"',
    ],
    [
      'a time of many digits',
      '{}',
      given({ ...operation, return: 10n ** 30n }),
      'line 1, column 1: "return" has 31 digits; expected at most 30',
    ],
    [
      'two open calls',
      '{}\n{}',
      given(operation),
      'line 2, column 1: process 0 calls f while its call of f is open (line 1)',
    ],
    [
      'broken JSON',
      '{"a": 1}\n{"a":\n  !}',
      given(null),
      'line 3, column 3: expected a JSON value, found "!"',
    ],
  ])('%s', (_, text, by, message) => {
    expect(complaint(text, by)).toBe(message);
  });
});
