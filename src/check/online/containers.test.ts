/** Stream monitors of stacks, priority queues, and queues with duplicates: memory, reported violations, and fallbacks. */
import { describe, expect, test } from 'vitest';
import { call, end, randomEvents } from '../../../test/support/generators/events.js';
import { share } from '../../../test/support/share.js';
import { Random } from '../../base/random.js';
import type { HistoryEvent } from '../../history/model/operation.js';
import { queue, stack } from '../../objects/collections/container.js';
import { priorityQueue } from '../../objects/collections/priority-queue.js';
import type { Spec } from '../../spec/spec.js';
import type { OnlineViolation } from '../stream/monitor.js';
import { OnlineMonitor } from './monitor.js';

function watch(spec: Spec, events: readonly HistoryEvent[]): OnlineMonitor {
  const monitor = new OnlineMonitor(spec);
  for (const event of events) monitor.push(event);
  return monitor;
}

function violation(spec: Spec, events: readonly HistoryEvent[]): OnlineViolation | undefined {
  const verdict = watch(spec, events).verdict();
  return verdict.kind === 'violation' ? verdict.violation : undefined;
}

const STACK = stack<unknown>() as unknown as Spec;
const QUEUE = queue<unknown>() as unknown as Spec;

const CONTAINERS = [
  { spec: STACK, add: 'push', remove: 'pop', take: (inside: unknown[]) => inside.pop(), values: 10_000 },
  { spec: STACK, add: 'push', remove: 'pop', take: (inside: unknown[]) => inside.pop(), values: 3 },
  { spec: QUEUE, add: 'enqueue', remove: 'dequeue', take: (inside: unknown[]) => inside.shift(), values: 3 },
  { spec: QUEUE, add: 'enqueue', remove: 'dequeue', take: (inside: unknown[]) => inside.shift(), values: 40 },
] as const;

interface Running {
  readonly process: string;
  readonly value: number | undefined;
  isDone: boolean;
  result?: unknown;
}

/** Four processes that are always busy; each operation takes effect at some moment of its call. */
function* busy({ add, remove, take, values }: (typeof CONTAINERS)[number]): Generator<HistoryEvent> {
  const random = new Random(5);
  const inside: unknown[] = [];
  const running = new Map<string, Running>();
  for (let called = 0; called < 4_000 || running.size > 0; ) {
    const process = String(random.below(4));
    const own = running.get(process);
    if (!own && called < 4_000) {
      const value = random.below(100) < (inside.length > 12 ? 40 : 55) ? called++ % values : undefined;
      running.set(process, { process, value, isDone: false });
      if (value === undefined) called++;
      yield value === undefined ? call(process, remove) : call(process, add, value);
    } else if (own && !own.isDone) {
      if (own.value === undefined) own.result = take(inside) ?? null;
      else inside.push(own.value);
      own.isDone = true;
    } else if (own) {
      running.delete(process);
      yield end(process, own.result);
    }
  }
}

describe.each(CONTAINERS)('a $spec.name of $values values', (container) => {
  const { spec, remove } = container;
  const events = [...busy(container)];

  test('is monitored indefinitely, because completed operations are forgotten', () => {
    const monitor = new OnlineMonitor(spec);
    let most = 0;
    for (const event of events) {
      monitor.push(event);
      most = Math.max(most, monitor.status().held);
    }
    expect(monitor.verdict().kind).toBe('linearizable');
    expect(most).toBeLessThan(3_000);
  });

  test('reports a value that was never added as absent', () => {
    const reported = violation(spec, [...events, call('A', remove), end('A', 'nonsense')]);
    expect(reported).toMatchObject({ cause: 'absent value', event: 8_002 });
  });
});

test.each(CONTAINERS)(
  'a $spec.name of $values values reports the same allowed outcomes as the generic monitor',
  ({ spec, add, remove }) => {
    const calls = [(n: number) => [add, n % 4] as const, [remove] as const, [remove] as const];
    const { family: _, ...plain } = spec;
    const values = (own: OnlineViolation | undefined): unknown[] =>
      (own?.allowed ?? []).map((outcome) => outcome.kind === 'returned' && outcome.value).sort();
    const random = new Random(11);
    let compared = 0;
    const runs = share(1_000, 120);
    for (let i = 0; i < runs; i++) {
      const events = randomEvents({ spec, calls }, random, 12);
      const reported = violation(spec, events);
      if (!reported) continue;
      expect(values(reported)).toEqual(values(violation(plain, events)));
      compared++;
    }
    expect(compared).toBeGreaterThan(runs / 5);
  },
);

const operation = (method: string, value?: unknown, result?: unknown): HistoryEvent[] => [
  call('A', method, ...(value === undefined ? [] : [value])),
  end('A', result),
];
const argumentsOf = (reported: OnlineViolation | undefined): unknown[] | undefined =>
  reported?.contradicting.map((k) => reported.shown.at(k).args[0]);

describe('a violation after 1,000 pairs', () => {
  test('shows the push of the value, and the push of the value above it', () => {
    const later = Array.from({ length: 1_000 }, () => [
      ...operation('push', 'above'),
      ...operation('pop', undefined, 'above'),
    ]);
    const first = [...operation('push', 'deep'), ...operation('push', 'on it')];
    const reported = violation(STACK, [...first, ...later.flat(), ...operation('pop', undefined, 'deep')]);
    expect(reported).toMatchObject({ cause: 'stuck', allowed: [{ kind: 'returned', value: 'on it' }] });
    expect(argumentsOf(reported)).toEqual(['deep', 'on it', undefined]);
  });
  test('shows the enqueue of the value, and the enqueues of the values before it', () => {
    const first = [...operation('enqueue', 1), ...operation('enqueue', 1)];
    const later = Array.from({ length: 1_000 }, () => [
      ...operation('enqueue', 1),
      ...operation('dequeue', undefined, 1),
    ]);
    const reported = violation(QUEUE, [
      ...first,
      ...later.flat(),
      ...operation('enqueue', 2),
      ...operation('dequeue', undefined, 2),
    ]);
    expect(reported).toMatchObject({ cause: 'stuck', allowed: [{ kind: 'returned', value: 1 }] });
    expect(argumentsOf(reported)).toEqual([1, 1, 2, undefined]);
  });
});

describe('the exact fallback after a monitor declines', () => {
  const before = Array.from({ length: 1_000 }, (_, n) => [
    ...operation('push', n),
    ...operation('pop', undefined, n),
  ]).flat();
  const inside = [...before, ...operation('push', 'a'), ...operation('push', 'b')];
  const pop = (result: unknown): HistoryEvent[] => operation('pop', undefined, result);
  test('handles a value that equals the result of an empty stack', () => {
    const events = [
      ...inside,
      ...operation('push', null),
      ...pop(null),
      ...pop('b'),
      ...pop('a'),
      ...pop(null),
    ];
    expect(watch(STACK, events).verdict().kind).toBe('linearizable');
    expect(violation(STACK, [...inside, ...operation('push', null), ...pop(null), ...pop('a')])?.event).toBe(
      events.length - 4,
    );
  });
  test('handles an unknown result', () => {
    const spec = stack<unknown>({ initial: ['c', 'd'] }) as unknown as Spec;
    const events = [...pop('d'), ...before, ...operation('push', 'e'), ...operation('push', 'f', 'done')];
    expect(violation(spec, events)).toMatchObject({ event: events.length, method: 'push' });
  });
  test('handles a peek into a queue with duplicates', () => {
    const copies = Array.from({ length: 1_000 }, () => [
      ...operation('enqueue', 1),
      ...operation('dequeue', undefined, 1),
    ]).flat();
    const events = [
      ...operation('enqueue', 1),
      ...operation('enqueue', 1),
      ...copies,
      ...operation('enqueue', 2),
    ];
    const good = [...events, ...operation('peek', undefined, 1), ...operation('dequeue', undefined, 1)];
    expect(watch(QUEUE, good).verdict().kind).toBe('linearizable');
    expect(violation(QUEUE, [...events, ...operation('peek', undefined, 2)])?.event).toBe(events.length + 2);
  });
});

test.each(['A', 'B'])('if %s of two enqueues of a value fails, the value is from the other', (fails) => {
  const spec = queue<unknown>({ initial: [1, 1] }) as unknown as Spec;
  const first = [call('C', 'dequeue'), end('C', 1), call('C', 'dequeue'), end('C', 1)];
  const events = [
    ...first,
    call('A', 'enqueue', 7),
    call('B', 'enqueue', 7),
    call('C', 'dequeue'),
    end('C', 7),
  ];
  const failed: HistoryEvent = { type: 'failed', process: fails };
  expect(watch(spec, [...events, failed]).verdict().kind).toBe('linearizable');
});

test('a violation is reported without allowed outcomes if these exceed the limit', () => {
  const monitor = new OnlineMonitor(STACK, { maxConfigurations: 100 });
  for (let i = 0; i < 8; i++) monitor.push(call(String(i), 'push', i));
  monitor.push(call('A', 'pop'));
  const reported = monitor.push(end('A', 'nonsense'));
  expect(reported).toMatchObject({ cause: 'absent value', event: 10 });
  expect(reported?.allowed).toBeUndefined();
});

describe('a stack of overlapping calls', () => {
  test('remembers the latest time at which a value may have been pushed', () => {
    const events = [
      ...[call('A', 'push', 'a'), call('B', 'push', 'x'), end('A'), call('C', 'push', 'y'), call('D', 'pop')],
      ...[end('B'), end('D', 'a'), end('C')],
    ];
    const good = [...events, call('A', 'pop'), end('A', 'x'), call('A', 'pop'), end('A', 'y')];
    expect(watch(STACK, good).verdict().kind).toBe('linearizable');
    // y was not called before a was pushed
    const bad = [...events.slice(0, 3), ...events.slice(3, 4), end('B'), end('C')];
    const pops = [call('A', 'pop'), end('A', 'x'), call('A', 'pop'), end('A', 'a'), call('A', 'pop')];
    expect(violation(STACK, [...bad, ...pops, end('A', 'y')])?.event).toBe(10);
  });
  test('lets an open peek see a value that is below a later one', () => {
    const events = [
      call('P', 'peek'),
      call('X', 'push', 'x'),
      call('A', 'push', 'a'),
      end('A'),
      end('P', 'x'),
    ];
    const good = [...events, end('X'), call('A', 'pop'), end('A', 'a'), call('A', 'pop'), end('A', 'x')];
    expect(watch(STACK, good).verdict().kind).toBe('linearizable');
  });
  test('finds the stack empty at the last moment at which it may have been', () => {
    const events = [
      ...[call('A', 'push', 1), end('A'), call('Q', 'pop'), call('A', 'push', 2), call('E', 'pop')],
      ...[end('A'), end('Q', 1)],
    ];
    expect(watch(STACK, [...events, end('E', null)]).verdict().kind).toBe('linearizable');
    const later = [...events.slice(0, 4), end('A'), call('E', 'pop'), end('Q', 1), end('E', null)];
    expect(violation(STACK, later)?.event).toBe(8);
  });
});

describe('a priority queue of overlapping calls', () => {
  const PRIORITY_QUEUE = priorityQueue() as unknown as Spec;
  const add = (value: number): HistoryEvent[] => [call(`of ${value}`, 'insert', value), end(`of ${value}`)];

  test('knows that a value was there until its removal was called', () => {
    const events = [...add(1), ...add(5), call('P', 'deleteMin'), ...add(2), call('Q', 'deleteMin')];
    expect(violation(PRIORITY_QUEUE, [...events, end('Q', 1), end('P', 5)])?.event).toBe(10);
    expect(watch(PRIORITY_QUEUE, [...events, end('Q', 2), end('P', 1)]).verdict().kind).toBe('linearizable');
  });
  test('keeps an earlier gap that has other values than the later ones', () => {
    const first = [...add(10), call('P', 'deleteMin'), ...[1, 2, 3, 4, 5, 6].flatMap(add)];
    expect(watch(PRIORITY_QUEUE, [...first, end('P', 10)]).verdict().kind).toBe('linearizable');
    const taken = [1, 2, 3].flatMap((value) => [call('Q', 'deleteMin'), end('Q', value)]);
    const others = Array.from({ length: 10 }, (_, i) => add(11 + i)).flat();
    const all = [...first, ...taken, ...others, end('P', 10)];
    expect(watch(PRIORITY_QUEUE, all).verdict().kind).toBe('linearizable');
    const blocked = [...add(0), ...first, call('Q', 'deleteMin'), end('Q', 0), ...[7, 8].flatMap(add)];
    expect(violation(PRIORITY_QUEUE, [...blocked, end('P', 10)])?.event).toBe(blocked.length + 1);
  });
});
