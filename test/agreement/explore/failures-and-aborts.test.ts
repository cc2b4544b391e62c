/**
 * Objects that wait for each other and for a stub, explored without a spec: with and without aborts, and with stub calls that fail.
 * Correct objects pass in every combination. Of their faulty versions, each fault is found wherever it can happen.
 */
import { describe, expect, test } from 'vitest';
import { inOwnTask } from '../../../src/event-loop/own-task.js';
import { exploreSync } from '../../../src/explore/explore.js';
import { scenario } from '../../../src/explore/scenario/scenario.js';

type Wake = () => void;
interface Io {
  ask(): Promise<number>;
}
interface Abortable {
  readonly signal?: AbortSignal;
}

/** A lock whose waiters can be aborted. */
class Gate {
  isHeld = false;
  readonly waiting: Wake[] = [];
  readonly keepsAborted: boolean;
  constructor(keepsAborted = false) {
    this.keepsAborted = keepsAborted;
  }
  async enter(signal: AbortSignal | undefined): Promise<void> {
    if (!this.isHeld) {
      this.isHeld = true;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      this.waiting.push(resolve);
      signal?.addEventListener('abort', () => {
        const place = this.waiting.indexOf(resolve);
        if (place < 0) return;
        if (!this.keepsAborted) this.waiting.splice(place, 1);
        reject(new Error('aborted'));
      });
    });
  }
  leave(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.isHeld = false;
  }
}

/** Adds to a number, which is written after a stub has answered. */
class Section {
  n = 0;
  readonly io: Io;
  readonly gate: Gate;
  constructor(io: Io, gate = new Gate()) {
    this.io = io;
    this.gate = gate;
  }
  async add({ signal }: Abortable = {}): Promise<number> {
    await this.gate.enter(signal);
    try {
      return await this.change();
    } finally {
      this.gate.leave();
    }
  }
  async change(): Promise<number> {
    const { n } = this;
    await this.io.ask();
    this.n = n + 1;
    return this.n;
  }
}
class UnlockedSection extends Section {
  override add(): Promise<number> {
    return this.change();
  }
}

/** Loads a value once, by one call for all; `forget` makes the next call load again. */
class Cache {
  loads = 0;
  loading: Promise<number> | undefined;
  readonly io: Io;
  constructor(io: Io) {
    this.io = io;
  }
  get(): Promise<number> {
    const own = this.loading ?? this.load();
    this.loading = own;
    own.catch(() => {
      if (this.loading === own) this.loading = undefined;
    });
    return own;
  }
  async load(): Promise<number> {
    await this.io.ask();
    return ++this.loads;
  }
}
class UnsharedCache extends Cache {
  value: number | undefined;
  override async get(): Promise<number> {
    this.value ??= await this.load();
    return this.value;
  }
}

/** One ticket; a stub is asked before one is sold. */
class Tickets {
  left = 1;
  readonly io: Io;
  constructor(io: Io) {
    this.io = io;
  }
  async buy(): Promise<boolean> {
    if (this.left === 0) return false;
    this.left--;
    try {
      await this.io.ask();
    } catch (error) {
      this.left++;
      throw error;
    }
    return true;
  }
}
class OversoldTickets extends Tickets {
  override async buy(): Promise<boolean> {
    if (this.left === 0) return false;
    await this.io.ask();
    this.left--;
    return true;
  }
}

/** `take` waits for an item, and can be aborted; `put` asks a stub first. */
class Queue {
  readonly items: number[] = [];
  readonly waiting: ((item: number) => void)[] = [];
  readonly io: Io;
  constructor(io: Io) {
    this.io = io;
  }
  async put(item: number): Promise<void> {
    await this.io.ask();
    const next = this.waiting.shift();
    if (next) next(item);
    else this.items.push(item);
  }
  take({ signal }: Abortable = {}): Promise<number> {
    if (this.items.length > 0) return Promise.resolve(this.items.shift()!);
    return new Promise((resolve, reject) => {
      this.waiting.push(resolve);
      signal?.addEventListener('abort', () => this.aborted(resolve, reject));
    });
  }
  aborted(resolve: (item: number) => void, reject: (error: Error) => void): void {
    const place = this.waiting.indexOf(resolve);
    if (place < 0) return;
    this.waiting.splice(place, 1);
    reject(new Error('aborted'));
  }
}
class QueueThatKeepsAborted extends Queue {
  override aborted(_resolve: (item: number) => void, reject: (error: Error) => void): void {
    reject(new Error('aborted'));
  }
}
class QueueWithGap extends Queue {
  override async put(item: number): Promise<void> {
    const [next] = this.waiting;
    await this.io.ask();
    if (next) {
      this.waiting.shift();
      next(item);
    } else this.items.push(item);
  }
}

type Calls = readonly (readonly (readonly [string, ...unknown[]])[])[];
interface Faulty {
  readonly fault: string;
  readonly create: (io: Io) => object;
  /** Does it need an abort? */
  readonly needsAbort?: boolean;
  readonly calls?: Calls;
}
interface Kind {
  readonly kind: string;
  readonly create: (io: Io) => object;
  readonly calls: Calls;
  readonly faulty: readonly Faulty[];
}

const KINDS: readonly Kind[] = [
  {
    kind: 'a section under a lock',
    create: (io) => new Section(io),
    calls: [[['add']], [['add']], [['add']]],
    faulty: [
      { fault: 'has no lock', create: (io) => new UnlockedSection(io), calls: [[['add']], [['add']]] },
      { fault: 'wakes an aborted call', create: (io) => new Section(io, new Gate(true)), needsAbort: true },
    ],
  },
  {
    kind: 'a cache that shares a load',
    create: (io) => new Cache(io),
    calls: [[['get']], [['get'], ['get']]],
    faulty: [{ fault: 'loads for each call', create: (io) => new UnsharedCache(io) }],
  },
  {
    kind: 'a sale',
    create: (io) => new Tickets(io),
    calls: [[['buy']], [['buy']]],
    faulty: [{ fault: 'counts late', create: (io) => new OversoldTickets(io) }],
  },
  {
    kind: 'a queue',
    create: (io) => new Queue(io),
    calls: [[['take']], [['take']], [['put', 1]]],
    faulty: [
      {
        fault: 'gives an item to an aborted call',
        create: (io) => new QueueThatKeepsAborted(io),
        needsAbort: true,
      },
      {
        fault: 'looks for a waiter too early',
        create: (io) => new QueueWithGap(io),
        calls: [[['take']], [['put', 1]], [['put', 2]]],
      },
    ],
  },
];

const COMBINATIONS = [false, true].flatMap((cancel) => [0, 1].map((failures) => ({ cancel, failures })));

const explored = (
  create: (io: Io) => object,
  calls: Calls,
  combination: { cancel: boolean; failures: number },
) =>
  inOwnTask(() =>
    exploreSync(
      scenario({ stubs: { ask: () => 1 }, create, test: calls, backend: 'async', ...combination } as never),
    ),
  );

describe.each(COMBINATIONS)('with %j', (combination) => {
  test.each(KINDS)('$kind is no violation', async ({ create, calls }) => {
    const { verdict, results } = await explored(create, calls, combination);
    expect({ verdict, violation: results.at(-1)?.violation }).toEqual({
      verdict: 'holds',
      violation: undefined,
    });
  });

  test.each(
    KINDS.flatMap(({ kind, calls, faulty }) => faulty.map((one) => ({ kind, calls, ...one }))).filter(
      ({ needsAbort = false }) => combination.cancel || !needsAbort,
    ),
  )('$kind that $fault is a violation', async ({ create, calls }) => {
    expect((await explored(create, calls, combination)).verdict).toBe('violation');
  });
});
