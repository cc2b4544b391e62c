/** The kits of barriers, latches and events. A class has each fault under a name. */
import { expect, test } from 'vitest';
import { sentencesOf } from '../../test/support/fixtures/kits.js';
import { barrierKit, eventKit, latchKit } from './waiting.js';

type Wake = () => void;
const wakes = (waiting: Wake[]): void => {
  for (const wake of waiting.splice(0)) wake();
};
const tick = (): Promise<void> => Promise.resolve();

class Barrier {
  #arrived = 0;
  #waiting: Wake[] = [];
  readonly #parties: number;
  readonly #fault: string;

  constructor(parties: number, fault = '') {
    this.#parties = parties;
    this.#fault = fault;
  }

  async wait(): Promise<void> {
    const fault = this.#fault;
    if (fault === 'counts after an await') {
      const before = this.#arrived;
      await tick();
      this.#arrived = before + 1;
    } else this.#arrived++;
    if (fault === 'opens too early' ? this.#arrived >= this.#parties - 1 : this.#arrived === this.#parties) {
      if (fault !== 'is not reset') this.#arrived = 0;
      if (fault === 'wakes one call') this.#waiting.shift()?.();
      else if (fault === 'wakes late') setTimeout(() => wakes(this.#waiting), 1);
      else wakes(this.#waiting);
      return;
    }
    if (fault === 'registers after an await') await tick();
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}

/** Another style: one promise for each round. */
class RoundBarrier {
  #left: number;
  readonly #parties: number;
  #round = Promise.resolve();
  #open: Wake = () => {};

  constructor(parties: number) {
    this.#parties = parties;
    this.#left = 0;
  }

  wait(): Promise<void> {
    if (this.#left === 0) {
      this.#left = this.#parties;
      this.#round = new Promise((resolve) => {
        this.#open = resolve;
      });
    }
    this.#left--;
    if (this.#left === 0) this.#open();
    return this.#round;
  }
}

const barrier = (fault?: string, parties?: number) =>
  barrierKit({
    create: (count) => new Barrier(count, fault),
    wait: (own) => own.wait(),
    ...(parties !== undefined && { parties }),
  });

test('correct barriers keep all guarantees', async () => {
  expect(await sentencesOf(barrier())).toBe('');
  expect(
    await sentencesOf(barrierKit({ create: (n) => new RoundBarrier(n), wait: (own) => own.wait() })),
  ).toBe('');
});

test.each([
  ['counts after an await', /pass\(\d\) is blocked forever in wait\(\): client 1 has arrived \d times/],
  ['opens too early', /pass\(\d\) passed the barrier in round \d before client \d had arrived/],
  ['is not reset', /blocked forever/],
  ['wakes one call', /blocked forever/, 3],
  ['wakes late', /passed the barrier|blocked forever/],
  ['registers after an await', /blocked forever/],
] as const)('a barrier that %s', async (fault, says, parties?: number) => {
  expect(await sentencesOf(barrier(fault, parties), says)).toMatch(says);
});

class Latch {
  #count: number;
  #waiting: Wake[] = [];
  readonly #fault: string;

  constructor(count: number, fault = '') {
    this.#count = count;
    this.#fault = fault;
  }

  async countDown(): Promise<void> {
    const fault = this.#fault;
    if (fault === 'counts after an await') {
      const count = this.#count;
      await tick();
      this.#count = count - 1;
    } else this.#count--;
    const isOpen = fault === 'opens too early' ? this.#count <= 1 : this.#count === 0;
    if (isOpen && fault === 'wakes one call') this.#waiting.shift()?.();
    else if (isOpen) wakes(this.#waiting);
  }

  async wait(): Promise<void> {
    const fault = this.#fault;
    if (this.#count <= 0 && fault !== 'forgets that it is open') return;
    if (fault === 'registers after an await') await tick();
    if (fault === 'does not wait') return;
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}

const latch = (fault?: string) =>
  latchKit({
    create: (count) => new Latch(count, fault),
    countDown: (own) => own.countDown(),
    wait: (own) => own.wait(),
  });

test('a correct latch keeps all guarantees', async () => {
  expect(await sentencesOf(latch())).toBe('');
});

test.each([
  ['counts after an await', /wait\(\d\) is blocked forever in wait\(\): countDown\(\) was called 2 times/],
  ['opens too early', /wait\(\d\) passed the latch after 1 of 2 calls of countDown/],
  ['wakes one call', /blocked forever/],
  ['forgets that it is open', /blocked forever/],
  ['registers after an await', /blocked forever/],
  ['does not wait', /passed the latch after \d of 2/],
] as const)('a latch that %s', async (fault, says) => {
  expect(await sentencesOf(latch(fault), says)).toMatch(says);
});

class ManualEvent {
  #isSet = false;
  #waiting: Wake[] = [];
  readonly #fault: string;

  constructor(fault = '') {
    this.#fault = fault;
  }

  async set(): Promise<void> {
    const fault = this.#fault;
    if (fault !== 'is not set while calls wait' || this.#waiting.length === 0) this.#isSet = true;
    if (fault === 'wakes one call') this.#waiting.shift()?.();
    else wakes(this.#waiting);
  }

  async reset(): Promise<void> {
    if (this.#fault === 'resets late') await tick();
    if (this.#fault !== 'is never reset') this.#isSet = false;
    if (this.#fault === 'forgets calls at a reset') this.#waiting = [];
    if (this.#fault === 'resets late')
      setTimeout(() => {
        this.#isSet = true;
      }, 1);
  }

  async wait(): Promise<void> {
    if (this.#isSet) return;
    if (this.#fault === 'registers after an await') await tick();
    if (this.#fault === 'does not wait') return;
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}

const event = (fault?: string) =>
  eventKit({
    create: () => new ManualEvent(fault),
    set: (own) => own.set(),
    reset: (own) => own.reset(),
    wait: (own) => own.wait(),
  });

/** Another style: each set releases one call. */
class AutoEvent {
  #isSet = false;
  readonly #waiting: Wake[] = [];
  readonly #fault: string;

  constructor(fault = '') {
    this.#fault = fault;
  }

  set(): void {
    if (this.#fault === 'releases all calls') wakes(this.#waiting);
    const next = this.#waiting.shift();
    if (next) next();
    const isKept = next === undefined && this.#fault !== 'forgets a set that comes first';
    if (isKept || this.#fault === 'stays set') this.#isSet = true;
  }

  async wait(): Promise<void> {
    if (this.#isSet) {
      if (this.#fault === 'resets after an await') await tick();
      this.#isSet = false;
      return;
    }
    if (this.#fault === 'registers after an await') await tick();
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}

const autoEvent = (fault?: string) =>
  eventKit({
    create: () => new AutoEvent(fault),
    set: (own) => own.set(),
    wait: (own) => own.wait(),
    autoReset: true,
  });

test('correct events keep all guarantees', async () => {
  expect(await sentencesOf(event())).toBe('');
  expect(await sentencesOf(autoEvent())).toBe('');
});

test.each([
  ['is not set while calls wait', /wait\(9\) is blocked forever in wait\(\): set\(\) was called 1 times/],
  ['wakes one call', /blocked forever/],
  ['is never reset', /wait\(\d\) passed though the event was not set/],
  ['resets late', /passed though the event was not set/],
  ['forgets calls at a reset', /blocked forever/],
  ['registers after an await', /blocked forever/],
  ['does not wait', /passed though the event was not set/],
] as const)('an event that %s', async (fault, says) => {
  expect(await sentencesOf(event(fault), says)).toMatch(says);
});

test.each([
  ['releases all calls', /2 calls of wait\(\) passed after 1 calls of set\(\)/],
  ['stays set', /calls of wait\(\) passed after 1 calls of set/],
  ['resets after an await', /calls of wait\(\) passed after 1 calls of set|blocked forever/],
  ['registers after an await', /blocked forever/],
  ['forgets a set that comes first', /blocked forever/],
] as const)('an event that resets itself and %s', async (fault, says) => {
  expect(await sentencesOf(autoEvent(fault), says)).toMatch(says);
});
