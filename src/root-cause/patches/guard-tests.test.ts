/** A kit's own tests judge a patch: it has to pass all of them. */
import { beforeAll, expect, test } from 'vitest';
import { control } from '../../event-loop/control.js';
import { inOwnTask } from '../../event-loop/own-task.js';
import { exploreSync } from '../../explore/explore.js';
import { Deadline } from '../../explore/model/deadline.js';
import { areEqual } from '../../explore/scenario/test-case.js';
import { cacheKit } from '../../kits/caches.js';
import { explainSync } from '../explain.js';
import { violationTrace } from '../trials.js';
import type { PatchedProgram } from './guard-tests.js';
import { testsFor } from './guard-tests.js';
import { Guards } from './guards.js';

beforeAll(() => control());

/** Concurrent calls of `get` share a load. */
class Cache {
  readonly values = new Map<string, string>();
  readonly pending = new Map<string, Promise<string>>();
  readonly load: (key: string) => Promise<string>;

  constructor(load: (key: string) => Promise<string>) {
    this.load = load;
  }

  async get(key: string): Promise<string> {
    const known = this.values.get(key);
    if (known !== undefined) return known;
    const load = this.pending.get(key) ?? this.load(key);
    this.pending.set(key, load);
    try {
      const value = await load;
      this.keep(key, value, load);
      return value;
    } finally {
      if (this.pending.get(key) === load) this.pending.delete(key);
    }
  }

  keep(key: string, value: string, _load: Promise<string>): void {
    this.values.set(key, value);
  }

  invalidate(key: string): void {
    this.values.delete(key);
  }
}

/** A value that was invalidated is not kept, but later calls still join its load. */
class HalfRight extends Cache {
  changes = 0;

  override async get(key: string): Promise<string> {
    const before = this.changes;
    const value = await super.get(key);
    if (this.changes !== before) this.values.delete(key);
    return value;
  }

  override invalidate(key: string): void {
    this.changes++;
    super.invalidate(key);
  }
}

class Right extends Cache {
  override keep(key: string, value: string, load: Promise<string>): void {
    if (this.pending.get(key) === load) super.keep(key, value, load);
  }

  override invalidate(key: string): void {
    super.invalidate(key);
    this.pending.delete(key);
  }
}

const kitOf = (Subject: typeof Cache) =>
  cacheKit({
    create: (load) => new Subject(load),
    get: (cache: Cache, key) => cache.get(key),
    invalidate: (cache: Cache, key) => cache.invalidate(key),
  });

const programOf = (Subject: typeof Cache): PatchedProgram => ({
  scenario: kitOf(Subject),
  failing: () => kitOf(Subject),
  losesWork: false,
  changesFailures: true,
});

test('a patch that passes the failing test, but not another test of the kit, is rejected', async () => {
  const original = programOf(Cache);
  const kit = original.scenario;
  await inOwnTask(() => {
    const failing = exploreSync(kit).results.at(-1)!.test;
    expect(testsFor(kit, failing, 1, undefined)).toMatchObject({
      choice: 'kit',
      sizes: [{ tests: kit.tests }],
    });
    const guards = new Guards(original, failing, 1, () => false);
    expect(guards.refute(original.scenario)).toMatchObject({ because: 'violation' });
    for (const [Subject, because] of [
      [HalfRight, 'violation'],
      [Right, undefined],
    ] as const) {
      const patched = programOf(Subject);
      expect(guards.refute(patched.scenario)).toBeUndefined();
      const checked = guards.check(patched);
      if (because) expect(checked).toMatchObject({ kind: 'rejected', because });
      else
        expect(checked).toMatchObject({
          kind: 'holds',
          evidence: { sizes: [{ choice: 'kit', tests: kit.tests!.length }] },
        });
    }
  });
});

test('blocks are tried on other tests of the kit, not on made-up ones', async () => {
  const kit = kitOf(Cache);
  await inOwnTask(() => {
    const found = exploreSync(kit).results.at(-1)!;
    const forever = new Deadline(Number.POSITIVE_INFINITY);
    const { tests, repairs } = explainSync(kit, found.test, violationTrace(found), { seed: 1 }, forever);
    for (const { result } of tests) expect(kit.tests!.some((own) => areEqual(own, result.test))).toBe(true);
    for (const { larger } of repairs) expect(larger).toBeLessThan(kit.tests!.length);
  });
});
