import { expect, test } from 'vitest';
import { parseHistory } from '../../formats/read-history.js';
import { HistoryBuilder } from '../builder/builder.js';

const line = (call: number | bigint, end: number | bigint): string =>
  `{"process":"p${call}","method":"read","args":[],"call":${call},"return":${end}}`;

test('times are kept by operation if requested', () => {
  const text = [line(7, 9), line(1, 2.5)].join('\n');
  expect(parseHistory(text).tables.times).toBeUndefined();
  const { times } = parseHistory(text, { keepTimes: true }).tables;
  expect([...(times?.call ?? [])]).toEqual([1, 7]);
  expect([...(times?.return ?? [])]).toEqual([2.5, 9]);
});

test('times with too many digits for doubles are relative to the first', () => {
  const text = [
    line(1700000000000000001n, 1700000000000000002n),
    line(1700000000000000003n, 1700000000000000009n),
  ];
  const { times } = parseHistory(text.join('\n'), { keepTimes: true }).tables;
  expect(times?.since).toBe('1700000000000000001');
  expect([...(times?.call ?? [])]).toEqual([0, 2]);
  expect([...(times?.return ?? [])]).toEqual([1, 8]);
});

test('events without times have none', () => {
  const builder = new HistoryBuilder({ keepTimes: true });
  builder.end(builder.call({ process: 'A', method: 'read' }), { kind: 'returned', value: 1 });
  expect(builder.finish().tables.times).toBeUndefined();
});

test('a pending operation has no return time', () => {
  const text = '{"process":"A","method":"read","args":[],"call":3,"return":9,"unknown":"gave up"}';
  const { times } = parseHistory(text, { keepTimes: true }).tables;
  expect([...(times?.return ?? [])]).toEqual([Number.NaN]);
});

test('Jepsen events have times', () => {
  const text =
    '{:process 0, :type :invoke, :f :read, :value nil, :time 10}\n{:process :nemesis, :type :info, :f :start, :time 20}\n{:process 0, :type :ok, :f :read, :value 1, :time 25}';
  const { tables, annotations } = parseHistory(text, { keepTimes: true });
  expect([tables.times?.call[0], tables.times?.return[0]]).toEqual([10, 25]);
  expect(annotations).toEqual([{ text: 'nemesis start', moment: 1 }]);
});
