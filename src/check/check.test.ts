import { describe, expect, test } from 'vitest';
import { expectLinearizable, expectViolation } from '../../test/support/oracles/evidence.js';
import { HistoryBuilder } from '../history/builder/builder.js';
import { sketch } from '../history/drawing/sketch.js';
import type { History } from '../history/history.js';
import type { AnyObject, Methods } from '../history/model/operation.js';
import { type Register, register } from '../objects/cells/register.js';
import { type Queue, queue } from '../objects/collections/container.js';
import { map } from '../objects/collections/map.js';
import { type Mutex, mutex, type Semaphore, semaphore } from '../objects/locks/mutex.js';
import { blocked, oneOf, refuse, type Spec, SpecError } from '../spec/spec.js';
import { check } from './check.js';
import type { Counterexample } from './model/verdict.js';

/** A drawn history with explicit `after` edges and, if `stuck`, the mark of a stuck history. */
function historyOf(
  drawing: string,
  {
    after = {},
    stuck = false,
  }: { after?: Readonly<Record<number, readonly number[]>>; stuck?: boolean } = {},
): History<AnyObject> {
  const builder = new HistoryBuilder();
  for (const { call, return: end, ...operation } of sketch(drawing))
    builder.operation({ ...operation, call, return: end === Number.POSITIVE_INFINITY ? undefined : end });
  for (const [later, earlier] of Object.entries(after)) builder.after(Number(later), earlier);
  if (stuck) builder.markStuck();
  return builder.finish();
}

interface Account {
  deposit(amount: number): void;
  withdraw(amount: number): boolean;
  close(): void;
}
const account: Spec<Account, number | 'closed'> = {
  name: 'account',
  initial: 0,
  methods: {
    deposit: (money, amount) => (money === 'closed' ? refuse('it is closed') : [money + amount, undefined]),
    withdraw: (money, amount) =>
      money === 'closed'
        ? refuse('it is closed')
        : amount > money
          ? refuse('balance too low')
          : [money - amount, true],
    close: () => ['closed', undefined],
  },
};

/** Expects that the search finds a violation. */
const expectStuck = <T extends Methods<T>>(history: History<T>, spec: Spec<T>): Counterexample<T> =>
  expectViolation(history, spec, { algorithm: 'search' });

const ids = ({ columns }: Pick<History, 'columns'>): number[] => [...columns.id];

describe('a linearization', () => {
  test('is empty for an empty history', () => {
    expect([...expectLinearizable(sketch<Queue<number>>(''), queue<number>())]).toEqual([]);
  });

  test('respects real time and gives the recorded results', () => {
    const history = sketch<Queue<number>>`
      A  |- enqueue(1) ---------|   |- dequeue() -> 2 -|
      B     |- enqueue(2) -|                             |- dequeue() -> 1 -|
    `;
    expect([...expectLinearizable(history, queue<number>())]).toEqual([1, 0, 2, 3]);
  });

  test('includes a pending operation only if a result needs it', () => {
    const needed = sketch<Queue<number>>`
      A  |- enqueue(1) -?
      B                     |- dequeue() -> 1 -|
    `;
    expect([...expectLinearizable(needed, queue<number>())]).toEqual([0, 1]);
    const unneeded = sketch<Queue<number>>`
      A  |- enqueue(1) -?
      B                     |- dequeue() -> null -|
    `;
    expect([...expectLinearizable(unneeded, queue<number>())]).toEqual([1]);
  });

  test('lets a pending operation take effect long after its call, but not before', () => {
    const late = sketch<Register<number>>`
      A  |- write(1) -?
      B                 |- read() -> null -|  |- read() -> 1 -|
    `;
    expectLinearizable(late, register<number>());
    const early = sketch<Register<number>>`
      A                     |- write(1) -?
      B  |- read() -> 1 -|
    `;
    expectStuck(early, register<number>());
  });

  test('leaves out operations that failed', () => {
    const history = sketch<Queue<number>>`
      A  |- enqueue(1) -x     |- enqueue(2) -|
      B                                         |- dequeue() -> 2 -|
    `;
    expect([...expectLinearizable(history, queue<number>())]).toEqual([1, 2]);
  });
});

describe('a violation', () => {
  test('names the first return that no linearization includes, and its allowed results', () => {
    const history = sketch<Queue<number>>`
      A  |- enqueue(1) -----|
      B    |- enqueue(2) -|   |- dequeue() -> 3 -|
    `;
    const { cause, property, minimal } = expectStuck(history, queue<number>());
    expect(property).toBe('safety');
    expect(minimal).toBe(true);
    expect(cause).toMatchObject({ kind: 'stuck', operation: 2 });
    expect(cause.allowed).toHaveLength(2);
    for (const value of [1, 2]) expect(cause.allowed).toContainEqual({ kind: 'returned', value });
  });

  test('lists each allowed outcome once, even if several linearizations give it', () => {
    const history = sketch<Queue<number>>`
      A  |- enqueue(1) ---------|
      B    |- enqueue(1) -----|
      C      |- enqueue(1) -|     |- dequeue() -> 3 -|
    `;
    expect(expectStuck(history, queue<number>()).cause.allowed).toEqual([{ kind: 'returned', value: 1 }]);
  });

  test('contains the longest linearization and its final state', () => {
    const history = sketch<Queue<number>>`
      A  |- enqueue(1) -|  |- dequeue() -> 1 -|  |- enqueue(2) -|  |- dequeue() -> 1 -|
    `;
    expect(expectStuck(history, queue<number>()).cause).toMatchObject({
      operation: 3,
      longest: [
        {
          order: Int32Array.of(0, 1, 2),
          state: '[2]',
          answers: [{ kind: 'returned', value: 2 }],
          waits: false,
        },
      ],
      allowed: [{ kind: 'returned', value: 2 }],
    });
  });

  test('can be the first operation', () => {
    const history = sketch<Queue<number>>`A  |- dequeue() -> 7 -|  |- enqueue(1) -|`;
    const { core, cause } = expectStuck(history, queue<number>());
    expect(ids(core)).toEqual([0]);
    expect(cause).toMatchObject({
      operation: 0,
      longest: [{ order: Int32Array.of(), state: '[]' }],
      allowed: [{ kind: 'returned', value: null }],
    });
  });

  test('has the shortest failing prefix as its core, in which open operations keep their results', () => {
    const history = sketch<Queue<number>>`
      A  |- enqueue(1) -|   |- dequeue() -> 9 -|   |- enqueue(5) -|
      B                       |- enqueue(2) -------------------------------|
      C  |- peek() -> null -------------------------------------------|
    `;
    // without a family, no values are left out
    const { family: _, ...plain } = queue<number>();
    const { core, cuts, cause } = expectStuck(history, plain);
    expect(cuts).toEqual(['prefix', 'reads']);
    expect(ids(core)).toEqual([0, 2, 3]);
    expect(cause).toMatchObject({ operation: 2, allowed: [{ kind: 'returned', value: 1 }] });
    expect(core.at(2)).toMatchObject({ outcome: { kind: 'returned' }, return: Number.POSITIVE_INFINITY });
  });

  test('is the earliest faulty return, even if its operation was called last', () => {
    const history = sketch<Register<number>>`
      A  |- write(1) ------------------------------|
      B      |- read() -> 1 -|
      C                         |- read() -> null -|
    `;
    expect(expectStuck(history, register<number>()).cause).toMatchObject({
      operation: 2,
      allowed: [{ kind: 'returned', value: 1 }],
    });
  });

  test('lists an error as allowed if the spec requires one', () => {
    const history = sketch<Mutex>`A  |- unlock() -|`;
    expect(expectStuck(history, mutex()).cause).toMatchObject({
      operation: 0,
      allowed: [{ kind: 'threw', error: 'NotLocked' }],
    });
  });

  test('allows no outcome where the call must block', () => {
    const history = sketch<Mutex>`
      A  |- lock() -|
      B                |- lock() -|
    `;
    expect(expectStuck(history, mutex()).cause).toMatchObject({
      operation: 1,
      allowed: [],
      refused: [],
      longest: [{ answers: [], waits: true, refused: [] }],
    });
  });

  test('contains a second linearization if it leads to another state', () => {
    const history = sketch<Queue<number>>`
      A  |- enqueue(1) -----|
      B    |- enqueue(2) -|   |- dequeue() -> 3 -|
    `;
    const { cause } = expectStuck(history, queue<number>());
    if (cause.kind !== 'stuck') throw new Error(cause.kind);
    expect(
      cause.longest.map(({ order, state, answers }) => [[...order], state, answers] as const).sort(),
    ).toEqual([
      [[0, 1], '[1, 2]', [{ kind: 'returned', value: 1 }]],
      [[1, 0], '[2, 1]', [{ kind: 'returned', value: 2 }]],
    ]);
  });

  test('lists why the spec refuses a call, in the final states of all linearizations', () => {
    const history = sketch<Account>`
      A  |- deposit(1) -|   |- withdraw(5) -> true -|
      B  |- close() -?
    `;
    const { cause } = expectStuck(history, account);
    expect(cause).toMatchObject({ operation: 2, allowed: [] });
    expect([...cause.refused].sort()).toEqual(['balance too low', 'it is closed']);
  });

  test('can be a call that the spec refuses with every outcome', () => {
    const history = sketch<Account>`A  |- withdraw(5) ! Overdrawn -|`;
    expect(expectStuck(history, account).cause).toMatchObject({
      allowed: [],
      refused: ['balance too low'],
    });
  });

  test('is not reported for a refused call that is pending: it took no effect', () => {
    const history = sketch<Account>`
      A  |- withdraw(5) -?
      B                      |- deposit(1) -|
    `;
    expect([...expectLinearizable(history, account)]).toEqual([1]);
  });

  test('in a part of an object has the operation ids of the whole history', () => {
    const history = historyOf(`
      A  |- stock.put("a", 1) -|   |- stock.get("b") -> 2 -|  |- orders.enqueue(1) -|
      B  |- orders.enqueue(2) -|   |- stock.get("a") -> 5 -|
    `);
    const specOf = (object: string | undefined): Spec => (object === 'orders' ? queue() : map()) as Spec;
    const verdict = check(history, specOf, { algorithm: 'search' });
    if (verdict.kind !== 'violation') throw new Error(verdict.kind);
    const { part, core, cuts, cause } = verdict.counterexample;
    expect(part).toBe('stock a');
    expect(ids(core)).toEqual([0, 3]);
    expect(cuts).toEqual(['object', 'part', 'prefix']);
    expect(cause).toMatchObject({ operation: 3, allowed: [{ kind: 'returned', value: 1 }] });
  });
});

describe('minimal histories on which incorrect queue algorithms fail', () => {
  test('an empty dequeue between an enqueue and the dequeue of an older item is a violation', () => {
    const history = sketch<Queue<number>>`
      A  |- enqueue(0) -|
      B   |- enqueue(1) --|
      C                  |- dequeue() -> null -|
      D                    |- dequeue() -> 0 -|
    `;
    expect([...history.columns.events]).toEqual([0, 1, ~0, 2, ~1, 3, ~3, ~2]);
    const { core, cause } = expectStuck(history, queue<number>());
    expect(ids(core)).toEqual([0, 1, 2, 3]);
    expect(cause).toMatchObject({ operation: 2 });
  });

  test('pairing each dequeue with the enqueue that returns first misses a linearization', () => {
    const history = sketch<Queue<number>>`
      A  |- dequeue() -> null -|  |- enqueue(0) -|     |- dequeue() -> 0 -|
      B   |- enqueue(0) -|         |- dequeue() -> 0 -----------------------|
      C    |- dequeue() -> null ----|  |- enqueue(0) -|
      D                                 |- dequeue() -> null --------------|
    `;
    expect([...history.columns.events]).toEqual([0, 1, 2, ~1, ~0, 3, 4, ~2, 5, 6, ~3, ~5, 7, ~7, ~6, ~4]);
    expectLinearizable(history, queue<number>());
  });
});

describe('an explicit "after" edge', () => {
  const drawing = `
    A  |- write(1) ---------|   |- read() -> 1 -|
    B     |- write(2) ---------|
  `;

  test('can be the only reason for a violation', () => {
    expectLinearizable(historyOf(drawing), register());
    const { cause } = expectStuck(historyOf(drawing, { after: { 1: [0] } }), register());
    expect(cause).toMatchObject({ operation: 2, allowed: [{ kind: 'returned', value: 2 }] });
  });

  test('is respected by the witness', () => {
    expect([...expectLinearizable(historyOf(drawing, { after: { 0: [1] } }), register())]).toEqual([1, 0, 2]);
  });

  test('forces a pending operation to take effect', () => {
    const pending = `
      A  |- write(1) -?
      B      |- write(2) -|   |- read() -> null -|
    `;
    expectStuck(historyOf(pending, { after: { 1: [0] } }), register());
    const fits = `
      A  |- write(1) -?
      B      |- write(2) -|   |- read() -> 2 -|
    `;
    expect([...expectLinearizable(historyOf(fits, { after: { 1: [0] } }), register())]).toEqual([0, 1, 2]);
  });

  test('delays a read, although reads are linearized eagerly', () => {
    const read = `
      A  |- read() -> null ------|
      B    |- write(1) ------------|
    `;
    expectLinearizable(historyOf(read), register());
    expectStuck(historyOf(read, { after: { 0: [1] } }), register());
  });

  test('joins the parts of its operations', () => {
    const drawing = `
      A  |- put("a", 1) ----------------|  |- get("a") -> null -|
      B    |- put("b", 1) ---------|
    `;
    expect(check(historyOf(drawing, { after: { 1: [0] } }), map()).stats.parts).toBe(1);
    expect(expectStuck(historyOf(drawing, { after: { 1: [0] } }), map()).cause).toMatchObject({
      operation: 2,
    });
  });
});

describe('a stuck history', () => {
  test('is linearizable if every pending lock may block', () => {
    const history = historyOf(
      `
      A  |- lock() -|
      B     |- lock() -?
      C     |- lock() -?
    `,
      { stuck: true },
    );
    const verdict = check(history, mutex() as unknown as Spec);
    expectLinearizable(history, mutex() as unknown as Spec);
    expect(verdict).toMatchObject({
      kind: 'linearizable',
      witness: {
        waits: [
          { operation: 1, order: Int32Array.of(0) },
          { operation: 2, order: Int32Array.of(0) },
        ],
      },
    });
  });

  test('violates progress if a lock is pending although the mutex is free', () => {
    const history = historyOf(
      `
      A  |- lock() -|  |- unlock() -|
      B                  |- lock() -?
    `,
      { stuck: true },
    );
    const { property, cause, core, cuts } = expectStuck(history, mutex() as unknown as Spec);
    expect(property).toBe('progress');
    expect(cause).toEqual({
      kind: 'waits',
      operation: 2,
      allowed: [{ kind: 'returned', value: undefined }],
      refused: [],
    });
    expect(ids(core)).toEqual([0, 1, 2]);
    expect(core.stuck).toBe(true);
    expect(cuts).toEqual([]);
  });

  test('names the pending call that need not block, not the one that must', () => {
    const history = historyOf(
      `
      A  |- acquire(2) -?
      B  |- acquire(1) -?
    `,
      { stuck: true },
    );
    const spec = semaphore({ permits: 1 }) as unknown as Spec<Semaphore & AnyObject>;
    expect(expectStuck(history, spec).cause).toMatchObject({ kind: 'waits', operation: 1 });
  });

  test('with an incorrect result violates safety, which is reported before progress', () => {
    const history = historyOf(
      `
      A  |- lock() -|  |- tryLock() -> true -|
      B                                         |- lock() -?
    `,
      { stuck: true },
    );
    expect(expectStuck(history, mutex() as unknown as Spec).property).toBe('safety');
  });

  test('is checked for safety only if it is not marked as stuck', () => {
    const history = historyOf(`
      A  |- lock() -|  |- unlock() -|
      B                  |- lock() -?
    `);
    expectLinearizable(history, mutex() as unknown as Spec);
  });

  test('violates progress if the spec refuses a pending call', () => {
    const history = historyOf(
      `
      A  |- deposit(1) -|
      B     |- withdraw(5) -?
    `,
      { stuck: true },
    );
    expect(expectStuck(history, account as unknown as Spec)).toMatchObject({
      property: 'progress',
      cause: { kind: 'waits', operation: 1, allowed: [], refused: ['balance too low'] },
    });
  });

  test('is checked part by part', () => {
    const history = historyOf(
      `
      A  |- x.lock() -|
      B     |- x.lock() -?
      C  |- y.lock() -?
    `,
      { stuck: true },
    );
    expect(expectStuck(history, mutex() as unknown as Spec)).toMatchObject({
      part: 'y',
      cause: { kind: 'waits', operation: 1 },
      cuts: ['object'],
    });
  });

  test('has a witness that respects "after" edges, also those of blocked operations', () => {
    const box: Spec = {
      name: 'box',
      initial: null,
      methods: {
        put: (_: number | null, item: number) => [item, undefined],
        take: (item: number | null) => (item === null ? blocked : [null, item]),
      },
    };
    const history = historyOf(
      `
      A  |- put(1) -|
      B     |- take() -?
      C        |- put(2) -|
      D           |- take() -> 2 -|
    `,
      { stuck: true, after: { 2: [1] } },
    );
    expectLinearizable(history, box);
  });
});

describe('several objects', () => {
  test('are checked separately, each against the spec for its name', () => {
    const history = historyOf(`
      A  |- q.enqueue(1) -|     |- r.read() -> 5 -|
      B  |- r.write(5) ----|    |- q.dequeue() -> 1 -|
    `);
    const verdict = check(history, (object) => (object === 'q' ? queue() : register()) as unknown as Spec);
    expect(verdict).toMatchObject({ kind: 'linearizable', stats: { parts: 2, decided: 2 } });
  });

  test('can share one spec, also with an unnamed object', () => {
    const history = historyOf(`
      A  |- x.write(1) -|   |- read() -> null -|
      B                     |- x.read() -> 1 -|
    `);
    expectLinearizable(history, register());
  });
});

test('a method that the spec does not define is an error, also in a failed operation', () => {
  expect(() => check(sketch`A  |- push(1) -|`, queue() as unknown as Spec)).toThrow(
    new SpecError('operation 0: unknown method "push"; spec queue defines enqueue, dequeue, peek'),
  );
  expect(() => check(sketch`A  |- toString() -x`, queue() as unknown as Spec)).toThrow(SpecError);
});

test('two checks of a history give equal verdicts', () => {
  const history = sketch<Queue<number>>`
    A  |- enqueue(1) -----|  |- dequeue() -> 2 -|
    B    |- enqueue(2) -|    |- dequeue() -> 2 -|
  `;
  expect(check(history, queue<number>())).toEqual(check(history, queue<number>()));
});

describe('a stuck history of a nondeterministic spec', () => {
  /** A push opens the gate or leaves it shut; a pass blocks while the gate is shut. */
  const gate: Spec = {
    name: 'gate',
    initial: false,
    methods: {
      push: () => oneOf([true, undefined], [false, undefined]),
      pass: (open: boolean) => (open ? [open, undefined] : blocked),
    },
  };

  test('is linearizable if some choice lets the pending call block', () => {
    expectLinearizable(historyOf('A |- push() -| |- pass() -?', { stuck: true }), gate);
  });

  test('violates progress if no choice does', () => {
    const open: Spec = { ...gate, methods: { ...gate.methods, push: () => [true, undefined] } };
    expect(expectStuck(historyOf('A |- push() -| |- pass() -?', { stuck: true }), open).property).toBe(
      'progress',
    );
  });
});

test('a prefix omits operations that are "after" an operation beyond the prefix, through chains of edges', () => {
  const drawing = `
    A |- write(1) -|  |- read() -> 9 -|
    B |------------- write(2) ----------------------|
    C |------------- write(3) ----------------------|
    D                                    |- write(4) -|`;
  const history = historyOf(drawing, { after: { 1: [2], 2: [4] } });
  const { core } = expectStuck(history, register() as Spec);
  expect(Array.from(core.columns.id)).toEqual([0, 3]);
});

test('"after" edges stay transitive when an operation is left out', () => {
  // the read is after a blocked call, which is after the write
  const drawing = `
    A |------ write(1) ------|
    B |------ read() -> null ------|
    C |- write(2) -?`;
  const waiting: Spec = {
    name: 'waiting register',
    initial: null,
    methods: {
      write: (_state, value) => (value === 2 ? blocked : [value, undefined]),
      read: (state) => [state, state],
    },
  };
  const verdict = check(historyOf(drawing, { after: { 1: [2], 2: [0] }, stuck: true }), waiting);
  expect(verdict.kind).toBe('violation');
  const cut = historyOf(drawing, { after: { 1: [2], 2: [0] } }).select((k) => k !== 2);
  expect(Array.from(cut.columns.after?.items ?? [])).toEqual([0]);
});
