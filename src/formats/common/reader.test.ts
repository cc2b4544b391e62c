import { expect, test } from 'vitest';
import { OptionError } from '../../base/errors.js';
import { parseHistory } from '../read-history.js';
import { readClockError } from './reader.js';

test.each([
  [5, 5],
  [5n, 5n],
  [1e-7, 1e-7],
  ['5', '5'],
  ['0.25', '0.25'],
  ['5ns', '5e0'],
  ['200us', '200e3'],
  ['200µs', '200e3'],
  ['1.5ms', '1.5e6'],
  ['1s', '1e9'],
])('%o in nanoseconds is %o', (error, expected) => {
  expect(readClockError('nanoseconds', error)).toBe(expected);
});

test.each([-1, Number.NaN, Number.POSITIVE_INFINITY, '', 'ms', '5 ms', '5m', '-5ms', '5MS', 'constructor'])(
  '%o is refused',
  (error) => {
    expect(() => readClockError('nanoseconds', error)).toThrow(OptionError);
  },
);

test('a clock error with a unit requires a file whose times have a unit', () => {
  const text = '{"process":"A","method":"f","call":1,"return":2}';
  expect(parseHistory(text, { clockError: 5 }).length).toBe(1);
  expect(() => parseHistory(text, { clockError: '5s' })).toThrow(
    'the clock error 5s has a unit, but the times of this file are numbers without one; expected a number: 5 if the times are in s, 5000000000 if they are in nanoseconds',
  );
});

test('times and a clock error with too many digits together are reported with their line', () => {
  const line = (call: string) => `{"process":"A","method":"f","call":${call},"return":${call}}`;
  expect(() =>
    parseHistory(`${line('1')}\n${line('12345678901234567890')}`, { clockError: '0.00000000000001' }),
  ).toThrow(
    'line 2, column 66: the time 12345678901234567890 with a clock error of 0.00000000000001 is a time with more than 30 digits',
  );
});

test('a Jepsen process whose clock runs backwards is reported with its line', () => {
  const event = (process: number, type: string, time: number) =>
    `{:process ${process}, :type ${type}, :f :f, :value nil, :time ${time}}\n`;
  const text = event(0, ':invoke', 1) + event(0, ':ok', 9) + event(0, ':invoke', 5) + event(0, ':ok', 10);
  expect(parseHistory(text).length).toBe(2);
  expect(() => parseHistory(text, { clockError: '1ns' })).toThrow(
    'line 3, column 1: process 0 calls f while its call of f is open (line 1)',
  );
});
