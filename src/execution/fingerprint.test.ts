import { expect, test } from 'vitest';
import { call, program } from '../../test/support/fixtures/calls.js';
import { Execution } from './execution.js';
import { Fingerprint } from './fingerprint.js';
import { AtomicRef } from './primitives/atomic-ref.js';
import { Mutex } from './primitives/locks.js';

/** The number of distinct states of the objects. */
function different(...objects: readonly unknown[]): number {
  let next = 0;
  const execution = new Execution(program(() => objects[next++], []));
  const fingerprint = new Fingerprint(execution);
  for (const _ of objects) {
    execution.reset(true);
    fingerprint.numberOf(0);
  }
  return fingerprint.states;
}

test('objects with different contents are distinguished at any depth', () => {
  expect(different({ a: 1 }, { a: 1 })).toBe(1);
  expect(different({ a: 1 }, { a: 2 }, { b: 1 }, { a: '1' }, [1], [1, 1], [[1]], [[1], 1])).toBe(8);
  expect(different(new Map([[1, 2]]), new Map([[1, 3]]), new Set([1]), new Set([1, 2]), new Map())).toBe(5);
  expect(different({ a: { b: [1] } }, { a: { b: [2] } }, { a: { b: [1] } })).toBe(2);
  expect(different(null, undefined, 0, '', false, 0n)).toBe(6);
  expect(different(0, -0, '-0', '-0 ', '0', ['-0'])).toBe(6);
});

test('objects of different classes are different', () => {
  class One {}
  class Two {}
  expect(different(new One(), new Two(), new One(), {})).toBe(3);
});

test('shared references and cycles distinguish states', () => {
  const shared = { value: 1 };
  expect(different([shared, shared], [{ value: 1 }, { value: 1 }])).toBe(2);
  const cyclic: { next?: unknown } = {};
  cyclic.next = cyclic;
  expect(different(cyclic, { next: cyclic })).toBe(2);
});

test('an object with private state defines its contents by contents$', () => {
  let names = 0;
  class Hidden {
    readonly #value: number;
    readonly name = names++;
    constructor(value: number) {
      this.#value = value;
    }
    contents$(visit: (value: unknown) => void): void {
      visit(this.#value);
    }
  }
  expect(different(new Hidden(1), new Hidden(1), new Hidden(2))).toBe(2);
});

test('a function is refused, and the error names the remedy', () => {
  const counts = () => 1;
  expect(() => different({ counts })).toThrow('holds a function (counts)');
  expect(() => different({ counts })).toThrow('contents$');
});

test('the number beside the program is part of the state', () => {
  const execution = new Execution(program(() => ({}), []));
  const fingerprint = new Fingerprint(execution);
  execution.reset(true);
  expect([1, 2, 1].map((beside) => fingerprint.numberOf(beside))).toEqual([0, 1, 0]);
});

/** The number of distinct states after the schedules. */
function statesAfter<O>(
  one: Parameters<typeof program<O>>,
  ...schedules: readonly (readonly number[])[]
): number {
  const execution = new Execution(program(...one));
  const fingerprint = new Fingerprint(execution);
  for (const schedule of schedules) {
    execution.reset(true);
    for (const thread of schedule) execution.step(thread);
    fingerprint.numberOf(0);
  }
  return fingerprint.states;
}

const look = call<AtomicRef<number>>('look', function* (ref) {
  yield* ref.$get();
  yield* ref.$get();
});
const add = call<AtomicRef<number>>('add', function* (ref) {
  yield* ref.$exchange(1);
});

test('a thread that has observed another value is in another state', () => {
  const one = [() => new AtomicRef(0), [[look], [add]]] as const;
  expect(statesAfter([...one], [0, 1], [1, 0])).toBe(2);
});

test('a thread forgets its observations when its call has finished', () => {
  const one = [() => new AtomicRef(0), [[look], [add]]] as const;
  expect(statesAfter([...one], [0, 0, 1], [0, 1, 0], [1, 0, 0])).toBe(1);
});

test('a back edge forgets the observations of the loop, but neither earlier ones nor its locals', () => {
  const loops = (isLocal: boolean) =>
    call<AtomicRef<number>>('loops', function* (ref, memory) {
      yield* ref.$get();
      const mark = memory.mark();
      for (;;) {
        const seen = yield* ref.$get();
        memory.again(mark, 1, isLocal ? seen : 0);
      }
    });
  const one = (isLocal: boolean) => [() => new AtomicRef(0), [[loops(isLocal)], [add]]] as const;
  // one iteration before or after the write of the other thread
  expect(statesAfter([...one(false)], [0, 0, 1], [0, 1, 0])).toBe(1);
  expect(statesAfter([...one(true)], [0, 0, 1], [0, 1, 0])).toBe(2);
  // the read before the loop differs
  expect(statesAfter([...one(false)], [0, 1, 0], [1, 0, 0])).toBe(2);
});

test('the owner of a lock is part of the state, and the thread that allocated an object is not', () => {
  const puts = call<{ slot: unknown }>('puts', function* (one) {
    const made = new AtomicRef('made');
    yield made.write;
    one.slot = made;
  });
  expect(statesAfter([() => ({ slot: null }), [[puts], [puts]]], [0, 1], [1, 0])).toBe(1);
  const locks = call<Mutex>('locks', (mutex) => mutex.$lock());
  expect(statesAfter([() => new Mutex(), [[locks], [locks]]], [0], [1])).toBe(2);
});
