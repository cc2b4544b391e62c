import { describe, expect, test } from 'vitest';
import type { History } from '../history/history.js';
import { EventError, type HistoryEvent } from '../history/model/operation.js';
import { FormatError } from './common/reader.js';
import { type EventOptions, EventReader } from './event-reader.js';
import { parseHistory } from './read-history.js';

function eventsOf(text: string, rename?: ReadonlyMap<string, string>): HistoryEvent[] {
  const events: HistoryEvent[] = [];
  const reader = new EventReader(
    (event) => {
      events.push(event);
      return false;
    },
    { rename },
  );
  reader.write(new TextEncoder().encode(text));
  reader.end();
  return events;
}

test('events are delivered with their lines, and annotations and blank lines are skipped', () => {
  const text = `{"type":"call","process":"A","method":"add","args":[1],"object":"q"}
{"annotation":"node 2 killed"}

{"type":"return","process":"A"}
{"type":"call","process":7,"method":"dequeue","id":3}
{"type":"throw","process":7,"id":3,"threw":"Closed"}
{"type":"failed","process":"A","failed":"refused"}
{"type":"unknown","process":"A"}`;
  expect(eventsOf(text, new Map([['add', 'enqueue']]))).toEqual([
    { type: 'call', process: 'A', method: 'enqueue', args: [1], object: 'q', id: undefined, line: 1 },
    { type: 'return', process: 'A', result: null, object: undefined, id: undefined, line: 4 },
    { type: 'call', process: '7', method: 'dequeue', args: [], object: undefined, id: '3', line: 5 },
    { type: 'throw', process: '7', threw: 'Closed', object: undefined, id: '3', line: 6 },
    { type: 'failed', process: 'A', failed: 'refused', object: undefined, id: undefined, line: 7 },
    { type: 'unknown', process: 'A', unknown: undefined, object: undefined, id: undefined, line: 8 },
  ]);
});

test('a line is delivered as soon as it is complete, however its bytes are divided', () => {
  const seen: number[] = [];
  const reader = new EventReader((event) => seen.push(event.line ?? 0) === 0);
  for (const byte of new TextEncoder().encode('{"type":"return","process":"ä"}\n{"type":"return"'))
    reader.write(Uint8Array.of(byte));
  expect(seen).toEqual([1]);
  expect(reader.line).toBe(1);
});

test('a consumer that stops gets no more events, not even malformed ones', () => {
  let count = 0;
  const reader = new EventReader(() => ++count === 2);
  reader.write(new TextEncoder().encode(`${'{"type":"return","process":"A"}\n'.repeat(3)}broken\n`));
  reader.write(new TextEncoder().encode('broken\n'));
  reader.end();
  expect(count).toBe(2);
});

describe('a line that is no event is an error with its position', () => {
  test.each([
    ['{"process":"A","method":"f","call":1,"return":2}', 1, 'straightedge check reads operations'],
    ['{"stuck":true}', 1, 'straightedge check reads stuck histories'],
    ['{"type":"call","process":"A","method":"f","after":[1]}', 51, 'straightedge check reads it'],
    ['{"annotation":"x","at":3}', 24, 'in a stream of events, the order of lines is time'],
    ['{"type":"begin","process":"A"}', 9, 'unknown event type "begin"'],
    ['{"type":"call","process":"A","metho', 36, 'the line is cut off'],
    ['[]', 1, 'a list; expected events, one per line: {"type":"call",…} when a call starts'],
    [' [{"type":"call"', 1, 'straightedge check reads records in one list'],
    ['17', 1, 'expected an object'],
    ['{"process":"A","method":"f"}', 1, 'missing "type"; expected events, one per line: {"type":"call",…}'],
  ])('%s', (line, column, message) => {
    let error: unknown;
    try {
      eventsOf(`{"type":"return","process":"A"}\n${line}\n`);
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(FormatError);
    expect(error).toMatchObject({ line: 2, column });
    expect((error as FormatError).detail).toContain(message);
  });
  test('an event that the handler refuses is one too; other errors of the handler are rethrown', () => {
    const refuse = (error: Error) => () => {
      const reader = new EventReader(() => {
        throw error;
      });
      reader.write(new TextEncoder().encode('{"type":"return","process":"A"}\n'));
    };
    expect(refuse(new EventError('no open call', 'process'))).toThrow('line 1, column 28: no open call');
    expect(refuse(new RangeError('mine'))).toThrow(RangeError);
  });
});

describe('events of other formats are those of the history that `check` reads', () => {
  /** What a sequence of events says, as the history of the same file says it. */
  const summary = (events: readonly HistoryEvent[]): string[] =>
    events.map((event) => `${event.type} ${event.process} ${'method' in event ? event.method : ''}`);
  const eventsOfHistory = (history: History): string[] =>
    Array.from(history.columns.events, (event) => {
      const { process, method, outcome } = history.at(event < 0 ? ~event : event);
      const type = { returned: 'return', threw: 'throw', failed: 'failed', pending: 'unknown' }[outcome.kind];
      return event < 0 ? `${type} ${process} ` : `call ${process} ${method}`;
    });

  const EVENTS = [
    ['0', 'invoke', 'write', 1],
    ['1', 'invoke', 'read', null],
    ['1', 'ok', 'read', 1],
    ['0', 'ok', 'write', 1],
    ['1', 'invoke', 'write', 2],
    ['1', 'fail', 'write', 2],
    ['0', 'invoke', 'read', null],
    ['0', 'ok', 'read', 1],
  ] as const;
  const text = (notation: (row: (typeof EVENTS)[number]) => string): string =>
    EVENTS.map((row) => `${notation(row)}\n`).join('');
  const edn = ([process, type, f, value]: (typeof EVENTS)[number]) =>
    `{:process ${process}, :type :${type}, :f :${f}, :value ${value ?? 'nil'}}`;
  const texts: Readonly<Record<string, readonly [string, EventOptions?]>> = {
    EDN: [text(edn)],
    'an EDN vector': [`[${text(edn)}]`],
    'Jepsen JSON': [
      text(([process, type, f, value]) => JSON.stringify({ process: Number(process), type, f, value })),
    ],
    'a Jepsen log': [
      text(
        ([process, type, f, value]) => `INFO  jepsen.util - ${process}\t:${type}\t:${f}\t${value ?? 'nil'}`,
      ),
    ],
    'a record map': [
      text(([who, what, f, value]) => JSON.stringify({ who, what, f, value })),
      {
        recordMap: ({ who, what, f, value }) =>
          what === 'invoke'
            ? { type: 'call', process: who, method: f, args: value === null ? [] : [value] }
            : {
                type: what === 'ok' ? 'return' : 'failed',
                process: who,
                ...(what === 'ok' && { result: value }),
              },
      },
    ],
  };

  test.each(Object.entries(texts))('%s, however its bytes are divided', (_, [bytes, options]) => {
    const expected = eventsOfHistory(parseHistory(bytes, options ?? {}));
    for (const size of [1, 7, 1000]) {
      const events: HistoryEvent[] = [];
      const reader = new EventReader((event) => events.push(event) === 0, options);
      const encoded = new TextEncoder().encode(bytes);
      for (let at = 0; at < encoded.length; at += size) reader.write(encoded.subarray(at, at + size));
      reader.end();
      // a failed operation has no events in a history that is checked
      expect(summary(events)).toEqual(expected);
      expect(events.map(({ line }) => line)).toEqual(EVENTS.map((_row, i) => i + 1));
    }
  });

  test('an error of the handler has the position of its event', () => {
    const reader = new EventReader(() => {
      throw new EventError('no such call', 'process');
    });
    expect(() => reader.write(new TextEncoder().encode(`${edn(EVENTS[0])}\n`))).toThrow(
      'line 1, column 11: no such call',
    );
  });
});
