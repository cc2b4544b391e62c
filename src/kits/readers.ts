/** The kit of locks for readers and writers. */
import type { FixedTest, Signal } from '../explore/scenario/scenario.js';
import {
  type Awaitable,
  BrokenGuarantee,
  type Caller,
  type Calls,
  clients,
  type Kit,
  type KitOptions,
  kitOf,
  listed,
  rejected,
  type Tested,
  World,
} from './kit.js';

/** How a lock for readers and writers is used. R and W are what the functions that release need. */
export interface ReadWriteLockAdapter<L, R, W> extends KitOptions {
  /** Makes a free lock. */
  readonly create: () => Awaitable<L>;
  readonly acquireRead: (lock: L) => Awaitable<R>;
  readonly releaseRead: (lock: L, handle: NoInfer<R>) => unknown;
  readonly acquireWrite: (lock: L) => Awaitable<W>;
  readonly releaseWrite: (lock: L, handle: NoInfer<W>) => unknown;
  /** Until the signal is aborted: then it rejects, or returns `null` or `false`. */
  readonly abortableRead?: (lock: L, signal: Signal) => Awaitable<NoInfer<R> | null | false>;
  readonly abortableWrite?: (lock: L, signal: Signal) => Awaitable<NoInfer<W> | null | false>;
  /** For at most n milliseconds: then it rejects, or returns `null` or `false`. */
  readonly timedRead?: (lock: L, milliseconds: number) => Awaitable<NoInfer<R> | null | false>;
  readonly timedWrite?: (lock: L, milliseconds: number) => Awaitable<NoInfer<W> | null | false>;
}

/** Milliseconds of a wait with a time-out. */
const WAIT = 10;

class Sharing<L> extends World<L> {
  readonly readers: string[] = [];
  writer: string | undefined;
  #onTwo: () => void = () => {};
  readonly #twoReaders: Promise<void>;
  first: { readonly isWrite: boolean; readonly handle: unknown } | undefined;
  /** Calls of `read` that have ended. */
  readonly read: Set<number> = new Set();

  constructor(object: L) {
    super(object);
    this.#twoReaders = new Promise((resolve) => {
      this.#onTwo = resolve;
    });
  }

  override state(): string {
    if (this.writer !== undefined) return `${this.writer} writes`;
    return this.readers.length === 0 ? 'no call holds the lock' : `${listed(this.readers)} read`;
  }

  enter({ name }: Pick<Caller, 'name'>, isWrite: boolean): void {
    const others = [...this.readers, ...(this.writer === undefined ? [] : [this.writer])];
    if (isWrite ? others.length > 0 : this.writer !== undefined)
      throw new BrokenGuarantee(
        `${isWrite ? 'a writer is not alone' : 'a reader beside a writer'}: ${name} acquired the lock while ${listed(others)} still held it`,
      );
    if (isWrite) this.writer = name;
    else this.readers.push(name);
    if (this.readers.length > 1) this.#onTwo();
  }

  leave({ name }: Pick<Caller, 'name'>, isWrite: boolean): void {
    if (isWrite) this.writer = undefined;
    else this.readers.splice(this.readers.indexOf(name), 1);
  }

  /** Resolves when two readers hold the lock. */
  twoReaders(): Promise<void> {
    return this.#twoReaders;
  }
}

function lockCalls<L, R, W>(adapter: ReadWriteLockAdapter<L, R, W>): Calls<Sharing<L>> {
  type Own = Sharing<L>;
  const { acquireRead, acquireWrite, abortableRead, abortableWrite, timedRead, timedWrite } = adapter;
  const release = (world: Own, isWrite: boolean, handle: unknown): unknown =>
    isWrite
      ? adapter.releaseWrite(world.object, handle as W)
      : adapter.releaseRead(world.object, handle as R);
  const using =
    (
      method: string,
      isWrite: boolean,
      take: (world: Own, n: number) => unknown,
      work: (world: Own, caller: Caller) => Promise<void>,
      mayReject: (world: Own, n: number) => boolean = () => false,
    ) =>
    (world: Own, n: number) =>
      world.call(`${method}(${n})`, async (caller) => {
        caller.doing = isWrite ? 'acquireWrite' : 'acquireRead';
        let handle: unknown;
        try {
          handle = await take(world, n);
        } catch (error) {
          if (!mayReject(world, n)) throw rejected(caller, error);
          return;
        }
        if (handle === null || handle === false) return;
        world.enter(caller, isWrite);
        await work(world, caller);
        world.leave(caller, isWrite);
        caller.doing = 'release';
        await release(world, isWrite, handle);
        if (method === 'read') world.read.add(n);
      });
  const work = (world: Own, caller: Caller): Promise<void> => world.work(caller);
  const briefly = async (): Promise<void> => {};
  const isAborted = (world: Own, n: number): boolean => world.isAborted(n);
  const first = (isWrite: boolean) => async (world: Own) => {
    const handle = await (isWrite ? acquireWrite(world.object) : acquireRead(world.object));
    world.enter({ name: isWrite ? 'writeFirst()' : 'readFirst()' }, isWrite);
    world.first = { isWrite, handle };
  };
  return {
    read: using('read', false, (world) => acquireRead(world.object), work),
    write: using('write', true, (world) => acquireWrite(world.object), work),
    readBriefly: using('readBriefly', false, (world) => acquireRead(world.object), briefly),
    writeBriefly: using('writeBriefly', true, (world) => acquireWrite(world.object), briefly),
    /** Reads until there are two readers. */
    readTogether: using(
      'readTogether',
      false,
      (world) => acquireRead(world.object),
      async (world, caller) => {
        caller.doing = 'acquireRead';
        await world.twoReaders();
      },
    ),
    abortedRead: using(
      'abortedRead',
      false,
      (world, n) => abortableRead!(world.object, world.controllerOf(n).signal),
      work,
      isAborted,
    ),
    abortedWrite: using(
      'abortedWrite',
      true,
      (world, n) => abortableWrite!(world.object, world.controllerOf(n).signal),
      work,
      isAborted,
    ),
    abort: (world, n: number) => world.controllerOf(n).abort(),
    timedRead: using(
      'timedRead',
      false,
      (world) => timedRead!(world.object, WAIT),
      work,
      () => true,
    ),
    timedWrite: using(
      'timedWrite',
      true,
      (world) => timedWrite!(world.object, WAIT),
      work,
      () => true,
    ),
    /** When nothing else can happen: has this call read beside the first one? */
    hasRead: (world, n: number) =>
      world.call('hasRead()', async () => {
        await world.quiet();
        if (!world.read.has(n))
          throw new BrokenGuarantee(
            `read(${n}) waits, though only readFirst() holds the lock and no writer waits`,
          );
      }),
    readFirst: first(false),
    writeFirst: first(true),
    releaseFirst: async (world) => {
      const { isWrite, handle } = world.first!;
      world.leave({ name: isWrite ? 'writeFirst()' : 'readFirst()' }, isWrite);
      await release(world, isWrite, handle);
    },
  };
}

/** What is left of a wait that gave up, by read or write. */
const givenUp = (how: string, guarantee: string, methods: readonly string[], abort: string): Tested | false =>
  methods.length > 0 && {
    guarantee: `${how} ${guarantee}`,
    tests: methods.flatMap((method) => [
      clients(`${method} 1 ${abort} | releaseFirst`, 'write 8, read 9', 'writeFirst'),
      clients(`${method} 1 ${abort} | releaseFirst | read 2`, 'write 8', 'writeFirst'),
      clients(`${method} 1 ${abort} | releaseFirst | write 2`, 'read 8', 'readFirst'),
      clients(`${method} 1 ${abort} | releaseFirst | read 2`, 'write 8', 'readFirst'),
    ]),
  };

const behind = (writer: string): FixedTest =>
  clients(`${writer} | read 2 | hasRead 2, releaseFirst`, 'write 8', 'readFirst');

/**
 * A kit of locks for readers and writers: a writer is alone, readers share, no wake-up is lost, and what else the adapter names.
 * Guide: `docs/guide/kits/read-write-lock.md`.
 *
 * @example
 * export default readWriteLockKit({
 *   create: () => new yours.ReadWriteLock(),
 *   acquireRead: (lock) => lock.readLock(),
 *   releaseRead: (lock) => lock.unlock(),
 *   acquireWrite: (lock) => lock.writeLock(),
 *   releaseWrite: (lock) => lock.unlock(),
 * });
 */
export function readWriteLockKit<L, R, W>(adapter: ReadWriteLockAdapter<L, R, W>): Kit {
  const { abortableRead, abortableWrite, timedRead, timedWrite } = adapter;
  const after = 'write 8, read 9';
  return kitOf({
    kind: 'read-write lock',
    options: adapter,
    create: async () => new Sharing(await adapter.create()),
    methods: lockCalls(adapter),
    guarantees: [
      {
        guarantee: 'a writer is alone, and every waiter gets its turn',
        tests: [
          clients('read 1 | write 2', after),
          clients('write 1 | write 2', after),
          clients('releaseFirst | read 1 | write 2', after, 'writeFirst'),
          clients('releaseFirst | read 1 | write 2', after, 'readFirst'),
          clients('read 1 | write 2 | read 3', after),
          clients('write 1 | read 2 | write 3', after),
          clients('writeBriefly 1 | readBriefly 2 | writeBriefly 3', after),
          clients('read 1, write 3 | write 2, read 4', after),
        ],
      },
      {
        guarantee: 'readers share the lock',
        tests: [
          clients('readTogether 1 | readTogether 2', after),
          clients('releaseFirst | readTogether 1 | readTogether 2', after, 'writeFirst'),
        ],
      },
      (abortableWrite !== undefined || timedWrite !== undefined) && {
        guarantee: 'a writer that gives up lets the readers behind it in',
        tests: [
          ...(abortableWrite ? [behind('abortedWrite 1 | abort 1')] : []),
          ...(timedWrite ? [behind('timedWrite 1')] : []),
        ],
      },
      givenUp(
        'an aborted wait',
        'leaves nothing behind',
        [...(abortableRead ? ['abortedRead'] : []), ...(abortableWrite ? ['abortedWrite'] : [])],
        '| abort 1',
      ),
      givenUp(
        'a wait that times out',
        'leaves nothing behind',
        [...(timedRead ? ['timedRead'] : []), ...(timedWrite ? ['timedWrite'] : [])],
        '',
      ),
    ],
  });
}
