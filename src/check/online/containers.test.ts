/** Stacks, and queues whose values come again: streams of any length, what is told of a violation, and who takes over. */
import { describe, expect, test } from 'vitest';
import { call, end, randomEvents } from '../../../test/support/generators/events.js';
import { Random } from '../../base/random.js';
import type { HistoryEvent } from '../../history/model/event.js';
import { queue, stack } from '../../objects/collections/container.js';
import type { Spec } from '../../spec/spec.js';
import type { OnlineViolation } from '../stream/violation.js';
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

/** Four processes that are always busy; each operation takes effect somewhere in its call. */
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

  test('is watched for ever, and what is over is forgotten', () => {
    const monitor = new OnlineMonitor(spec);
    let most = 0;
    for (const event of events) {
      monitor.push(event);
      most = Math.max(most, monitor.status().held);
    }
    expect(monitor.verdict().kind).toBe('linearizable');
    expect(most).toBeLessThan(3_000);
  });

  test('a value that was never put in is absent', () => {
    const told = violation(spec, [...events, call('A', remove), end('A', 'nonsense')]);
    expect(told).toMatchObject({ cause: 'absent value', event: 8_002 });
  });
});

test.each(CONTAINERS)(
  'what a $spec.name of $values values would have been allowed is what configurations tell',
  ({ spec, add, remove }) => {
    const calls = [(n: number) => [add, n % 4] as const, [remove] as const, [remove] as const];
    const { family: _, ...plain } = spec;
    const values = (own: OnlineViolation | undefined): unknown[] =>
      (own?.allowed ?? []).map((outcome) => outcome.kind === 'returned' && outcome.value).sort();
    const random = new Random(11);
    let compared = 0;
    for (let i = 0; i < 1_000; i++) {
      const events = randomEvents({ spec, calls }, random, 12);
      const told = violation(spec, events);
      if (!told) continue;
      expect(values(told)).toEqual(values(violation(plain, events)));
      compared++;
    }
    expect(compared).toBeGreaterThan(200);
  },
);

const does = (method: string, value?: unknown, result?: unknown): HistoryEvent[] => [
  call('A', method, ...(value === undefined ? [] : [value])),
  end('A', result),
];
const argumentsOf = (told: OnlineViolation | undefined): unknown[] | undefined =>
  told?.contradicting.map((k) => told.shown.at(k).args[0]);

describe('a violation long after', () => {
  test('of a stack shows who put it in, and who put in what is above', () => {
    const later = Array.from({ length: 1_000 }, () => [
      ...does('push', 'above'),
      ...does('pop', undefined, 'above'),
    ]);
    const first = [...does('push', 'deep'), ...does('push', 'on it')];
    const told = violation(STACK, [...first, ...later.flat(), ...does('pop', undefined, 'deep')]);
    expect(told).toMatchObject({ cause: 'stuck', allowed: [{ kind: 'returned', value: 'on it' }] });
    expect(argumentsOf(told)).toEqual(['deep', 'on it', undefined]);
  });
  test('of a queue shows who put it in, and who put in what is before', () => {
    const first = [...does('enqueue', 1), ...does('enqueue', 1)];
    const later = Array.from({ length: 1_000 }, () => [
      ...does('enqueue', 1),
      ...does('dequeue', undefined, 1),
    ]);
    const told = violation(QUEUE, [
      ...first,
      ...later.flat(),
      ...does('enqueue', 2),
      ...does('dequeue', undefined, 2),
    ]);
    expect(told).toMatchObject({ cause: 'stuck', allowed: [{ kind: 'returned', value: 1 }] });
    expect(argumentsOf(told)).toEqual([1, 1, 2, undefined]);
  });
});

describe('steps aside, and all stays exact', () => {
  const before = Array.from({ length: 1_000 }, (_, n) => [
    ...does('push', n),
    ...does('pop', undefined, n),
  ]).flat();
  const inside = [...before, ...does('push', 'a'), ...does('push', 'b')];
  const pop = (result: unknown): HistoryEvent[] => does('pop', undefined, result);
  test('for a value that is the answer of an empty stack', () => {
    const events = [...inside, ...does('push', null), ...pop(null), ...pop('b'), ...pop('a'), ...pop(null)];
    expect(watch(STACK, events).verdict().kind).toBe('linearizable');
    expect(violation(STACK, [...inside, ...does('push', null), ...pop(null), ...pop('a')])?.event).toBe(
      events.length - 4,
    );
  });
  test('for an answer that it does not know', () => {
    const spec = stack<unknown>({ initial: ['c', 'd'] }) as unknown as Spec;
    const events = [...pop('d'), ...before, ...does('push', 'e'), ...does('push', 'f', 'done')];
    expect(violation(spec, events)).toMatchObject({ event: events.length, method: 'push' });
  });
  test('for a peek into a queue, when copies have been there', () => {
    const copies = Array.from({ length: 1_000 }, () => [
      ...does('enqueue', 1),
      ...does('dequeue', undefined, 1),
    ]).flat();
    const events = [...does('enqueue', 1), ...does('enqueue', 1), ...copies, ...does('enqueue', 2)];
    const good = [...events, ...does('peek', undefined, 1), ...does('dequeue', undefined, 1)];
    expect(watch(QUEUE, good).verdict().kind).toBe('linearizable');
    expect(violation(QUEUE, [...events, ...does('peek', undefined, 2)])?.event).toBe(events.length + 2);
  });
});

test.each(['A', 'B'])('of two copies that are being put in, %s fails: it was the other', (fails) => {
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

test('a violation is told though what would have been allowed is too much to tell', () => {
  const monitor = new OnlineMonitor(STACK, { maxConfigurations: 100 });
  for (let i = 0; i < 8; i++) monitor.push(call(String(i), 'push', i));
  monitor.push(call('A', 'pop'));
  const told = monitor.push(end('A', 'nonsense'));
  expect(told).toMatchObject({ cause: 'absent value', event: 10 });
  expect(told?.allowed).toBeUndefined();
});
