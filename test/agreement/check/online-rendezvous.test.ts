/**
 * The online monitor of calls that synchronise in pairs, against the rendezvous oracle.
 *
 * It is exact at every event: it reports a violation at the first event up to which the oracle finds no rendezvous.
 * `AGREE=all` checks 20,000 histories of each object.
 */
import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/base/random.js';
import { show } from '../../../src/base/values/show.js';
import { OnlineMonitor } from '../../../src/check/online/monitor.js';
import type { OnlineViolation } from '../../../src/check/stream/monitor.js';
import { HistoryBuilder } from '../../../src/history/builder/builder.js';
import { draw } from '../../../src/history/drawing/sketch.js';
import type { History } from '../../../src/history/history.js';
import { EventError, type HistoryEvent, type Outcome } from '../../../src/history/model/operation.js';

import { barrier } from '../../../src/objects/rendezvous/barrier.js';
import { channel, exchanger, timeoutExchanger } from '../../../src/objects/rendezvous/channel.js';
import type { SyncSpec } from '../../../src/spec/rendezvous/sync-spec.js';
import { exoticRendezvous, rendezvousSubjects } from '../../support/fixtures/rendezvous-subjects.js';
import { randomRendezvous } from '../../support/generators/random-rendezvous.js';
import { truthOf } from '../../support/oracles/rendezvous-oracle.js';
import { share } from '../../support/share.js';

const RUNS = share(20_000, 40);
const subjects = [
  ...rendezvousSubjects.filter(({ spec }) => spec.pairs),
  // one value only, so all calls of a method are interchangeable
  { spec: exchanger() as SyncSpec, calls: { exchange: [[1]] } },
  { spec: channel() as SyncSpec, calls: { send: [[1]], receive: [[]] } },
  { spec: timeoutExchanger() as SyncSpec, calls: { exchange: [[1], [null]] } },
  ...exoticRendezvous,
];

/** The events of a history; some pending calls end as `unknown` or `failed`. */
function eventsOf(history: History, random: Random): HistoryEvent[] {
  const events: HistoryEvent[] = [];
  const pending: number[] = [];
  for (const event of history.columns.events) {
    const id = event >= 0 ? event : ~event;
    const { process, method, args, outcome } = history.at(id);
    if (event >= 0) {
      events.push({ type: 'call', process, method, args, id });
      if (outcome.kind === 'pending') pending.push(id);
    } else events.push({ ...endOf(outcome), process, id });
    if (pending.length > 0 && random.below(4) === 0) {
      const ended = pending.splice(random.below(pending.length), 1)[0];
      const type = random.below(2) === 0 ? 'unknown' : 'failed';
      events.push({ type, process: history.at(ended).process, id: ended });
    }
  }
  return events;
}

const endOf = (outcome: Outcome) =>
  outcome.kind === 'threw'
    ? ({ type: 'throw', threw: outcome.error } as const)
    : ({ type: 'return', result: outcome.kind === 'returned' ? outcome.value : undefined } as const);

/** The history of the first `length` events. */
function prefixOf(events: readonly HistoryEvent[], length: number, fromFile: boolean): History {
  const builder = new HistoryBuilder({ fromFile });
  const entries = new Map<unknown, number>();
  for (const event of events.slice(0, length)) {
    if (event.type === 'call') {
      const { process, method, args, id } = event;
      entries.set(id, builder.call({ process, method, args }));
    } else if (event.type === 'failed') builder.end(entries.get(event.id) as number, { kind: 'failed' });
    else if (event.type === 'return')
      builder.end(entries.get(event.id) as number, { kind: 'returned', value: event.result });
  }
  return builder.finish();
}

function firstViolation(
  monitor: OnlineMonitor,
  events: readonly HistoryEvent[],
): OnlineViolation | undefined {
  for (const event of events) {
    const violation = monitor.push(event);
    if (violation) return violation;
  }
  return undefined;
}

describe.each(subjects.map(({ spec, calls }) => [`${spec.name} of ${show(calls)}`, spec, calls] as const))(
  'runs of %s',
  (_, spec, calls) => {
    test('have their violation at the first event up to which no rendezvous exist', () => {
      const random = new Random(8);
      let violations = 0;
      for (let run = 0; run < RUNS; run++) {
        const history = randomRendezvous({ spec, calls }, random, 7);
        const { undefinedIsNull } = history.tables;
        const events = eventsOf(history, random);
        const monitor = new OnlineMonitor(spec, { undefinedIsNull });
        const violation = firstViolation(monitor, events);
        const event = violation?.event ?? events.length + 1;
        const before = prefixOf(events, event - 1, undefinedIsNull);
        const isSafe = (own: History) => truthOf(own, spec).safety;
        if (!isSafe(before)) throw new Error(`violation before event ${event}:\n${draw(before)}`);
        if (!violation) continue;
        violations++;
        const until = prefixOf(events, event, undefinedIsNull);
        if (isSafe(until)) throw new Error(`no violation at event ${event}:\n${draw(until)}`);
        expect(violation.contradicting).toContain(violation.fault);
      }
      expect(violations).toBeGreaterThan(RUNS / 20);
      expect(violations).toBeLessThan(RUNS);
    });
  },
);

test('completed rendezvous are forgotten while another call stays pending', () => {
  const monitor = new OnlineMonitor(channel<number>());
  monitor.push({ type: 'call', process: 'waits', method: 'receive' });
  for (let n = 0; n < 2_000; n++) {
    monitor.push({ type: 'call', process: 'A', method: 'send', args: [n % 3] });
    monitor.push({ type: 'call', process: 'B', method: 'receive' });
    monitor.push({ type: 'return', process: 'A' });
    monitor.push({ type: 'return', process: 'B', result: n % 3 });
    expect(monitor.status().held).toBeLessThan(5);
  }
  expect(monitor.status()).toMatchObject({ open: 1, held: 1, verdict: 'linearizable' });
});

test('a call that timed out is kept only for calls that may have synchronised with it', () => {
  const monitor = new OnlineMonitor(timeoutExchanger<number | null>());
  const giveUp = (n: number) => {
    monitor.push({ type: 'call', process: 'A', method: 'exchange', args: [n] });
    return monitor.push({ type: 'return', process: 'A', result: null });
  };
  for (let n = 0; n < 500; n++) expect(giveUp(n)).toBeUndefined();
  expect(monitor.status().held).toBe(0);
  monitor.push({ type: 'call', process: 'B', method: 'exchange', args: [null] });
  for (let n = 0; n < 500; n++) giveUp(n % 2);
  expect(monitor.status().held).toBe(3);
  expect(monitor.push({ type: 'return', process: 'B', result: 1 })).toBeUndefined();
  expect(monitor.push({ type: 'call', process: 'B', method: 'exchange', args: [null] })).toBeUndefined();
  expect(monitor.push({ type: 'return', process: 'B', result: 1 })).toMatchObject({ cause: 'no partner' });
});

test('calls that compete for one partner are reported with the partner', () => {
  const monitor = new OnlineMonitor(channel<number>());
  for (const [process, method, ...args] of [
    ['A', 'send', 1],
    ['B', 'send', 1],
    ['C', 'receive'],
  ] as const)
    monitor.push({ type: 'call', process, method, args });
  expect(monitor.push({ type: 'return', process: 'A' })).toBeUndefined();
  const violation = monitor.push({ type: 'return', process: 'B' });
  expect(violation).toMatchObject({
    event: 5,
    cause: 'too few partners',
    contradicting: [0, 1, 2],
    fault: 1,
  });
});

test('objects whose calls synchronise in pairs are monitored by name, and other rendezvous objects are refused', () => {
  const monitor = new OnlineMonitor((name) => (name === 'gate' ? barrier() : (channel() as SyncSpec)));
  expect(() => monitor.push({ type: 'call', object: 'gate', process: 'A', method: 'sync' })).toThrow(
    /there is no monitor for barrier: .*synchronise in pairs/,
  );
  expect(() => monitor.push({ type: 'call', process: 'A', method: 'sync' })).toThrow(EventError);
  monitor.push({ type: 'call', process: 'A', method: 'send', args: [1] });
  expect(monitor.push({ type: 'return', process: 'A' })).toMatchObject({ event: 2, cause: 'no partner' });
});
