import { expect, test } from 'vitest';
import { access, LOCK } from './access.js';
import { Memory } from './memory.js';

test('a location has the same name however its thread was scheduled', () => {
  const memory = new Memory(2);
  const namesIn = (order: readonly number[]) => {
    memory.reset();
    const names = new Map<string, number>();
    for (const thread of order) {
      memory.begin(thread);
      const number = [...names.keys()].filter((key) => key.startsWith(`${thread}`)).length;
      names.set(`${thread}.${number}`, memory.location(memory.object(), 7));
    }
    return Object.fromEntries([...names].sort());
  };
  const first = namesIn([0, 0, 1, 1]);
  expect(namesIn([1, 0, 1, 0])).toEqual(first);
  expect(new Set(Object.values(first)).size).toBe(4);
  expect(memory.nameOf(first['1.1'])).toEqual({ thread: 1, number: 1, field: 7 });
});

test('fields of one object are different locations', () => {
  const memory = new Memory(1);
  const object = memory.object();
  expect(memory.location(object, 1)).not.toBe(memory.location(object, 2));
  expect(memory.location(object, 1)).toBe(memory.location(object, 1));
});

test('there is room for many locations, each with its permits', () => {
  const memory = new Memory(1);
  const locations = Array.from({ length: 1_000 }, () => memory.location(memory.object()));
  memory.give(locations[999], 2);
  expect([memory.permits(locations[999]), memory.permits(locations[998])]).toEqual([2, 0]);
  expect(memory.isOpen(0, access(LOCK, locations[999]))).toBe(true);
  expect(memory.isOpen(0, access(LOCK, locations[998]))).toBe(false);
});

test('what a call has seen is kept only while somebody watches', () => {
  const memory = new Memory(1);
  const seen = (isWatching: boolean) => {
    memory.reset();
    memory.keepsObservations = isWatching;
    memory.begin(0);
    memory.observe('a');
    const mark = memory.mark();
    memory.observe('b');
    memory.again(mark, 5, 'local');
    return [...memory.observedBy(0)];
  };
  expect(seen(true)).toEqual(['a', 5, 'local']);
  expect(seen(false)).not.toContain('b');
});
