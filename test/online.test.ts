/**
 * An online monitor is exact at every event: it tells of a violation at the first one up to which the
 * oracle finds no order. Whoever adds an event adds a condition, so it is enough to ask the oracle about
 * that event and the one before it. `AGREE=all` looks at 200,000 histories of each object and more.
 */
import { describe, expect, test } from 'vitest';
import { type HistoryEvent, OnlineMonitor, type Spec } from '../src/index.js';
import { prefixOf, randomEvents } from './support/events.js';
import { isLinearizable } from './support/oracle.js';
import { Random } from './support/random-history.js';
import { subjects } from './support/subjects.js';

const HISTORIES = process.env.AGREE === 'all' ? 200_000 : 600;

/** Gives whether all of it has an order. */
function expectExact(events: readonly HistoryEvent[], spec: Spec): boolean {
  const monitor = new OnlineMonitor(spec);
  const at = events.findIndex((event) => monitor.push(event) !== undefined);
  const complain = (what: string) =>
    new Error(`${spec.name}: ${what}\n${events.map((event) => JSON.stringify(event)).join('\n')}`);
  const verdict = monitor.verdict();
  if (verdict.kind === 'undecided') throw complain(`undecided, because ${verdict.doubts[0].because}`);
  const good = at < 0 ? events.length : at;
  if (!isLinearizable(prefixOf(events, good), spec)) throw complain(`no violation told by event ${good}`);
  if (at >= 0 && isLinearizable(prefixOf(events, at + 1), spec))
    throw complain(`event ${at + 1} is no violation`);
  return at < 0;
}

describe.each(Object.entries(subjects))('%s', (_, subject) => {
  test('each prefix of random histories gets the answer of the oracle', () => {
    const random = new Random(2027);
    let linearizable = 0;
    for (let i = 0; i < HISTORIES; i++)
      if (expectExact(randomEvents(subject, random, 9), subject.spec)) linearizable++;
    expect(linearizable / HISTORIES).toBeGreaterThan(0.1);
    expect(linearizable / HISTORIES).toBeLessThan(0.95);
  });
});
