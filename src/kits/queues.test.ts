/** The kits of queues and channels: what correct ones do is accepted, and each fault is found and named. */
import { expect, test } from 'vitest';
import { brokenBy, sentencesOf } from '../../test/support/fixtures/kits.js';
import type { Kit } from './kit.js';
import { channelKit, queueKit } from './queues.js';

interface Taker {
  readonly resolve: (item: number | undefined) => void;
}

interface Putter {
  readonly item: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** Hands an item to the first call that waits. */
class Queue {
  protected readonly items: number[] = [];
  protected readonly takers: Taker[] = [];
  protected readonly putters: Putter[] = [];
  protected readonly capacity: number;
  protected isClosed = false;

  constructor(capacity: number) {
    this.capacity = capacity;
  }

  put(item: number): Promise<void> {
    if (this.isClosed) return Promise.reject(new Error('closed'));
    const taker = this.takers.shift();
    if (taker) {
      taker.resolve(item);
      return Promise.resolve();
    }
    if (this.items.length < this.capacity) {
      this.items.push(item);
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => this.putters.push({ item, resolve, reject }));
  }

  take(signal?: AbortSignal, milliseconds?: number): Promise<number | undefined> {
    if (signal?.aborted) return Promise.reject(new Error('aborted'));
    const item = this.tryTake();
    if (item !== undefined || this.isClosed) return Promise.resolve(item);
    return new Promise((resolve, reject) => {
      const timer =
        milliseconds === undefined ? undefined : setTimeout(() => this.giveUp(taker, reject), milliseconds);
      const taker: Taker = {
        resolve: (taken) => {
          clearTimeout(timer);
          resolve(taken);
        },
      };
      signal?.addEventListener('abort', () => this.giveUp(taker, reject));
      this.takers.push(taker);
    });
  }

  tryTake(): number | undefined {
    const item = this.items.shift();
    const putter = this.putters.shift();
    putter?.resolve();
    if (item === undefined) return putter?.item;
    if (putter) this.items.push(putter.item);
    return item;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    for (const { resolve } of this.takers.splice(0)) resolve(undefined);
    for (const { reject } of this.putters.splice(0)) reject(new Error('closed'));
  }

  protected giveUp(taker: Taker, reject: (error: Error) => void): void {
    const at = this.takers.indexOf(taker);
    if (at >= 0) this.takers.splice(at, 1);
    reject(new Error('given up'));
  }
}

/** Another style: an array and a promise that wakes all calls. */
class PollingQueue {
  readonly #items: number[] = [];
  #changed: Promise<void>;
  #wake: () => void = () => {};

  constructor() {
    this.#changed = this.#next();
  }

  put(item: number): void {
    this.#items.push(item);
    this.#wake();
    this.#changed = this.#next();
  }

  async take(): Promise<number> {
    while (this.#items.length === 0) await this.#changed;
    return this.#items.shift()!;
  }

  #next(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

const ALL = {
  put: (queue: Queue, item: number) => queue.put(item),
  take: (queue: Queue) => queue.take(),
  tryTake: (queue: Queue) => queue.tryTake(),
  abortable: (queue: Queue, signal: AbortSignal) => queue.take(signal),
  timed: (queue: Queue, milliseconds: number) => queue.take(undefined, milliseconds),
  close: (queue: Queue) => queue.close(),
};
const asQueue = (create: (capacity: number) => Queue): Kit => queueKit({ ...ALL, create, capacity: 1 });
const asChannel = (create: (capacity: number) => Queue): Kit => channelKit({ ...ALL, create });

/** A put that waits at a close ends when its item is taken. */
class Keeping extends Queue {
  override async close(): Promise<void> {
    this.isClosed = true;
    for (const { resolve } of this.takers.splice(0)) resolve(undefined);
  }
}

test('a close may leave calls of put to those that take the rest', async () => {
  expect(await brokenBy(asQueue((capacity) => new Keeping(capacity)))).toEqual({});
  expect(await brokenBy(asChannel((capacity) => new Keeping(capacity)))).toEqual({});
});

test('correct queues and channels keep all guarantees', async () => {
  expect(await brokenBy(asQueue((capacity) => new Queue(capacity)))).toEqual({});
  expect(await brokenBy(asChannel((capacity) => new Queue(capacity)))).toEqual({});
  expect(await brokenBy(queueKit({ ...ALL, create: () => new Queue(Number.POSITIVE_INFINITY) }))).toEqual({});
  const polling = queueKit({
    create: () => new PollingQueue(),
    put: (queue, item) => queue.put(item),
    take: (queue) => queue.take(),
  });
  expect(await brokenBy(polling)).toEqual({});
});

/** Each fault, and the sentence about it. */
const FAULTS: Readonly<
  Record<string, { readonly fault: new (capacity: number) => Queue; readonly says: RegExp }>
> = {
  'an item put between check and registration wakes no call': {
    fault: class extends Queue {
      override async take(): Promise<number | undefined> {
        const item = this.tryTake();
        if (item !== undefined || this.isClosed) return item;
        await Promise.resolve();
        return new Promise((resolve) => this.takers.push({ resolve }));
      }
    },
    says: /take\(1\) is blocked forever in take\(\)/,
  },
  'an item goes to an aborted call': {
    fault: class extends Queue {
      protected override giveUp(_taker: Taker, reject: (error: Error) => void): void {
        reject(new Error('given up'));
      }
    },
    says: /item 1\d is lost: put\(\) accepted it, and no call can take it|is blocked forever in take/,
  },
  'two calls take the same item': {
    fault: class extends Queue {
      override async take(): Promise<number | undefined> {
        if (this.items.length === 0) return super.take();
        const [item] = this.items;
        await Promise.resolve();
        this.tryTake();
        return item;
      }
    },
    says: /item \d+ was taken twice: by \w+\(\d\) and by \w+\(\d\)/,
  },
  'the last item is taken first': {
    fault: class extends Queue {
      override tryTake(): number | undefined {
        this.items.reverse();
        const item = super.tryTake();
        this.items.reverse();
        return item;
      }
    },
    says: /not in order: \w+\(\d\) took item 11 after item 12|not in order: takeTheRest\(\)/,
  },
  'put does not wait for room': {
    fault: class extends Queue {
      override async put(item: number): Promise<void> {
        void super.put(item).catch(() => {});
      }
    },
    says: /above the capacity: \d items were accepted with a capacity of \d|is lost/,
  },
  'close forgets the calls that wait': {
    fault: class extends Queue {
      override async close(): Promise<void> {
        this.isClosed = true;
      }
    },
    says: /is blocked forever in (take|put)\(\)/,
  },
  'close forgets accepted items': {
    fault: class extends Queue {
      override async close(): Promise<void> {
        await Promise.resolve();
        this.items.length = 0;
        await super.close();
      }
    },
    says: /item 1\d is lost/,
  },
  'the waiter is woken, and the item is kept': {
    fault: class extends Queue {
      override async put(item: number): Promise<void> {
        const [taker] = this.takers;
        await super.put(item);
        if (taker) this.items.push(item);
      }
    },
    says: /was taken twice/,
  },
};

test.each(Object.entries(FAULTS))('%s', async (_name, { fault: Fault, says }) => {
  const kits = [
    asQueue((capacity) => new Fault(capacity)),
    queueKit({ ...ALL, create: (capacity) => new Fault(capacity) }),
  ];
  const sentences: string[] = [];
  for (const kit of kits) sentences.push(await sentencesOf(kit, says));
  expect(sentences.join('\n')).toMatch(says);
});
