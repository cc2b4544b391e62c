/** The guide has a page for each kit, which names every guarantee, field and call, with all options and without them. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as kits from '../src/api/kits.js';
import { pageOf } from './support/fixtures/kits.js';

type Kit = kits.Kit;
type Adapter<K> = K extends (adapter: infer A) => Kit ? Required<A> : never;
const f = (): never => {
  throw new Error('a page needs no object');
};
const common = { name: 'own', maxMicrotaskStarts: 0 };
const gives = { tryAcquire: f, abortable: f, timed: f, use: f, cancel: f, fair: true, releaseTwice: true };
const queue = { ...common, create: f, put: f, take: f, tryTake: f, abortable: f, timed: f, close: f };
const bounds = { capacity: 1, fifo: true, drains: true, isEnd: () => false };
const kept = { shares: true, keeps: true, keepsErrors: true };
const delay = { ...common, create: f, call: f, wait: 100, trailing: true, leading: true, promises: true };
const jobs = { ...common, create: f, abortable: f, throws: true };

/** Every field of every adapter; the types see to it that none is left out. */
const FULL: { readonly [K in keyof typeof kits]: Adapter<(typeof kits)[K]> } = {
  mutexKit: { ...common, ...gives, create: f, acquire: f, release: f, isLocked: () => false },
  semaphoreKit: {
    ...common,
    ...gives,
    create: f,
    acquire: f,
    release: f,
    permits: 2,
    weighted: true,
    overtaking: true,
  },
  readWriteLockKit: {
    ...common,
    create: f,
    acquireRead: f,
    releaseRead: f,
    acquireWrite: f,
    releaseWrite: f,
    abortableRead: f,
    abortableWrite: f,
    timedRead: f,
    timedWrite: f,
  },
  poolKit: {
    ...common,
    create: f,
    acquire: f,
    release: f,
    max: 1,
    destroy: f,
    abortable: f,
    timed: f,
    rejects: true,
  },
  queueKit: { ...queue, ...bounds },
  channelKit: { ...queue, ...bounds },
  cacheKit: { ...common, ...kept, create: f, get: f, invalidate: f, set: f, refresh: f, abortable: f },
  memoKit: { ...common, ...kept, create: f, call: f, clear: f },
  onceKit: { ...common, create: f, call: f, retries: true },
  batcherKit: { ...common, create: f, load: f, max: 2 },
  rateLimiterKit: { ...jobs, run: f, limit: 2, interval: 100, concurrency: 2, sliding: true },
  throttleKit: { ...delay, cancel: f, flush: f },
  debounceKit: { ...delay, cancel: f, flush: f },
  barrierKit: { ...common, create: f, wait: f, parties: 2, cyclic: true },
  latchKit: { ...common, create: f, countDown: f, wait: f, count: 2 },
  eventKit: { ...common, create: f, set: f, wait: f, reset: f, autoReset: true },
  conditionKit: {
    ...common,
    create: f,
    acquire: f,
    release: f,
    wait: f,
    notify: f,
    notifyAll: f,
    timed: f,
    waitUntil: f,
  },
  jobQueueKit: { ...jobs, add: f, concurrency: 2, results: true, onIdle: f, pause: f, resume: f },
  circuitBreakerKit: { ...common, create: f, call: f, threshold: 2, reset: 100, probes: 1 },
};
const OVERVIEW = readFileSync(new URL('../docs/guide/kits.md', import.meta.url), 'utf8');

/** The guarantees of a kit, as the reports say them. */
const guaranteesOf = ({ scenarios }: Kit): string[] =>
  scenarios.map(({ name }) => name!.replace(/^own: /, ''));

const MAKERS = new Map(Object.entries(kits) as [string, (adapter: object) => Kit][]);

describe.each(Object.entries(FULL))('%s', (name, adapter) => {
  const make = MAKERS.get(name)!;
  const full = make(adapter);
  const plain = make(
    Object.fromEntries(Object.entries(adapter).filter(([, value]) => value === f || value === 'own')),
  );
  const page = pageOf(full);

  test('its page has every guarantee', () => {
    const listed = (guarantee: string): boolean =>
      page.includes(guarantee.replace(/there are \d/, 'there are _n_'));
    expect([...guaranteesOf(full), ...guaranteesOf(plain)].filter((one) => !listed(one))).toEqual([]);
  });

  test('its page, or the overview, explains every field', () => {
    const text = `${page}${OVERVIEW}`;
    expect(Object.keys(adapter).filter((field) => !text.includes(`\`${field}`))).toEqual([]);
  });

  test('its page explains every call of its tests', () => {
    const calls = [full, plain].flatMap((kit) =>
      kit.tests!.flatMap(({ before, threads, after }) => [before, ...threads, after].flat()),
    );
    const methods = new Set(calls.map(([method]) => String(method)));
    expect([...methods].filter((method) => !page.includes(`\`${method}`))).toEqual([]);
  });

  test('the overview leads to its page', () => {
    expect(OVERVIEW).toContain(`\`${name}\``);
  });
});
