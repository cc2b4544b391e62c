import { describe, expect, test } from 'vitest';
import { call, program } from '../../../test/support/fixtures/calls.js';
import { access, CHOOSE, LOCK, NOTIFY, READ, WAIT, WRITE } from '../../execution/memory/access.js';
import { AtomicRef } from '../../execution/primitives/atomic-ref.js';
import { Monitor } from '../../execution/primitives/locks.js';
import { draw } from '../../history/drawing/sketch.js';
import { glimpse, traceProgram } from './trace.js';

const increment = call<AtomicRef<number>>('increment', function* (ref, memory) {
  memory.site = 11;
  const old = yield* ref.$get();
  memory.site = 12;
  yield* ref.$set(old + 1);
  return old;
});
const racy = program(() => new AtomicRef(0), [[increment], [increment]]);

test('a trace records thread, access and source position of each step', () => {
  const { steps } = traceProgram(racy, [0, 1, 1, 0]);
  expect(steps.map(({ thread, kind, site }) => [thread, kind, site])).toEqual([
    [0, READ, 11],
    [1, READ, 11],
    [1, WRITE, 12],
    [0, WRITE, 12],
  ]);
  for (const { location } of steps) expect(location).toEqual({ thread: 2, number: 0, field: 0 });
});

test('its history has each call at its first step and each return at its last', () => {
  const history = (schedule: readonly number[]) => draw(traceProgram(racy, schedule).history).trimEnd();
  expect(history([0, 0, 1, 1])).toMatchInlineSnapshot(`
    "A  ├─ increment() → 0 ─┤
    B                       ├─ increment() → 1 ─┤"
  `);
  expect(history([0, 1, 1, 0])).toMatchInlineSnapshot(`
    "A  ├─ increment() → 0 ───┤
    B   ├─ increment() → 0 ─┤"
  `);
});

test('after the end of the schedule the last thread continues, and the trace has the complete schedule', () => {
  const { schedule, followed, isWhole } = traceProgram(racy, [1]);
  expect(schedule).toEqual([1, 1, 0, 0]);
  expect([followed, isWhole]).toEqual([1, true]);
});

test('a program that diverges from the schedule reports the number of steps followed', () => {
  expect(traceProgram(racy, [0, 0, 0, 1, 1])).toMatchObject({ followed: 2, schedule: [0, 0, 1, 1] });
});

test('a run is stopped at the step limit', () => {
  expect(traceProgram(racy, [], 3)).toMatchObject({ isWhole: false, isStuck: false, schedule: [0, 0, 1] });
});

test('choices are part of the schedule, and calls that block forever are pending in the history', () => {
  const waits = call<Monitor>('waits', function* (monitor) {
    yield* monitor.$enter();
    yield* monitor.$wait();
    yield* monitor.$exit();
  });
  const wakes = call<Monitor>('wakes', function* (monitor) {
    yield* monitor.$enter();
    yield* monitor.$notify();
    yield* monitor.$exit();
  });
  const one = program(() => new Monitor(), [[waits], [waits], [wakes]]);
  const second = traceProgram(one, [0, 0, 1, 1, 2, 2, 1]);
  expect(
    second.steps.map(({ kind }) => kind).filter((kind) => [WAIT, NOTIFY, CHOOSE].includes(kind)),
  ).toEqual([WAIT, WAIT, NOTIFY, CHOOSE]);
  expect(second.isStuck).toBe(true);
  expect(second.history.stuck).toBe(true);
  const pending = [...second.history].filter(({ outcome }) => outcome.kind === 'pending');
  expect(pending.map(({ process }) => process)).toEqual(['A']);
});

test('a call that blocks at its first step is in the history', () => {
  const blocks = call('blocks', function* (_, memory) {
    // no thread releases a permit
    yield access(LOCK, memory.location(memory.object()));
  });
  const { history, waiting } = traceProgram(
    program(() => ({}), [[blocks]]),
    [],
  );
  expect([...history].map(({ method, outcome }) => [method, outcome.kind])).toEqual([['blocks', 'pending']]);
  expect(waiting.map(({ thread, kind }) => [thread, kind])).toEqual([[0, LOCK]]);
});

test('a store of what was there already is still a store', () => {
  const stores = call('stores', function* (_, memory) {
    const location = memory.location(memory.object());
    yield access(WRITE, location);
    memory.unchanged(location);
  });
  const { steps } = traceProgram(
    program(() => ({}), [[stores]]),
    [],
  );
  expect(steps.map(({ kind }) => kind)).toEqual([WRITE]);
});

describe('preview-value', () => {
  class Item {
    readonly value: number;
    readonly next: Item | null;
    constructor(value: number, next: Item | null) {
      this.value = value;
      this.next = next;
    }
    toString(): string {
      throw new Error('called');
    }
  }

  test.each([
    [1, '1'],
    ['a\u001b', '"a\\u001b"'],
    [undefined, 'undefined'],
    [[1, [2], null], '[1, […], null]'],
    [[1, 2, 3, 4, 5, 6, 7], '[1, 2, 3, 4, 5, 6, …]'],
    [{ a: 1, b: {} }, '{a: 1, b: {…}}'],
    [new Item(1, new Item(2, null)), 'Item {value: 1, next: {…}}'],
    [new Map([[1, 2]]), 'Map'],
    [Object.create(null), '{}'],
  ])('value %# is shown without calling its methods', (value, text) => {
    expect(glimpse(value)).toBe(text);
  });

  test('a getter is not called', () => {
    const object = {
      get a(): number {
        throw new Error('called');
      },
      b: 1,
    };
    expect(glimpse(object)).toBe('{b: 1}');
  });
});
