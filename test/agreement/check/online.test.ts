/**
 * The online monitor, against the brute-force oracle.
 *
 * It is exact at every event: it reports a violation at the first event up to which the oracle finds no linearization.
 * Prefixes of a linearizable history are linearizable, so the oracle decides only the prefix that ends with that event
 * and the prefix before it. `AGREE=all` checks 200,000 histories of each object, and fewer long ones.
 */
import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/base/random.js';
import { check } from '../../../src/check/check.js';
import { verifyCause } from '../../../src/check/monitors/registry.js';
import { OnlineMonitor } from '../../../src/check/online/monitor.js';
import { createStreamMonitor } from '../../../src/check/online/object-monitor.js';
import { Declined, type OnlineViolation } from '../../../src/check/stream/monitor.js';
import { OnlineOperation, Steps, Values } from '../../../src/check/stream/steps.js';
import { draw } from '../../../src/history/drawing/sketch.js';
import type { EndEvent, HistoryEvent } from '../../../src/history/model/operation.js';
import { counter, fetchAndAdd } from '../../../src/objects/cells/counter.js';
import { casRegister, register } from '../../../src/objects/cells/register.js';
import { queue, stack } from '../../../src/objects/collections/container.js';
import { map } from '../../../src/objects/collections/map.js';
import { priorityQueue } from '../../../src/objects/collections/priority-queue.js';
import { multiset, set } from '../../../src/objects/collections/set.js';
import { mutex, ownedMutex, semaphore } from '../../../src/objects/locks/mutex.js';
import type { Spec } from '../../../src/spec/spec.js';
import { subjects } from '../../support/fixtures/subjects.js';
import { type EventSubject, outcomeOf, prefixOf, randomEvents } from '../../support/generators/events.js';
import { isLinearizable } from '../../support/oracles/oracle.js';
import { share } from '../../support/share.js';

const HISTORIES = share(200_000, 60);
const LONG_RUNS = share(10_000, 6);
/** Histories that follow 600 forgotten operations. */
const FORGETFUL_RUNS = share(5_000, 50);

/** Subjects that the fast stream monitors support without declining. */
const supported: Readonly<Record<string, EventSubject>> = {
  'queue of values put once': {
    spec: queue() as Spec,
    calls: [(n) => ['enqueue', n], (n) => ['enqueue', n], ['dequeue'], ['dequeue'], ['dequeue']],
  },
  'queue that is mostly empty': {
    spec: queue() as Spec,
    calls: [(n) => ['enqueue', n], ['dequeue'], ['dequeue'], ['dequeue']],
  },
  'queue with items': {
    spec: queue({ initial: [-1, -2], empty: 'none' }) as Spec,
    calls: [(n) => ['enqueue', { n }], ['dequeue'], ['dequeue']],
  },
  'queue with duplicates': {
    spec: queue({ initial: [1, 1, 2] }) as Spec,
    calls: [(n) => ['enqueue', n % 3], (n) => ['enqueue', n % 2], ['dequeue'], ['dequeue'], ['dequeue']],
  },
  'queue of duplicates that is mostly empty': {
    spec: queue({ initial: [1, 1], empty: 'none' }) as Spec,
    calls: [(n) => ['enqueue', { n: n % 2 }], ['dequeue'], ['dequeue'], ['dequeue']],
  },
  'stack of values put once': {
    spec: stack() as Spec,
    calls: [(n) => ['push', n], (n) => ['push', n], ['pop'], ['pop']],
  },
  'stack of values put again': {
    spec: stack({ initial: [1, 2], empty: 'none' }) as Spec,
    calls: [(n) => ['push', n % 3], (n) => ['push', { n: n % 2 }], ['pop'], ['pop'], ['pop']],
  },
  'stack with peeks': {
    spec: stack({ initial: [7] }) as Spec,
    calls: [(n) => ['push', n % 4], ['pop'], ['pop'], ['peek']],
  },
  'priority queue of values put once': {
    spec: priorityQueue() as Spec,
    calls: [
      (n) => ['insert', n, (7 * n) % 11],
      (n) => ['insert', n],
      ['deleteMin'],
      ['deleteMin'],
      ['deleteMin'],
    ],
  },
  'priority queue of few priorities': {
    spec: priorityQueue({ initial: ['b', 'd'], empty: 'none' }) as Spec,
    calls: [
      (n) => ['insert', `v${n}`, 'abcde'[n % 5]],
      (n) => ['insert', { n }, 'edcba'[n % 3]],
      ['deleteMin'],
      ['deleteMin'],
    ],
  },
  'priority queue that is mostly empty': {
    spec: priorityQueue({ initial: [-1] }) as Spec,
    calls: [(n) => ['insert', (5 * n) % 1013], ['deleteMin'], ['deleteMin'], ['deleteMin']],
  },
  'register of values written once': {
    spec: register() as Spec,
    calls: [(n) => ['write', n], ['read'], ['read']],
  },
  'key of a map': {
    spec: map() as Spec,
    calls: [(n) => ['put', 'a', n], ['get', 'a'], ['get', 'a']],
  },
  'key of a set': {
    spec: set() as Spec,
    calls: [
      ['add', 1],
      ['remove', 1],
      ['contains', 1],
    ],
  },
  'key of a set that is in it': {
    spec: set({ initial: [1] }) as Spec,
    calls: [
      ['add', 1],
      ['remove', 1],
      ['contains', 1],
    ],
  },
  mutex: { spec: mutex() as Spec, calls: [['lock'], ['unlock'], ['tryLock']] },
  'counter that goes up': {
    spec: counter({ initial: 2 }) as Spec,
    calls: [['increment'], ['read'], ['read']],
  },
};

/** Subjects for which the fast stream monitors decline sometimes or always. */
const others: Readonly<Record<string, EventSubject>> = {
  'queue of values put again': {
    spec: queue() as Spec,
    calls: [(n) => ['enqueue', n % 3], ['dequeue'], ['dequeue']],
  },
  'queue with peeks': {
    spec: queue({ initial: [7] }) as Spec,
    calls: [(n) => ['enqueue', n], ['dequeue'], ['dequeue'], ['peek']],
  },
  'register of values written again': {
    spec: register({ initial: 0 }) as Spec,
    calls: [(n) => ['write', n % 3], ['read'], ['read']],
  },
  'cas-register': {
    spec: casRegister() as Spec,
    calls: [(n) => ['write', n], ['read'], ['read'], (n) => ['cas', n - 1, -n]],
  },
  'map of two keys': {
    spec: map() as Spec,
    calls: [
      (n) => ['put', n % 2, n],
      (n) => ['put', n % 2, null],
      (n) => ['get', n % 2],
      (n) => ['get', (n + 1) % 2],
      ['remove', 0],
    ],
  },
  'set with inserts': {
    spec: set() as Spec,
    calls: [['add', 1], ['remove', 1], ['contains', 1], ['insert', 1], ['add', 2], ['members']],
  },
  multiset: {
    spec: multiset({ initial: [1] }) as Spec,
    calls: [
      ['add', 1],
      ['add', 1],
      ['remove', 1],
      ['contains', 1],
      ['add', 2],
      ['remove', 2],
    ],
  },
  semaphore: {
    spec: semaphore({ permits: 3 }) as Spec,
    calls: [['acquire'], ['acquire', 2], ['release'], ['release', 2], ['tryAcquire']],
  },
  'counter that goes down': {
    spec: counter() as Spec,
    calls: [['increment'], ['increment'], ['decrement'], ['read'], ['read']],
  },
  'owned-mutex': {
    spec: ownedMutex() as Spec,
    calls: [
      ['lock', 'a'],
      ['lock', 'b'],
      ['unlock', 'a'],
      ['unlock', 'b'],
      ['tryLock', 'b'],
    ],
  },
  'fetch-and-add': { spec: fetchAndAdd() as Spec, calls: [['add', 1], ['add', 2], ['read']] },
  'priority queue of values put again, with peeks': {
    spec: priorityQueue() as Spec,
    calls: [(n) => ['insert', (7 * n) % 10], ['deleteMin'], ['deleteMin'], ['min']],
  },
};

const failure = (spec: Spec, events: readonly HistoryEvent[], what: string): Error =>
  new Error(`${spec.name}: ${what}\n${events.map((event) => JSON.stringify(event)).join('\n')}`);

/** If the violation lists all contradicting operations, they are not linearizable by themselves. */
function expectContradiction(violation: OnlineViolation, events: readonly HistoryEvent[], spec: Spec): void {
  const { cause, shown: all, contradicting } = violation;
  const isComplete = cause === 'replaced' || (cause === 'overtaken' && spec.initial.length === 0);
  if (!isComplete) return;
  const core = all.select((k) => contradicting.includes(k));
  if (isLinearizable(core, spec)) throw failure(spec, events, `no contradiction:\n${draw(core)}`);
}

/** The reported cause is confirmed for all events, and the history is linearizable with each allowed outcome. */
function expectTrueReason(
  { reason, allowed = [] }: OnlineViolation,
  events: readonly HistoryEvent[],
  spec: Spec,
): void {
  if (reason && !verifyCause(prefixOf(events, events.length), spec, reason))
    throw failure(spec, events, `the cause is not confirmed: ${JSON.stringify(reason)}`);
  const { id, process } = events[events.length - 1] as EndEvent;
  for (const outcome of allowed) {
    const end: EndEvent =
      outcome.kind === 'threw'
        ? { type: 'throw', process, id, threw: outcome.error }
        : { type: 'return', process, id, result: outcome.kind === 'returned' ? outcome.value : undefined };
    if (!isLinearizable(prefixOf([...events.slice(0, -1), end], events.length), spec))
      throw failure(spec, events, `not allowed: ${JSON.stringify(outcome)}`);
  }
}

/** Compares the monitor with the oracle; returns whether the whole history is linearizable. */
function expectExact(events: readonly HistoryEvent[], spec: Spec): boolean {
  const monitor = new OnlineMonitor(spec);
  const at = events.findIndex((event) => monitor.push(event) !== undefined);
  const verdict = monitor.verdict();
  if (verdict.kind === 'undecided')
    throw failure(spec, events, `undecided, because ${verdict.doubts[0].reason}`);
  const good = at < 0 ? events.length : at;
  if (!isLinearizable(prefixOf(events, good), spec))
    throw failure(spec, events, `no violation by event ${good}`);
  if (at >= 0 && isLinearizable(prefixOf(events, at + 1), spec))
    throw failure(spec, events, `event ${at + 1} is no violation`);
  if (verdict.kind === 'violation') {
    const { violation } = verdict;
    expect(violation.event).toBe(at + 1);
    expect(violation.contradicting).toContain(violation.fault);
    expectContradiction(violation, events, spec);
    expectTrueReason(violation, events.slice(0, at + 1), spec);
  }
  return at < 0;
}

/** The fast stream monitor does not decline, and stops at the same event as `OnlineMonitor`. */
function expectSupported(events: readonly HistoryEvent[], spec: Spec): void {
  const monitor = new OnlineMonitor(spec);
  const steps = new Steps(spec, new Values(false));
  const args = events[0].type === 'call' ? (events[0].args ?? []) : [];
  const family = createStreamMonitor(steps, args, { configurations: 2 ** 16, bytes: 2 ** 30 });
  const operations = new Map<unknown, OnlineOperation>();
  for (const [i, event] of events.entries()) {
    let found: unknown;
    if (event.type === 'call') {
      const { process, method, args = [], id } = event;
      const operation = new OnlineOperation(undefined, process, method, args, i + 1, undefined);
      operations.set(id, operation);
      found = family?.call(operation);
    } else {
      const operation = operations.get(event.id) as OnlineOperation;
      operation.outcome = outcomeOf(event);
      if (event.type !== 'unknown') operation.return = i + 1;
      found = family?.end(operation, i + 1);
    }
    if (found instanceof Declined) throw failure(spec, events, `the monitor declines at event ${i + 1}`);
    if ((found === undefined) !== (monitor.push(event) === undefined))
      throw failure(spec, events, `the monitor reports ${JSON.stringify(found)} at event ${i + 1}`);
    if (found !== undefined) return;
  }
}

/** As `expectExact`, with `check` as the oracle, for long histories. */
function expectSameAsCheck(events: readonly HistoryEvent[], spec: Spec): boolean {
  const monitor = new OnlineMonitor(spec);
  const at = events.findIndex((event) => monitor.push(event) !== undefined);
  const verdict = monitor.verdict();
  if (verdict.kind === 'undecided')
    throw failure(spec, events, `undecided, because ${verdict.doubts[0].reason}`);
  const good = at < 0 ? events.length : at;
  if (check(prefixOf(events, good), spec).kind !== 'linearizable')
    throw failure(spec, events, `no violation by event ${good}`);
  if (at >= 0 && check(prefixOf(events, at + 1), spec).kind !== 'violation')
    throw failure(spec, events, `event ${at + 1} is no violation`);
  return at < 0;
}

function expectShare(linearizable: number): void {
  expect(linearizable / HISTORIES).toBeGreaterThan(0.1);
  expect(linearizable / HISTORIES).toBeLessThan(0.95);
}

describe.each(Object.entries({ ...subjects, ...others }))('%s', (_, subject) => {
  test('each prefix of random histories gets the verdict of the oracle', () => {
    const random = new Random(2027);
    let linearizable = 0;
    for (let i = 0; i < HISTORIES; i++)
      if (expectExact(randomEvents(subject, random, 9), subject.spec)) linearizable++;
    expectShare(linearizable);
  });
});

describe.each(Object.entries(supported))('%s', (_, subject) => {
  test('each prefix gets the verdict of the oracle, and the fast monitor does not decline', () => {
    const random = new Random(2028);
    let linearizable = 0;
    for (let i = 0; i < HISTORIES; i++) {
      const events = randomEvents(subject, random, 10);
      if (expectExact(events, subject.spec)) linearizable++;
      expectSupported(events, subject.spec);
    }
    expectShare(linearizable);
  });
});

describe.each(Object.entries({ ...others, ...supported }))('%s', (name, subject) => {
  test('long histories, of which much is forgotten, get the verdict of check', () => {
    const random = new Random(2029);
    let linearizable = 0;
    const length = Object.hasOwn(supported, name) ? 300 : 60;
    for (let i = 0; i < LONG_RUNS; i++) {
      const events = randomEvents(subject, random, length, { wrong: [0, 15, 60], lost: [0, 0, 2] });
      if (expectSameAsCheck(events, subject.spec)) linearizable++;
    }
    expect(linearizable).toBeGreaterThan(0);
    expect(linearizable).toBeLessThan(LONG_RUNS);
  });
});

/** Many overlapping calls decide which call took which value, and where a value was put. */
const BUSY_RUNS = share(50_000, 600);
const busy = [
  'stack of values put once',
  'stack with peeks',
  'priority queue of values put once',
  'priority queue of few priorities',
];

/** Exchanges two results that are near each other: often no order gives them, and often an unusual one does. */
function withExchangedResults(events: readonly HistoryEvent[], random: Random): readonly HistoryEvent[] {
  const results = [...events.keys()].filter((i) => 'result' in events[i] && events[i].result !== undefined);
  if (results.length < 2) return events;
  const place = random.below(results.length - 1);
  const [one, other] = [results[place], results[Math.min(results.length - 1, place + 1 + random.below(3))]];
  const exchanged = [...events];
  exchanged[one] = { ...events[one], result: (events[other] as { result: unknown }).result } as HistoryEvent;
  exchanged[other] = {
    ...events[other],
    result: (events[one] as { result: unknown }).result,
  } as HistoryEvent;
  return exchanged;
}

describe.each(busy)('%s, of many overlapping calls', (name) => {
  test('gets the verdict of check at each event', () => {
    const random = new Random(2031);
    let linearizable = 0;
    for (let i = 0; i < BUSY_RUNS; i++) {
      let events: readonly HistoryEvent[] = randomEvents(supported[name], random, 16, {
        wrong: [0],
        lost: [0, 0, 20],
        atOnce: 8,
      });
      for (let exchanges = i % 4; exchanges > 0; exchanges--) events = withExchangedResults(events, random);
      if (expectSameAsCheck(events, supported[name].spec)) linearizable++;
    }
    expect(linearizable / BUSY_RUNS).toBeGreaterThan(0.1);
    expect(linearizable / BUSY_RUNS).toBeLessThan(0.9);
  });
});

/** Sequential operations, more than the monitor remembers. */
const before = (calls: (n: number) => readonly (readonly [string, unknown[], unknown?])[]): HistoryEvent[] =>
  Array.from({ length: 300 }, (_, n) => calls(1000 + n))
    .flat()
    .flatMap(([method, args, result], i): HistoryEvent[] => [
      { type: 'call', process: 'before', id: `before ${i}`, method, args },
      { type: 'return', process: 'before', id: `before ${i}`, result },
    ]);

/** Operations that are forgotten, and the object in the state that they leave. */
const forgotten: Readonly<Record<string, { events: HistoryEvent[]; left: Spec }>> = {
  'queue of values put once': {
    events: before((n) => [
      ['enqueue', [n]],
      ['dequeue', [], n],
    ]),
    left: queue() as Spec,
  },
  'register of values written once': {
    events: before((n) => [
      ['write', [n]],
      ['read', [], n],
    ]),
    left: register({ initial: 1299 }) as Spec,
  },
};

describe.each(Object.entries(forgotten))(
  '%s, after forgotten operations',
  (name, { events: first, left }) => {
    test('the cause of a violation is confirmed by the operations that it names', () => {
      const { spec, calls } = supported[name];
      const random = new Random(2030);
      let [explained, violations] = [0, 0];
      for (let i = 0; i < FORGETFUL_RUNS; i++) {
        const monitor = new OnlineMonitor(spec);
        for (const event of first) expect(monitor.push(event)).toBeUndefined();
        const events = randomEvents({ spec: left, calls }, random, 10);
        const violation = events.map((event) => monitor.push(event)).find((own) => own !== undefined);
        if (!violation) continue;
        violations++;
        if (!violation.reason) continue;
        explained++;
        const { shown: all, contradicting } = violation;
        const core = all.select((k) => contradicting.includes(k) || all.at(k).outcome.kind === 'pending');
        if (!verifyCause(core, spec, violation.reason) || isLinearizable(core, spec))
          throw failure(spec, events, `the cause is not confirmed: ${JSON.stringify(violation.reason)}`);
      }
      expect(explained).toBeGreaterThan(violations / 5);
    });
  },
);
