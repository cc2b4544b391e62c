import { describe, expect, test } from 'vitest';
import { call, end } from '../../../test/support/generators/events.js';
import { share } from '../../../test/support/share.js';
import { EventError, type HistoryEvent } from '../../history/model/operation.js';
import { counter } from '../../objects/cells/counter.js';
import { register } from '../../objects/cells/register.js';
import { queue, stack } from '../../objects/collections/container.js';
import { map, txnMap } from '../../objects/collections/map.js';
import { set } from '../../objects/collections/set.js';
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
  const reports = events.map((event) => monitor.push(event));

  test('is reported at the first event that no linearization includes', () => {
    expect(reports.map((violation) => violation?.event)).toEqual([...Array(5).fill(undefined), 6]);
  });
  test('contains the operations that contradict each other', () => {
    const violation = reports[5];
    expect(violation).toMatchObject({ cause: 'overtaken', process: 'B', method: 'dequeue', fault: 2 });
    expect(violation?.shown.length).toBe(3);
    expect(violation?.contradicting).toEqual([0, 1, 2]);
  });
  test('remains after further events', () => {
    expect(monitor.push(call('A', 'enqueue', 3))).toBe(reports[5]);
    expect(monitor.verdict()).toEqual({ kind: 'violation', violation: reports[5] });
    expect(monitor.status()).toMatchObject({ events: 6, operations: 3, verdict: 'violation' });
  });
  test('contains the allowed outcomes', () => {
    const { violation } = watch(anything(stack()), [
      ...done('A', 'push', [1]),
      ...done('A', 'push', [2]),
      ...done('A', 'pop', [], 1),
    ]).verdict() as { violation: unknown };
    expect(violation).toMatchObject({ cause: 'stuck', allowed: [{ kind: 'returned', value: 2 }] });
  });
  test('is reported when an operation fails whose effect was seen', () => {
    const monitor = watch(anything(register()), [call('A', 'write', 1), ...done('B', 'read', [], 1)]);
    expect(monitor.verdict().kind).toBe('linearizable');
    expect(monitor.push({ type: 'failed', process: 'A' })).toMatchObject({ event: 4, cause: 'not current' });
  });
  test('is reported for one object among others', () => {
    const monitor = new OnlineMonitor((object) => anything(object === 'orders' ? queue() : map()));
    const orders = { object: 'orders' };
    expect(monitor.push({ ...call('A', 'put', 'x', 1), object: 'stock' } as HistoryEvent)).toBeUndefined();
    expect(monitor.push({ ...call('B', 'dequeue'), ...orders } as HistoryEvent)).toBeUndefined();
    expect(monitor.push(end('A'))).toBeUndefined();
    expect(monitor.push(end('B', 7))).toMatchObject({ part: 'orders', event: 4 });
  });
});

describe('an invalid event', () => {
  const events: readonly (readonly [HistoryEvent, string])[] = [
    [end('B'), 'the end of a call, but process "B" has no open call'],
    [call('A', 'dequeue'), 'process "A" calls dequeue while its call of enqueue is open'],
    [call('B', 'toString'), 'unknown method "toString"; queue has enqueue, dequeue, peek'],
    [call('B', 'enqueue'), 'enqueue has 0 of 1 arguments'],
    [{ type: 'return', process: 'B', id: 7 }, 'the end of a call, but no open call has id 7'],
    [{ type: 'done', process: 'A' } as unknown as HistoryEvent, '"done" is no type of event'],
    [{ ...end('A'), object: 'x' } as HistoryEvent, 'the call was of no object'],
  ];
  test.each(events)('is an error with a reason and does not change the monitor', (event, message) => {
    const monitor = watch(anything(queue()), [call('A', 'enqueue', 1)]);
    expect(() => monitor.push(event)).toThrow(EventError);
    expect(() => monitor.push(event)).toThrow(message);
    expect(monitor.status()).toMatchObject({ events: 1, open: 1 });
    expect(monitor.push(end('A'))).toBeUndefined();
  });
  test('is a second call with an open id; a process may have several open calls with ids', () => {
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

describe('the memory of a monitor', () => {
  /** The number of values held after each thousand events. */
  function held(spec: Spec, turn: (i: number) => HistoryEvent[]): number[] {
    const monitor = new OnlineMonitor(spec);
    const sizes: number[] = [];
    for (let i = 0, events = 0; events < share(100_000, 20_000); i++)
      for (const event of turn(i)) {
        monitor.push(event);
        if (++events % 1_000 === 0) sizes.push(monitor.status().held);
      }
    expect(monitor.verdict().kind).toBe('linearizable');
    return sizes;
  }
  /** Two overlapping additions, then two overlapping removals. */
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
      'queue with "empty" results',
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
      'set of new keys',
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
  ])('does not grow with the events: small %s', (_, spec, turn, most) => {
    expect(Math.max(...held(spec, turn))).toBeLessThan(most);
  });

  test('stays small if "empty" results depend on a dequeue of unknown outcome', () => {
    // the value may still be returned by another dequeue, which contradicts all "empty" results before
    const begin = [
      ...done('A', 'enqueue', ['lost']),
      call('X', 'dequeue'),
      { type: 'unknown', process: 'X' } as const,
    ];
    const monitor = watch(anything(queue()), begin);
    for (let i = 0; i < 3_000; i++) for (const event of done('B', 'dequeue', [], null)) monitor.push(event);
    expect(monitor.verdict().kind).toBe('linearizable');
    expect(monitor.status().held).toBeLessThan(300);
    const reports = done('B', 'dequeue', [], 'lost').map((event) => monitor.push(event));
    expect(reports[1]).toMatchObject({ cause: 'never empty' });
  });
});

describe('an event that a specialised monitor does not support', () => {
  /** A queue that always has an open operation and several possible states. */
  const busy = (from: number, to: number): HistoryEvent[] =>
    Array.from({ length: to - from }, (_, i) => {
      const [p, q] = (from + i) % 2 === 0 ? ['A', 'B'] : ['B', 'A'];
      return [
        call(p, 'enqueue', from + i),
        ...(from + i > 0 ? [end(q)] : []),
        ...done('C', 'dequeue', [], from + i),
      ];
    }).flat();

  test('is checked with configurations while all events are known', () => {
    const monitor = watch(anything(queue()), [...busy(0, 100), call('D', 'peek')]);
    expect(monitor.verdict().kind).toBe('linearizable');
    expect(monitor.push(end('D', 'nonsense'))).toMatchObject({ cause: 'stuck' });
  });
  test('is checked by another specialised monitor if there is one', () => {
    const copies = [call('D', 'enqueue', 'x'), call('E', 'enqueue', 'x'), call('F', 'dequeue')];
    const monitor = watch(anything(queue()), [...busy(0, 100), ...copies]);
    expect(monitor.verdict().kind).toBe('linearizable');
    expect(monitor.push(end('F', 'y'))).toMatchObject({ cause: 'absent value' });
  });
  test('leaves the part undecided, with a reason, when earlier events are forgotten', () => {
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

  test('join the parts while all events are known', () => {
    const events = [...txn('x'), ...txn('y'), ...txn('x', 'y'), ...read('y', 1)];
    expect(watch(anything(txnMap()), events).verdict().kind).toBe('linearizable');
    expect(watch(anything(txnMap()), [...events, ...read('x', 2)]).verdict().kind).toBe('violation');
  });
  test('leave the object undecided when earlier events are forgotten', () => {
    const events = Array.from({ length: 2_000 }, () => [...txn('x'), ...txn('y')]).flat();
    const monitor = watch(anything(txnMap()), [...events, ...txn('x', 'y')]);
    expect(monitor.verdict()).toMatchObject({ kind: 'undecided', doubts: [{ reason: 'parts tied' }] });
  });
});

describe('a limit', () => {
  const pushes = Array.from({ length: 8 }, (_, i) => call(String(i), 'push', i));
  const { family: _, ...plain } = anything(stack());
  test.each([
    ['configurations', 'any object', { maxConfigurations: 100 }, plain, 11],
    ['memory', 'any object', { maxMemory: 2_000 }, plain, 11],
    ['configurations', 'a stack', { maxConfigurations: 100 }, anything(stack()), 12],
    ['memory', 'a stack', { maxMemory: 2_000 }, anything(stack()), 12],
  ])('on %s for %s makes the verdict undecided, with that reason', (reason, _, options, spec, event) => {
    const monitor = new OnlineMonitor(spec, options);
    const others = [call('P', 'peek'), call('A', 'pop'), end('A', 3), end('1')];
    for (const event of [...pushes, ...others]) monitor.push(event);
    expect(monitor.verdict()).toMatchObject({ kind: 'undecided', doubts: [{ reason, event }] });
    expect(monitor.status()).toMatchObject({ verdict: 'undecided', held: 0 });
  });
});

test('a monitor without a spec is a type error', () => {
  expect(() => new OnlineMonitor(undefined as never)).toThrow(TypeError);
});

describe('special numbers', () => {
  const pushed = (spec: Spec, ...operations: readonly (readonly [method: string, result?: unknown])[]) => {
    const monitor = new OnlineMonitor(spec);
    for (const [method, result] of operations) {
      monitor.push({ type: 'call', process: 'A', method, args: [] });
      monitor.push({ type: 'return', process: 'A', result });
    }
    return monitor.verdict().kind;
  };

  test('NaN can be the result of an empty queue', () => {
    expect(pushed(queue({ empty: Number.NaN }) as Spec, ['dequeue', Number.NaN])).toBe('linearizable');
  });

  test('a counter can exceed the safe integers', () => {
    const begin = counter({ initial: 2 ** 53 - 2 }) as Spec;
    const steps = [['increment'], ['increment'], ['increment']] as const;
    expect(pushed(begin, ...steps, ['read', 2n ** 53n + 1n])).not.toBe('violation');
  });
});
