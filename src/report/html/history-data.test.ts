import { expect, test } from 'vitest';
import { PICTURES } from '../../../test/support/fixtures/pictures.js';
import { writeJsonLines } from '../../formats/json-lines/writer.js';
import { parseHistory } from '../../formats/read-history.js';
import { HistoryBuilder } from '../../history/builder/builder.js';
import { draw } from '../../history/drawing/sketch.js';
import type { History } from '../../history/history.js';
import { packHistory, unpackHistory } from './history-data.js';

const transported = (history: History): History =>
  unpackHistory(JSON.parse(JSON.stringify(packHistory(history))));

test.each(PICTURES)('$name arrives as it left', ({ history }) => {
  const arrived = transported(history);
  expect([...arrived]).toEqual([...history]);
  expect([...writeJsonLines(arrived)]).toEqual([...writeJsonLines(history)]);
});

test('a cut arrives with its ids, its lines and its times', () => {
  const text = [1, 2, 3].map(
    (i) => `{"process":"A","method":"write","args":[${i}],"call":${2 * i},"return":${2 * i + 1}}`,
  );
  const history = parseHistory(text.join('\n'), { keepTimes: true });
  const arrived = transported(history.select((k) => k !== 1));
  expect([...arrived.columns.id]).toEqual([0, 2]);
  expect(arrived.tables.lines?.[2]).toBe(3);
  expect([arrived.tables.times?.call[2], arrived.tables.times?.return[2]]).toEqual([6, 7]);
  expect(draw(arrived)).toBe('A  ├─ write(1) → null ─┤  ├─ write(3) → null ─┤');
});

test('values of the cut are the same for any values before it', () => {
  const history = parseHistory(
    '{"process":"A","method":"write","args":[7],"result":7,"call":1,"return":2}\n{"process":"A","method":"read","args":[],"call":3,"return":4}',
  );
  expect([...transported(history.select((k) => k === 1))][0].outcome).toEqual({
    kind: 'returned',
    value: null,
  });
});

test('values of all kinds arrive', () => {
  const builder = new HistoryBuilder();
  const args = [
    undefined,
    null,
    Number.NaN,
    5n,
    2n ** 70n,
    new Map([[1, new Set(['x'])]]),
    new Date(0),
    '</script>',
  ];
  builder.operation({
    process: 'A',
    method: 'm',
    args,
    outcome: { kind: 'returned', value: args },
    call: 0,
    return: 1,
  });
  expect([...transported(builder.finish())][0].args).toEqual(args);
});

test('a value that JSON does not have becomes its text; different values stay different', () => {
  class Point {
    readonly x = 1;
  }
  const builder = new HistoryBuilder();
  const args = [() => 1, new Point(), { x: 1 }];
  builder.operation({ process: 'A', method: 'm', args, outcome: { kind: 'failed' }, call: 0, return: 1 });
  const [{ args: arrived }] = [...transported(builder.finish())];
  expect(arrived[0]).toBe('function without a name');
  expect(new Set(arrived.map((value) => JSON.stringify(value))).size).toBe(3);
});
