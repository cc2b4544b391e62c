/** The types of a builder for a typed object. */
import { expectTypeOf, test } from 'vitest';
import type { CallOf } from './builder.js';

interface Queue {
  enqueue(value: number): void;
  dequeue(): number | null;
}

test('a call must name a method of the object, with its arguments', () => {
  expectTypeOf<{ process: string; method: 'enqueue'; args: [number] }>().toExtend<CallOf<Queue>>();
  expectTypeOf<{ process: string; method: 'dequeue' }>().toExtend<CallOf<Queue>>();
  expectTypeOf<{ process: string; method: 'enqueu'; args: [number] }>().not.toExtend<CallOf<Queue>>();
  expectTypeOf<{ process: string; method: 'enqueue'; args: [string] }>().not.toExtend<CallOf<Queue>>();
});

test('an object of unknown shape accepts any call', () => {
  expectTypeOf<{ process: string; method: string; args: unknown[] }>().toExtend<CallOf>();
});
