import { expect, test } from 'vitest';
import { call, program } from '../../../test/support/fixtures/calls.js';
import { Execution } from '../execution.js';
import { AtomicRef } from '../primitives/atomic-ref.js';
import { access, NOTHING } from './access.js';
import type { Memory } from './memory.js';

type Refs = readonly AtomicRef<number>[];
const refs = (): Refs => [new AtomicRef(0), new AtomicRef(0)];

/** A loop until one of the first `count` variables is not 0. */
const awaits = (count: number) =>
  call<Refs>('awaits', function* (variables, memory) {
    const mark = memory.mark();
    for (;;) {
      for (const ref of variables.slice(0, count)) {
        yield ref.read;
        if (ref.get() !== 0) return 'seen';
      }
      memory.again(mark, 1);
    }
  });
const sets = (variable: number) =>
  call<Refs>('sets', function* (variables) {
    yield variables[variable].write;
    variables[variable].set(1);
  });

/** Takes steps of the given threads. Returns the set of enabled threads, as bits. */
function after(execution: Execution, threads: readonly number[]): number {
  execution.reset();
  for (const thread of threads) execution.step(thread);
  return execution.enabled();
}

test('a loop that changes nothing is not scheduled until a location that it read has changed', () => {
  const execution = new Execution(program(refs, [[awaits(1)], [sets(0)]]));
  expect(after(execution, [0])).toBe(0b11);
  expect(after(execution, [0, 0])).toBe(0b10);
  expect(after(execution, [0, 0, 1])).toBe(0b01);
  execution.step(0);
  expect(execution.pending()).toBe(0);
});

test('a change of another location does not enable the loop', () => {
  const execution = new Execution(program(refs, [[awaits(1)], [sets(1)]]));
  expect(after(execution, [0, 0, 1])).toBe(0);
  expect(execution.pending()).toBe(0b01);
});

test('a change between the read and the back edge enables the loop', () => {
  const execution = new Execution(program(refs, [[awaits(2)], [sets(0)]]));
  // in the second iteration, thread 1 changes the first variable between the two reads
  expect(after(execution, [0, 0, 0, 1, 0])).toBe(0b01);
});

test('a loop does not spin if an iteration changes a local, a shared location or a private object', () => {
  const loop = (iterate: (variables: Refs, memory: Memory, i: number) => unknown, isShared = false) =>
    call<Refs>('loops', function* (variables, memory) {
      const mark = memory.mark();
      for (let i = 0; ; i++) {
        yield variables[0].read;
        variables[0].get();
        if (isShared) {
          yield variables[1].write;
          variables[1].set(i);
        }
        memory.again(mark, 1, iterate(variables, memory, i));
      }
    });
  const enabledAfter = (one: ReturnType<typeof loop>) =>
    after(new Execution(program(refs, [[one]])), [0, 0, 0, 0, 0, 0]);
  expect(enabledAfter(loop(() => 'the same'))).toBe(0);
  expect(enabledAfter(loop((_, __, i) => i))).toBe(1);
  expect(enabledAfter(loop((_, memory) => memory.touch()))).toBe(1);
  expect(enabledAfter(loop(() => 'the same', true))).toBe(1);
});

test('an outer loop spins if it only reads, and does not if it writes', () => {
  const nested = (writes: boolean) =>
    call<Refs>('nested', function* (variables, memory) {
      const outer = memory.mark();
      for (;;) {
        if (writes) {
          yield variables[1].write;
          variables[1].set(1);
        }
        const inner = memory.mark();
        for (let i = 0; i < 2; i++) {
          yield variables[0].read;
          variables[0].get();
          memory.again(inner, 2, i);
        }
        memory.again(outer, 1);
      }
    });
  const steps = new Array(12).fill(0);
  expect(after(new Execution(program(refs, [[nested(true)]])), steps)).toBe(1);
  expect(after(new Execution(program(refs, [[nested(false)]])), steps.slice(0, 4))).toBe(0);
});

test('a loop without a shared read is blocked forever', () => {
  const idles = call<Refs>('idles', function* (_, memory) {
    const mark = memory.mark();
    for (;;) {
      yield access(NOTHING, 0);
      memory.again(mark, 1);
    }
  });
  expect(after(new Execution(program(refs, [[idles]])), [0, 0])).toBe(0);
});
