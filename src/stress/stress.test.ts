/** Asynchronous clients on the real event loop. */
import { expect, test } from 'vitest';
import { scenario } from '../explore/scenario/scenario.js';
import { register } from '../objects/cells/register.js';
import { mutex } from '../objects/locks/mutex.js';
import { channel } from '../objects/rendezvous/channel.js';
import type { SyncSpec } from '../spec/rendezvous/sync-spec.js';
import { blocked } from '../spec/spec.js';
import { stress } from './stress.js';

const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

class Register {
  #value: number | null = null;
  /** What each client saw last, and how often it looks again. */
  #seen: number | null = null;
  #reads = 0;
  readonly #isStale: boolean;
  constructor(isStale: boolean) {
    this.#isStale = isStale;
  }
  async read(): Promise<number | null> {
    await pause();
    if (!this.#isStale || this.#reads++ % 3 === 0) this.#seen = this.#value;
    return this.#seen;
  }
  async write(value: number): Promise<void> {
    await pause();
    this.#value = value;
  }
}

const registers = (isStale: boolean) =>
  scenario({
    create: () => new Register(isStale),
    spec: register<number>(),
    calls: [['read'], { method: 'write', args: (random) => [random.below(100)], weight: 2 }],
    threads: 4,
    callsPerThread: 10,
    rounds: 20,
  });

test('a register that answers from an old copy is found, in the round that shows it', async () => {
  const { verdict, failure, rounds } = await stress(registers(true), { seed: 5 });
  expect(verdict).toBe('violation');
  expect(failure?.round).toBe(rounds - 1);
  expect(failure?.verdict.kind).toBe('violation');
});

test('one that does not holds in all rounds', async () => {
  const { verdict, rounds, operations } = await stress(registers(false));
  expect({ verdict, rounds, operations }).toEqual({ verdict: 'holds', rounds: 20, operations: 20 * 40 });
});

test('a call that is never woken is stuck, and a call that may wait is correct', async () => {
  const lock = (isForgetful: boolean) =>
    scenario({
      create: () => {
        let isHeld = false;
        const waiting: (() => void)[] = [];
        return {
          async lock() {
            if (isHeld) await new Promise<void>((resolve) => waiting.push(resolve));
            isHeld = true;
          },
          async unlock() {
            const next = isForgetful ? undefined : waiting.shift();
            if (next) next();
            else isHeld = false;
          },
        };
      },
      spec: mutex(),
      test: [
        [['lock'], ['unlock']],
        [['lock'], ['unlock']],
      ],
      rounds: 20,
    });
  const options = { settle: 5, stallTimeout: 50 };
  const { failure } = await stress(lock(true), options);
  expect(failure?.verdict).toMatchObject({ counterexample: { property: 'progress' } });
  expect((await stress(lock(false), options)).verdict).toBe('holds');
  const held = scenario({ ...lock(false), test: [[['lock']], [['lock']]] } as never);
  expect((await stress(held, options)).verdict).toBe('holds');
});

test('errors of what is elsewhere may mean anything, and are counted; faults are drawn', async () => {
  let round = -1;
  const given = scenario({
    create: () => ({ read: () => Promise.reject(new RangeError('gone')), write: async () => {} }),
    spec: register<number>(),
    test: [[['write', 1]], [['read']]],
    remote: true,
    rounds: 2,
    faults: async (control) => {
      round = control.round;
      control.annotate('node 2 stopped');
    },
  });
  const { verdict, unknown } = await stress(given);
  expect([verdict, ...unknown]).toEqual(['holds', ['RangeError', 2]]);
  expect(round).toBe(1);
});

test('`setup` runs before the first round and its result after the last, even if a round cannot be run', async () => {
  const calls: string[] = [];
  const given = (create: () => Register) =>
    scenario({
      create: () => {
        calls.push('round');
        return create();
      },
      spec: register<number>(),
      test: [[['read']]],
      rounds: 2,
      setup: async () => {
        calls.push('start');
        return async () => {
          calls.push('stop');
        };
      },
    });
  await stress(given(() => new Register(false)));
  expect(calls.splice(0)).toEqual(['start', 'round', 'round', 'stop']);
  const broken = given(() => {
    throw new Error('no register');
  });
  await expect(stress(broken)).rejects.toThrow('no register');
  expect(calls).toEqual(['start', 'round', 'stop']);
});

test('a scenario without a spec is refused', async () => {
  const { spec: _, ...given } = registers(false);
  await expect(stress({ ...given, spec: undefined })).rejects.toThrow(/^stress needs a `spec`/);
});

/** A channel without a buffer: who comes takes the first who waits on the other side, if that is not lost. */
class Rendezvous {
  readonly #senders: { value: number; go: () => void }[] = [];
  readonly #receivers: ((value: number) => void)[] = [];
  /** Which receiver is forgotten, by number. */
  readonly #lost: number;
  readonly #delay: number;
  constructor(lost = -1, delay = 0) {
    this.#lost = lost;
    this.#delay = delay;
  }
  async send(value: number): Promise<void> {
    if (this.#delay > 0) await new Promise((resolve) => setTimeout(resolve, this.#delay));
    const receiver = this.#receivers.shift();
    if (receiver) receiver(value);
    else await new Promise<void>((go) => this.#senders.push({ value, go }));
  }
  receive(): Promise<number> {
    return new Promise((resolve) => {
      const sender = this.#senders.shift();
      sender?.go();
      if (sender) resolve(sender.value);
      else if (this.#receivers.length !== this.#lost) this.#receivers.push(resolve);
    });
  }
}

const rendezvous = (create: () => Rendezvous, more = {}) =>
  scenario({
    create,
    spec: channel<number>(),
    calls: [['receive'], { method: 'send', args: (random) => [random.below(100)] }],
    threads: 3,
    callsPerThread: 3,
    rounds: 10,
    ...more,
  });

test('a round in which all may wait is over when it has settled', async () => {
  // the watchdog would be too late for the test
  const options = { settle: 5, stallTimeout: 1_000_000 };
  expect(
    await stress(
      rendezvous(() => new Rendezvous()),
      options,
    ),
  ).toMatchObject({ verdict: 'holds', rounds: 10 });
});

test('the watchdog finds a call that should have synchronised, and accepts a slow one', async () => {
  const options = { settle: 5, stallTimeout: 400 };
  const { failure } = await stress(
    rendezvous(() => new Rendezvous(0)),
    options,
  );
  expect(failure?.verdict).toMatchObject({
    counterexample: { property: 'progress', cause: { kind: 'should synchronise' } },
  });
  const slow = rendezvous(() => new Rendezvous(-1, 40), { rounds: 2 });
  expect((await stress(slow, options)).verdict).toBe('holds');
});

test('calls that are stuck are interrupted, by a signal or by a function, and stay open in the history', async () => {
  const interrupted: string[] = [];
  const create = () => ({
    wait: (options?: { signal: AbortSignal }) =>
      new Promise<void>((resolve) => {
        options?.signal.addEventListener('abort', () => {
          interrupted.push('signal');
          resolve();
        });
      }),
  });
  const spec: SyncSpec<{ wait(): void }, null> = {
    name: 'forever',
    initial: null,
    rendezvous: { 'wait*': () => blocked },
    sizes: () => [2],
  };
  const test = [[['wait'], ['wait']], [['wait']]] as const;
  const options = { settle: 5, rounds: 1 };
  const bySignal = await stress(scenario({ create, spec, test, cancel: true }), options);
  const byFunction = scenario({ create, spec, test, cancel: (_, method) => interrupted.push(method) });
  expect(bySignal).toMatchObject({ verdict: 'holds', operations: 2 });
  expect(await stress(byFunction, options)).toMatchObject({ verdict: 'holds', operations: 2 });
  expect(interrupted).toEqual(['signal', 'signal', 'wait', 'wait']);
});
