import { describe, expect, test } from 'vitest';
import { randomEvents } from '../../../../../test/support/events.js';
import { Random } from '../../../../base/index.js';
import type { HistoryEvent, Outcome, Spec } from '../../../../index.js';
import { stack } from '../../../../objects/index.js';
import { OnlineMonitor } from '../../online-monitor.js';
import type { OnlineViolation } from '../../violation.js';

const call = (process: string, method: string, ...args: unknown[]): HistoryEvent => ({
  type: 'call',
  process,
  method,
  args,
});
const end = (process: string, result?: unknown): HistoryEvent => ({ type: 'return', process, result });
const push = (value: unknown): HistoryEvent[] => [call('A', 'push', value), end('A')];
const pop = (value: unknown): HistoryEvent[] => [call('A', 'pop'), end('A', value)];

function watch(spec: Spec, events: readonly HistoryEvent[]): OnlineMonitor {
  const monitor = new OnlineMonitor(spec);
  for (const event of events) monitor.push(event);
  return monitor;
}

const STACK = stack<unknown>() as unknown as Spec;
const violation = (events: readonly HistoryEvent[], spec = STACK): OnlineViolation | undefined => {
  const verdict = watch(spec, events).verdict();
  return verdict.kind === 'violation' ? verdict.violation : undefined;
};

/** Four processes push and pop; each operation takes effect somewhere in its call. */
function* overlapping(operations: number, seed: number): Generator<HistoryEvent> {
  const random = new Random(seed);
  const inside: number[] = [];
  const running: { process: string; value?: number; done: boolean; result?: number | null }[] = [];
  for (let called = 0; called < operations || running.length > 0; ) {
    const process = String(random.below(4));
    const own = running.find((one) => one.process === process);
    if (!own && called < operations) {
      const isPush = random.below(100) < (inside.length > 12 ? 40 : 55);
      running.push({ process, done: false, ...(isPush && { value: called }) });
      yield isPush ? call(process, 'push', called) : call(process, 'pop');
      called++;
    } else if (own && !own.done) {
      if (own.value === undefined) own.result = inside.pop() ?? null;
      else inside.push(own.value);
      own.done = true;
    } else if (own) {
      running.splice(running.indexOf(own), 1);
      yield end(process, own.result);
    }
  }
}

describe('a long stream', () => {
  const events = [...overlapping(4_000, 5)];
  test('is watched, and what is over is forgotten', () => {
    const monitor = new OnlineMonitor(STACK);
    let most = 0;
    for (const event of events) {
      monitor.push(event);
      most = Math.max(most, monitor.status().held);
    }
    expect(monitor.verdict().kind).toBe('linearizable');
    expect(most).toBeLessThan(3_000);
  });
  test('a value that was popped long ago is absent', () => {
    expect(violation([...events, ...pop(0)])).toMatchObject({ cause: 'absent value', event: 8_002 });
  });
  test('who put it in is shown, and who put in what is above it', () => {
    const deep = Array.from({ length: 1_000 }, () => [...push('above'), ...pop('above')]).flat();
    const told = violation([...push('deep'), ...push('on it'), ...deep, ...pop('deep')]);
    expect(told).toMatchObject({ cause: 'stuck', allowed: [{ kind: 'returned', value: 'on it' }] });
    const shown = told?.contradicting.map((k) => told.shown.at(k).args[0]);
    expect(shown).toEqual(['deep', 'on it', undefined]);
  });
});

describe('steps aside, and all stays exact', () => {
  const before = Array.from({ length: 1_000 }, (_, n) => [...push(n), ...pop(n)]).flat();
  const inside = [...before, ...push('a'), ...push('b')];
  test('for a value that is the answer of an empty stack', () => {
    const events = [...inside, ...push(null), ...pop(null), ...pop('b'), ...pop('a'), ...pop(null)];
    expect(watch(STACK, events).verdict().kind).toBe('linearizable');
    expect(violation([...inside, ...push(null), ...pop(null), ...pop('a')])?.event).toBe(events.length - 4);
  });
  test('for an answer that it does not know', () => {
    const spec = stack<unknown>({ initial: ['c', 'd'] }) as unknown as Spec;
    const events = [...pop('d'), ...before, ...push('e'), call('A', 'push', 'f'), end('A', 'done')];
    expect(violation(events, spec)).toMatchObject({ event: events.length, method: 'push' });
  });
});

test('what would have been allowed is what configurations tell', () => {
  const calls = [
    (n: number) => ['push', n % 5] as const,
    ['pop'] as const,
    ['pop'] as const,
    ['peek'] as const,
  ];
  const { family: _, ...plain } = STACK;
  const values = (own: OnlineViolation): unknown[] =>
    (own.allowed ?? []).map((outcome: Outcome) => outcome.kind === 'returned' && outcome.value).sort();
  const random = new Random(11);
  let compared = 0;
  for (let i = 0; i < 1_000; i++) {
    const events = randomEvents({ spec: STACK, calls }, random, 12);
    const told = violation(events);
    if (!told) continue;
    expect(values(told)).toEqual(values(violation(events, plain) as OnlineViolation));
    compared++;
  }
  expect(compared).toBeGreaterThan(200);
});
