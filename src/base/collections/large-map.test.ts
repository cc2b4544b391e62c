import { expect, test } from 'vitest';
import { LargeMap } from './large-map.js';

test('a map goes on where one Map is full', () => {
  const map = new LargeMap<string, number>(4);
  for (let i = 0; i < 11; i++) {
    expect([map.size, map.get(`k${i}`)]).toEqual([i, undefined]);
    map.add(`k${i}`, i);
  }
  expect(Array.from({ length: 12 }, (_, i) => map.get(`k${i}`))).toEqual([
    ...Array.from({ length: 11 }, (_, i) => i),
    undefined,
  ]);
});
