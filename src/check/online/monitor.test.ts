import { describe, expect, test } from 'vitest';
import { call, end } from '../../../test/support/generators/events.js';
import { EventError, type HistoryEvent } from '../../history/model/event.js';
import { counter } from '../../objects/cells/counter.js';
import { register } from '../../objects/cells/register.js';
import { queue, stack } from '../../objects/collections/container.js';
import { map } from '../../objects/collections/map.js';
import { set } from '../../objects/collections/set.js';
import { txnMap } from '../../objects/collections/txn-map.js';
import { semaphore } from '../../objects/locks/mutex.js';
import type { Spec } from '../../spec/spec.js';
import { OnlineMonitor } from './monitor.js';

const done = (
  process: string,
  method: string,
  args: readonly unknown[],
  result?: unknown,
): HistoryEvent[] => [call(process, method, ...args), end(process, result)];
const anything = <S>(spec: S): Spec => spec as unknown as Spec;

function watch(spec: Spec, events: readonly HistoryEvent[]): OnlineMonitor {
  const monitor = new OnlineMonitor(spec);
  for (const event of events) monitor.push(event);
  return monitor;
}

describe('a violation', () => {
  const monitor = new OnlineMonitor(queue<number>());
  const events = [...done('A', 'enqueue', [1]), ...done('A', 'enqueue', [2]), ...done('B', 'dequeue', [], 2)];
  const told = events.map((event) => monitor.push(event));

  test('is told at the first event that no order explains', () => {
    expect(told.map((violation) => violation?.event)).toEqual([...Array(5).fill(undefined), 6]);
  });
  test('tells who contradicts whom', () => {
    const violation = told[5];
    expect(violation).toMatchObject({ cause: 'overtaken', process: 'B', method: 'dequeue', fault: 2 });
    expect(violation?.shown.length).toBe(3);
    expect(violation?.contradicting).toEqual([0, 1, 2]);
  });
  test('stays, whatever comes', () => {
    expect(monitor.push(call('A', 'enqueue', 3))).toBe(told[5]);
    expect(monitor.verdict()).toEqual({ kind: 'violation', violation: told[5] });
    expect(monitor.status()).toMatchObject({ events: 6, operations: 3, verdict: 'violation' });
  });
  test('tells what would have been allowed', () => {
    const { violation } = watch(anything(stack()), [
      ...done('A', 'push', [1]),
      ...done('A', 'push', [2]),
      ...done('A', 'pop', [], 1),
    ]).verdict() as { violation: unknown };
    expect(violation).toMatchObject({ cause: 'stuck', allowed: [{ kind: 'returned', value: 2 }] });
  });
  test('may be that something seen did not happen', () => {
    const monitor = watch(anything(register()), [call('A', 'write', 1), ...done('B', 'read', [], 1)]);
    expect(monitor.verdict().kind).toBe('linearizable');
    expect(monitor.push({ type: 'failed', process: 'A' })).toMatchObject({ event: 4, cause: 'absent value' });
  });
  test('of one object is told though others are fine', () => {
    const monitor = new OnlineMonitor((object) => anything(object === 'orders' ? queue() : map()));
    const orders = { object: 'orders' };
    expect(monitor.push({ ...call('A', 'put', 'x', 1), object: 'stock' } as HistoryEvent)).toBeUndefined();
    expect(monitor.push({ ...call('B', 'dequeue'), ...orders } as HistoryEvent)).toBeUndefined();
    expect(monitor.push(end('A'))).toBeUndefined();
    expect(monitor.push(end('B', 7))).toMatchObject({ part: 'orders', event: 4 });
  });
});

describe('an event that can not follow those before it', () => {
  const events: readonly (readonly [HistoryEvent, string])[] = [
    [end('B'), 'the end of a call, but process "B" has no open call'],
    [call('A', 'dequeue'), 'process "A" calls dequeue while its call of enqueue is open'],
    [call('B', 'toString'), 'unknown method "toString"; queue has enqueue, dequeue, peek'],
    [call('B', 'enqueue'), 'enqueue has 0 of 1 arguments'],
    [{ type: 'return', process: 'B', id: 7 }, 'the end of a call, but no open call has id 7'],
    [{ type: 'done', process: 'A' } as unknown as HistoryEvent, '"done" is no type of event'],
    [{ ...end('A'), object: 'x' } as HistoryEvent, 'the call was of no object'],
  ];
  test.each(events)('is an error that says so, and as if it had not come', (event, message) => {
    const monitor = watch(anything(queue()), [call('A', 'enqueue', 1)]);
    expect(() => monitor.push(event)).toThrow(EventError);
    expect(() => monitor.push(event)).toThrow(message);
    expect(monitor.status()).toMatchObject({ events: 1, open: 1 });
    expect(monitor.push(end('A'))).toBeUndefined();
  });
  test('with ids a process may have several calls open, and each id one', () => {
    const monitor = new OnlineMonitor(queue<number>());
    const open = (id: number): HistoryEvent => ({
      type: 'call',
      process: 'A',
      id,
      method: 'enqueue',
      args: [id],
    });
    monitor.push(open(1));
    monitor.push(open(2));
    expect(() => monitor.push(open(2))).toThrow('id 2 again, while the call that has it is open');
    expect(() => monitor.push(call('A', 'dequeue'))).toThrow(
      'without an id while its calls with ids are open',
    );
    expect(() => monitor.push({ type: 'return', process: 'B', id: 2 })).toThrow(
      'id 2 was called by process "A"',
    );
    monitor.push({ type: 'return', process: 'A', id: 2 });
    monitor.push(open(2));
    expect(monitor.status()).toMatchObject({ events: 4, open: 2 });
  });
});

describe('what a monitor remembers', () => {
  /** How much is held after each thousand of 10^5 events. */
  function held(spec: Spec, turn: (i: number) => HistoryEvent[]): number[] {
    const monitor = new OnlineMonitor(spec);
    const sizes: number[] = [];
    for (let i = 0, events = 0; events < 100_000; i++)
      for (const event of turn(i)) {
        monitor.push(event);
        if (++events % 1_000 === 0) sizes.push(monitor.status().held);
      }
    expect(monitor.verdict().kind).toBe('linearizable');
    return sizes;
  }
  /** Two overlapping puts, then two overlapping takes, with one more process that is in the middle of something. */
  const overlapping = (put: string, take: string, last: boolean) => (i: number) => [
    call('A', put, 2 * i),
    call('B', put, 2 * i + 1),
    end('A'),
    end('B'),
    call('A', take),
    call('B', take),
    end('B', last ? 2 * i + 1 : 2 * i),
    end('A', last ? 2 * i : 2 * i + 1),
  ];
  test.each<readonly [string, Spec, (i: number) => HistoryEvent[], number]>([
    ['queue', anything(queue()), overlapping('enqueue', 'dequeue', false), 40],
    ['stack', anything(stack()), overlapping('push', 'pop', true), 40],
    [
      'queue that is found empty',
      anything(queue()),
      (i) => [
        call('A', 'enqueue', i),
        call('B', 'dequeue'),
        call('C', 'dequeue'),
        end('A'),
        end('B', i),
        end('C', null),
      ],
      40,
    ],
    [
      'set of ever new keys',
      anything(set()),
      (i) => [
        ...done('A', 'add', [i], true),
        ...done('B', 'contains', [i], true),
        ...done('A', 'remove', [i], true),
      ],
      40_000,
    ],
    [
      'map of a hundred keys',
      anything(map()),
      (i) => [call('A', 'put', i % 100, i), call('B', 'get', i % 100), end('A'), end('B', i)],
      6_000,
    ],
    [
      'register',
      anything(register()),
      (i) => [
        call('A', 'write', 2 * i),
        call('B', 'write', 2 * i + 1),
        end('B'),
        end('A'),
        ...done('C', 'read', [], 2 * i),
      ],
      2_100,
    ],
    [
      'semaphore',
      anything(semaphore()),
      () => [...done('A', 'acquire', []), ...done('A', 'release', [])],
      10,
    ],
  ])('of a small %s does not grow with the events', (_, spec, turn, most) => {
    expect(Math.max(...held(spec, turn))).toBeLessThan(most);
  });

  test('stays small among empty answers that hang on a dequeue that was given up', () => {
    // what the one that was given up took may yet turn up, and then all empty answers since were wrong
    const begin = [
      ...done('A', 'enqueue', ['lost']),
      call('X', 'dequeue'),
      { type: 'unknown', process: 'X' } as const,
    ];
    const monitor = watch(anything(queue()), begin);
    for (let i = 0; i < 10_000; i++) for (const event of done('B', 'dequeue', [], null)) monitor.push(event);
    expect(monitor.verdict().kind).toBe('linearizable');
    expect(monitor.status().held).toBeLessThan(300);
    const wrong = done('B', 'dequeue', [], 'lost').map((event) => monitor.push(event));
    expect(wrong[1]).toMatchObject({ cause: 'never empty' });
  });
});

describe('what a fast monitor does not know', () => {
  /** A queue that is never idle, and never in one state only. */
  const busy = (from: number, to: number): HistoryEvent[] =>
    Array.from({ length: to - from }, (_, i) => {
      const [p, q] = (from + i) % 2 === 0 ? ['A', 'B'] : ['B', 'A'];
      return [
        call(p, 'enqueue', from + i),
        ...(from + i > 0 ? [end(q)] : []),
        ...done('C', 'dequeue', [], from + i),
      ];
    }).flat();

  test('is left to configurations, exactly, while the beginning is known', () => {
    const monitor = watch(anything(queue()), [...busy(0, 100), call('D', 'peek')]);
    expect(monitor.verdict().kind).toBe('linearizable');
    expect(monitor.push(end('D', 'nonsense'))).toMatchObject({ cause: 'stuck' });
  });
  test('is left to another that does', () => {
    const copies = [call('D', 'enqueue', 'x'), call('E', 'enqueue', 'x'), call('F', 'dequeue')];
    const monitor = watch(anything(queue()), [...busy(0, 100), ...copies]);
    expect(monitor.verdict().kind).toBe('linearizable');
    expect(monitor.push(end('F', 'y'))).toMatchObject({ cause: 'absent value' });
  });
  test('leaves the part undecided later, and says why', () => {
    const monitor = watch(anything(queue()), [...busy(0, 2_000), call('D', 'peek')]);
    const { events } = monitor.status();
    expect(monitor.verdict()).toEqual({
      kind: 'undecided',
      doubts: [{ part: '', event: events, reason: 'method' }],
    });
    expect(monitor.push(end('D', 'nonsense'))).toBeUndefined();
  });
});

describe('operations of several parts', () => {
  const txn = (...keys: string[]): HistoryEvent[] => {
    const actions = keys.map((key) => ['w', key, 1]);
    return done('A', 'txn', [actions], actions);
  };
  const read = (key: string, value: unknown): HistoryEvent[] =>
    done('A', 'txn', [[['r', key, null]]], [['r', key, value]]);

  test('tie them together, from the beginning on', () => {
    const events = [...txn('x'), ...txn('y'), ...txn('x', 'y'), ...read('y', 1)];
    expect(watch(anything(txnMap()), events).verdict().kind).toBe('linearizable');
    expect(watch(anything(txnMap()), [...events, ...read('x', 2)]).verdict().kind).toBe('violation');
  });
  test('leave the object undecided when the beginning is forgotten', () => {
    const events = Array.from({ length: 2_000 }, () => [...txn('x'), ...txn('y')]).flat();
    const monitor = watch(anything(txnMap()), [...events, ...txn('x', 'y')]);
    expect(monitor.verdict()).toMatchObject({ kind: 'undecided', doubts: [{ reason: 'parts tied' }] });
  });
});

describe('limits', () => {
  const pushes = Array.from({ length: 8 }, (_, i) => call(String(i), 'push', i));
  const { family: _, ...plain } = anything(stack());
  test.each([
    ['configurations', 'any object', { maxConfigurations: 100 }, plain, 10],
    ['memory', 'any object', { maxMemory: 2_000 }, plain, 10],
    ['configurations', 'a stack', { maxConfigurations: 100 }, anything(stack()), 11],
    ['memory', 'a stack', { maxMemory: 2_000 }, anything(stack()), 11],
  ])('too many %s of %s: undecided, and what ran out', (reason, _, options, spec, event) => {
    const monitor = new OnlineMonitor(spec, options);
    for (const event of [...pushes, call('A', 'pop'), end('A', 3), end('1')]) monitor.push(event);
    expect(monitor.verdict()).toMatchObject({ kind: 'undecided', doubts: [{ reason, event }] });
    expect(monitor.status()).toMatchObject({ verdict: 'undecided', held: 0 });
  });
});

test('what takes no spec is misuse', () => {
  expect(() => new OnlineMonitor(undefined as never)).toThrow(TypeError);
});

describe('numbers that are hard to tell', () => {
  const pushed = (spec: Spec, ...operations: readonly (readonly [method: string, result?: unknown])[]) => {
    const monitor = new OnlineMonitor(spec);
    for (const [method, result] of operations) {
      monitor.push({ type: 'call', process: 'A', method, args: [] });
      monitor.push({ type: 'return', process: 'A', result });
    }
    return monitor.verdict().kind;
  };

  test('NaN can be the answer of an empty queue', () => {
    expect(pushed(queue({ empty: Number.NaN }) as Spec, ['dequeue', Number.NaN])).toBe('linearizable');
  });

  test('a counter goes on beyond what numbers hold exactly', () => {
    const begin = counter({ initial: 2 ** 53 - 2 }) as Spec;
    const steps = [['increment'], ['increment'], ['increment']] as const;
    expect(pushed(begin, ...steps, ['read', 2n ** 53n + 1n])).not.toBe('violation');
  });
});
