/** Recordings as they are found: with dates, with fields of their own, cut off by a crash, or in several files. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { share } from '../../test/support/share.js';
import { Random } from '../base/random.js';
import type { History } from '../history/history.js';
import type { ReadOptions } from './common/reader.js';
import { writeJepsenEdn } from './jepsen/writer.js';
import { writeJsonLines } from './json-lines/writer.js';
import { parseHistory, readTogether } from './read-history.js';

const folder = mkdtempSync(join(tmpdir(), 'straightedge-recordings-'));
afterAll(() => rmSync(folder, { recursive: true }));

const operation = (process: string, call: unknown, end: unknown, more: object = {}): string =>
  JSON.stringify({ process, method: 'f', call, return: end, ...more });

function complaint(text: string, options: ReadOptions = {}): string {
  try {
    parseHistory(text, options);
    return 'accepted';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('dates', () => {
  test.each([
    ['1970-01-01T00:00:00Z', '0'],
    ['1970-01-01T00:00:00.000000001Z', '1'],
    ['1969-12-31T23:59:59.999999999Z', '-1'],
    ['2024-01-31T12:30:00.25Z', '1706704200250000000'],
    ['2024-01-31 13:30:00,25+01:00', '1706704200250000000'],
    ['2024-01-31t08:00:00.250-0430', '1706704200250000000'],
    ['2024-02-29T00:00:00z', '1709164800000000000'],
  ])('%s is %s nanoseconds after 1970', (date, nanoseconds) => {
    const dated = parseHistory(`${operation('A', date, date)}\n${operation('B', date, date)}`);
    expect(dated.length).toBe(2);
    const { times } = parseHistory(operation('A', date, date), { keepTimes: true }).tables;
    expect(BigInt(times?.since ?? 0) + BigInt(times?.call[0] ?? Number.NaN)).toBe(BigInt(nanoseconds));
  });

  test.each([
    '2024-01-31T12:30:00',
    '2024-01-31',
    '2023-02-29T00:00:00Z',
    '2024-01-31T24:00:00Z',
    '2024-01-31T12:30:60Z',
    '2024-13-01T00:00:00Z',
    '2024-01-31T12:30:00.1234567890Z',
  ])('%s is an error', (date) => {
    expect(complaint(operation('A', date, '2030-01-01T00:00:00Z'))).toContain(
      `invalid "call" "${date}"; expected a date with a time zone`,
    );
  });

  test('order operations to the nanosecond, in every time zone', () => {
    const history = parseHistory(
      [
        operation('A', '2024-01-31T12:00:00Z', '2024-01-31T12:00:00.000000001Z'),
        operation('B', '2024-01-31T13:00:00.000000002+01:00', '2024-01-31T13:00:01+01:00'),
      ].join('\n'),
    );
    expect([history.precedes(0, 1), history.precedes(1, 0)]).toEqual([true, false]);
  });

  test('have a unit, so that a clock error may have one', () => {
    const text = [
      operation('A', '2024-01-31T12:00:00Z', '2024-01-31T12:00:01Z'),
      operation('B', '2024-01-31T12:00:01.010Z', '2024-01-31T12:00:02Z'),
    ].join('\n');
    expect(parseHistory(text, { clockError: '5ms' }).precedes(0, 1)).toBe(false);
    expect(parseHistory(text, { clockError: '4.999ms' }).precedes(0, 1)).toBe(true);
    expect(complaint(operation('A', 1, 2), { clockError: '5ms' })).toContain('numbers without one');
  });

  test('and numbers are not mixed', () => {
    const date = '2024-01-31T12:00:00Z';
    expect(complaint(operation('A', date, 5))).toContain('one of "call" and "return" is a date');
    expect(complaint(`${operation('A', 1, 2)}\n${operation('B', date, date)}`)).toBe(
      'line 2, column 36: the time is a date, but on line 1 it is a number; expected one clock',
    );
    expect(complaint(`${operation('A', date, date)}\n{"annotation":"x","at":5}`)).toBe(
      'line 2, column 24: the time is a number, but on line 1 it is a date; expected one clock',
    );
  });
});

describe('extra fields', () => {
  const records: Readonly<Record<string, object>> = {
    operation: { process: 'A', method: 'f', args: [], result: 1, call: 1, return: 2 },
    call: { type: 'call', process: 'A', method: 'f' },
    return: { type: 'return', process: 'A', result: 1 },
    throw: { type: 'throw', process: 'A', threw: 'X' },
    failed: { type: 'failed', process: 'A', failed: true },
    unknown: { type: 'unknown', process: 'A', unknown: true },
    annotation: { annotation: 'x', at: 1 },
  };
  const ends = ['return', 'throw', 'failed', 'unknown'];
  const text = (kind: string, more: object): string =>
    [...(ends.includes(kind) ? [records.call] : []), { ...records[kind], ...more }]
      .map((own) => JSON.stringify(own))
      .join('\n');

  test.each(Object.keys(records))('of a record of kind %s are ignored on request', (kind) => {
    expect(complaint(text(kind, { host: 'eu-1' }))).toContain('unknown field "host"');
    expect(complaint(text(kind, { host: 'eu-1', trace: { id: [1] } }), { extraFields: true })).toBe(
      'accepted',
    );
  });

  test.each([
    ['return', { threw: 'X' }],
    ['return', { failed: true }],
    ['call', { result: 1 }],
    ['call', { return: 3 }],
    ['annotation', { process: 'A' }],
  ])('with a meaning in another record are errors in one of kind %s: %j', (kind, more) => {
    expect(complaint(text(kind, more), { extraFields: true })).toContain('unknown field');
  });
});

describe('a file that is cut off', () => {
  const whole = parseHistory(
    [
      operation('0', 1, 4, { args: [{ a: ['x}', 'ä'] }] }),
      operation('1', 2, 3, { result: '"' }),
      operation('0', 5, 9),
      operation('1', 6, undefined, { unknown: true }),
    ].join('\n'),
  );
  const lines = [...writeJsonLines(whole)].join('');
  const texts: Readonly<Record<string, string>> = {
    'JSON lines': lines,
    'a JSON array': `[${lines.trim().replaceAll('\n', ',\n')}]\n`,
    events: `${JSON.stringify({ type: 'call', process: 'A', method: 'f' })}\n${JSON.stringify({ type: 'return', process: 'A' })}\n`,
    EDN: [...writeJepsenEdn(parseHistory(operation('0', 1, 4)))].join(''),
    'an EDN vector': `[${[...writeJepsenEdn(parseHistory(`${operation('0', 1, 4)}\n${operation('1', 2, 5)}`))].join('')}]\n`,
  };

  test.each(Object.entries(texts))('is read as far as it goes, wherever it is cut: %s', (kind, text) => {
    const bytes = new TextEncoder().encode(text);
    let longest = 0;
    for (let length = 1; length <= bytes.length; length++) {
      const cuts: number[] = [];
      const kinds: boolean[] = [];
      const part = parseHistory(bytes.subarray(0, length), {
        partial: true,
        onCut: (line, _file, hasEvents) => {
          cuts.push(line);
          if (longest > 0) kinds.push(hasEvents);
        },
      });
      expect(part.length).toBeGreaterThanOrEqual(longest);
      longest = part.length;
      // whatever is accepted without the option is read the same with it
      const strict = complaint(new TextDecoder().decode(bytes.subarray(0, length)));
      if (strict === 'accepted') expect(cuts).toEqual([]);
      else expect(cuts).toHaveLength(1);
      if (kinds.length > 0) expect(kinds).toEqual([kind.includes('EDN') || kind === 'events']);
    }
    expect(longest).toBe(parseHistory(text).length);
  });

  test('is an error without the option, and errors before the cut stay errors', () => {
    expect(complaint('{"process":"A","met')).toMatch(/the line is cut off.*--partial/);
    expect(complaint('{"process":"A"}\n{"process', { partial: true })).toContain('missing "method"');
    expect(complaint(`${operation('A', 1, 2)}\n{"process":5.5}`, { partial: true })).toContain(
      'invalid "process"',
    );
  });
});

describe('several files as one history', () => {
  const write = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };

  test('keep the order of each clock, and allow for its error between files', async () => {
    const random = new Random(11);
    for (let round = 0; round < share(3_000, 60); round++) {
      const error = random.below(4);
      const rows = randomRows(random);
      const paths = [0, 1, 2].map((file) =>
        write(
          `clock-${file}.jsonl`,
          rows
            .filter((row) => row.file === file)
            .map(({ name, call, end }) => operation(name.slice(0, 1), call, end, { args: [name] }))
            .join('\n'),
        ),
      );
      const history = await readTogether(paths, { clockError: error });
      const isBefore = orderOf(history);
      const position = new Map(Array.from(history, ({ args }, k) => [args[0], k]));
      const expected = closure(rows, (a, b) =>
        a.file === b.file
          ? a.end < b.call || (a.name[0] === b.name[0] && a.end === b.call && a.call < b.call)
          : a.end + error < b.call - error,
      );
      for (const [i, a] of rows.entries())
        for (const [j, b] of rows.entries())
          if (i !== j)
            expect(
              isBefore(position.get(`${a.name}`) ?? -1, position.get(`${b.name}`) ?? -1),
              `${round}: ${JSON.stringify([a, b, error])}`,
            ).toBe(expected[i][j]);
    }
  });

  test('have their own processes, ids and lines', async () => {
    const a = write(
      'a.jsonl',
      [operation('1', 1, 2, { id: 1 }), operation('2', 3, 4, { after: [1] })].join('\n'),
    );
    const b = write(
      'b.jsonl',
      [operation('1', 1, 2, { id: 1 }), operation('3', 3, 4, { after: [1] })].join('\n'),
    );
    const history = await readTogether([a, b]);
    expect(Array.from(history, ({ process }) => process).sort()).toEqual(['1', `1@${b}`, '2', '3']);
    expect(history.tables.files?.names).toEqual([a, b]);
    expect(
      Array.from(history, ({ id }) => [history.tables.files?.of[id], history.tables.lines?.[id]]),
    ).toEqual([
      [0, 1],
      [1, 1],
      [0, 2],
      [1, 2],
    ]);
  });

  test('are stuck if every file says so', async () => {
    const stuck = write('stuck.jsonl', `${operation('1', 1, undefined)}\n{"stuck":true}\n`);
    const free = write('free.jsonl', operation('2', 1, 2));
    expect((await readTogether([stuck, stuck])).stuck).toBe(true);
    expect((await readTogether([stuck, free])).stuck).toBe(false);
    expect((await readTogether([free, stuck])).stuck).toBe(false);
  });

  test.each([
    ['an error names its file', operation('A', 1, 2), '{"process":', 'line 1, column 12'],
    [
      'events cannot be joined',
      operation('A', 1, 2),
      '{"type":"call","process":"A","method":"f"}',
      'an event, which has no time; only operations with times can be joined',
    ],
    [
      'dates and numbers cannot be joined',
      operation('A', 1, 2),
      operation('B', '2024-01-31T12:00:00Z', '2024-01-31T12:00:00Z'),
      'the time is a date',
    ],
    [
      'Jepsen events cannot be joined',
      operation('A', 1, 2),
      '{:process 0, :type :invoke, :f :read, :value nil}',
      'cannot be joined',
    ],
  ])('%s', async (_, first, second, message) => {
    const paths = [write('first.jsonl', first), write('second.jsonl', second)];
    await expect(readTogether(paths)).rejects.toThrow(`${paths[1]}: `);
    await expect(readTogether(paths)).rejects.toThrow(message);
  });

  describe('events without times', () => {
    const events = [
      '{"type":"call","process":"A","method":"f"}',
      '{"type":"call","process":"A","method":"f"}\n{"type":"return","process":"A"}',
      '{"annotation":"pause"}',
    ];
    const timed = ['', operation('A', 1, 2), '{"annotation":"pause","at":1}', '{"stuck":true}'];
    const pairs = events.flatMap((event, i) =>
      [...events, ...timed].flatMap((other, j) => [
        { name: `${i}, ${j}`, contents: [event, other], faulty: 0 },
        { name: `${j}, ${i}`, contents: [other, event], faulty: timed.includes(other) ? 1 : 0 },
      ]),
    );

    test.each(pairs)('are refused in any place of joined files: $name', async ({ contents, faulty }) => {
      const paths = contents.map((content, i) => write(`events-${i}.jsonl`, content));
      await expect(readTogether(paths)).rejects.toThrow(
        /which has no time; only operations with times can be joined/,
      );
      await expect(readTogether(paths)).rejects.toMatchObject({ file: paths[faulty], line: 1 });
    });
  });
});

interface Row {
  readonly file: number;
  /** Process and number. */
  readonly name: string;
  readonly call: number;
  readonly end: number;
}

/** Operations of two processes in each of three files. Those of one process follow each other. */
function randomRows(random: Random): Row[] {
  const rows: Row[] = [];
  for (const file of [0, 1, 2])
    for (const process of ['A', 'B'])
      for (let at = random.below(6), n = random.below(4); n > 0; n--) {
        const end = at + 1 + random.below(4);
        rows.push({ file, name: `${process}${rows.length}`, call: at, end });
        at = end + random.below(4);
      }
  return rows;
}

/** Does an operation precede another, by times or by `after`? */
function orderOf(history: History): (a: number, b: number) => boolean {
  const { after } = history.columns;
  const order = closure([...history], (a, b) => {
    const [i, j] = [history.positionsById()[a.id], history.positionsById()[b.id]];
    return (
      history.precedes(i, j) ||
      (after !== undefined && [...after.items.subarray(after.start[j], after.start[j + 1])].includes(i))
    );
  });
  return (a, b) => order[a][b];
}

/** The transitive closure of a relation. */
function closure<T>(items: readonly T[], isBefore: (a: T, b: T) => boolean): boolean[][] {
  const order = items.map((a) => items.map((b) => a !== b && isBefore(a, b)));
  for (const k of items.keys())
    for (const i of items.keys()) for (const j of items.keys()) order[i][j] ||= order[i][k] && order[k][j];
  return order;
}
