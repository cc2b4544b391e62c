import { expect, test } from 'vitest';
import { parseHistory } from '../../formats/read-history.js';
import { sketch } from '../../history/drawing/sketch.js';
import { Labels } from './label.js';

const line = (method: string, call: number): string =>
  `{"process":"A","method":"${method}","args":[${call}],"call":${call},"return":${call + 1}}`;
const labelsOf = (methods: readonly string[], rename: ReadonlyMap<string, string>): string[] => {
  const history = parseHistory(methods.map((method, i) => line(method, 2 * i)).join('\n'), { rename });
  return methods.map((_, k) => new Labels(history, '→').operation(k));
};

test('a method that was renamed is shown by its name in the file', () => {
  const rename = new Map([['offer', 'enqueue']]);
  expect(labelsOf(['offer', 'dequeue'], rename)).toEqual(['offer(0)', 'dequeue(2)']);
});

test('one that has several names there is shown by that of the spec', () => {
  const rename = new Map([['offer', 'enqueue']]);
  expect(labelsOf(['offer', 'enqueue'], rename)).toEqual(['enqueue(0)', 'enqueue(2)']);
});

test('a result of undefined is printed if the method returns a value elsewhere, or if the full label is requested', () => {
  const history = sketch`
    A  ├─ put(1) ─┤  ├─ take() → 1 ─┤  ├─ take() ─┤
  `;
  const labels = new Labels(history, '→');
  expect([0, 1, 2].map((k) => labels.operation(k))).toEqual(['put(1)', 'take() → 1', 'take() → undefined']);
  expect(labels.operation(0, true)).toBe('put(1) → undefined');
});
