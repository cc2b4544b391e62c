import { describe, expect, test } from 'vitest';
import { EventError, type HistoryEvent } from '../../history/model/event.js';
import { FormatError } from '../common/reader.js';
import { EventReader } from './event-reader.js';

function eventsOf(text: string, rename?: ReadonlyMap<string, string>): HistoryEvent[] {
  const events: HistoryEvent[] = [];
  const reader = new EventReader((event) => {
    events.push(event);
    return false;
  }, rename);
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
    ['{"type":"invoke","process":"A","f":"read"}', 9, 'straightedge check reads Jepsen histories'],
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
