/**
 * Faulty examples of other papers and of our own, each with a test that goes wrong, and what is known to be the cause: the sections that
 * should not be interrupted. Some have none: what is wrong with them is not that something is interrupted.
 */
import type { TestCase } from '../../src/explore/scenario/test-case.js';
import type { PlainCall } from '../../src/instrument/instrumented-program.js';

/** The lines of a method from one that tells to another; in examples/. */
export interface Section {
  readonly file: string;
  readonly method: string;
  readonly from: RegExp;
  readonly to: RegExp;
}

export interface CauseExample {
  readonly name: string;
  /** A module in examples/, and its scenario. */
  readonly module: string;
  readonly export: string;
  /** If not that of the scenario. */
  readonly threads?: TestCase['threads'];
  readonly before?: TestCase['before'];
  readonly truth: readonly Section[] | 'no block';
  readonly isAsync?: boolean;
}

const section = (file: string, method: string, from: RegExp, to: RegExp): Section => ({
  file,
  method,
  from,
  to,
});

const example = (
  name: string,
  module: string,
  exported: string,
  threads: readonly (readonly PlainCall[])[] | undefined,
  truth: CauseExample['truth'],
  before: readonly PlainCall[] = [],
): CauseExample => ({
  name,
  module: `${module}.scenario.ts`,
  export: exported,
  ...(threads && { threads, before }),
  truth,
});

/** `cancel` returns while another who cancels has not had any effect yet. */
const CANCELLED = section('line-up/cancellation-token-source.ts', 'cancel', /./, /^ {2}\}/);
/** Items are looked for in one list after another, at the end in all of them (`toArray`); meanwhile one may come into a list that is passed. */
const FOUND = section('line-up/concurrent-bag.ts', 'private find', /const own/, /isEmpty/);

export const CAUSES: readonly CauseExample[] = [
  example('stack', 'root-cause/stack', 'default', undefined, [
    section('root-cause/stack.ts', 'pop', /const value = this\.items/, /\.value = null/),
  ]),
  example('pair', 'root-cause/pair', 'default', undefined, [
    section('root-cause/pair.ts', 'scan', /const x/, /const y/),
  ]),
  example('ring', 'root-cause/ring', 'default', undefined, [
    section('root-cause/ring.ts', 'dequeue', /const taken/, /Atomics\.store/),
  ]),
  {
    ...example('account', 'root-cause/account', 'default', undefined, [
      section('root-cause/account.ts', 'async deposit', /this\.approve/, /'approved'/),
    ]),
    isAsync: true,
  },
  example(
    'jobs',
    'jobs',
    'default',
    [[['take']], [['add', 2], ['take']]],
    [section('jobs.ts', 'take', /const next/, /this\.taken =/)],
  ),
  example(
    'hash map',
    'lowe/hash-map',
    'faulty',
    [
      [
        ['update', 0, 1],
        ['update', 0, 2],
      ],
      [
        ['get', 0],
        ['delete', 0],
        ['get', 0],
      ],
    ],
    [section('lowe/hash-map.ts', 'update', /compareAndSet/, /'stored'/)],
  ),
  example(
    'resizing map',
    'lowe/resizing-map',
    'faulty',
    [[['update', 0, 1]], [['update', 1, 2]], [['get', 1]]],
    [section('lowe/resizing-map-faulty.ts', 'protected override move', /slot\.get/, /slot\.set\(MOVED/)],
    [['update', 2, 9]],
  ),
  example(
    'array queue',
    'lowe/array-queue',
    'faulty',
    [
      [
        ['enqueue', 1],
        ['enqueue', 2],
      ],
      [['dequeue']],
    ],
    [
      section('lowe/array-queue.ts', 'enqueue', /this\.rear\.get/, /rear\.compareAndSet/),
      section('lowe/array-queue.ts', 'dequeue', /this\.front\.get/, /front\.compareAndSet/),
    ],
  ),
  example('cached register', 'lowe/register', 'faulty', [[['read'], ['read']], [['write', 1]]], 'no block'),
  example(
    'skip list',
    'lowe/skip-list',
    'faulty',
    [
      [
        ['add', 1],
        ['add', 1],
      ],
      [['add', 3]],
    ],
    'no block',
  ),
  example(
    'sharded map',
    'lowe/sharded-map',
    'faulty',
    [
      [
        ['update', 0, 1],
        ['update', 0, 2],
      ],
      [
        ['delete', 0],
        ['get', 0],
      ],
    ],
    [section('lowe/sharded-map-faulty.ts', 'protected override store', /isThere/, /value =/)],
  ),
  example(
    'priority queue',
    'lowe/priority-queue',
    'faulty',
    [
      [['insert', 3], ['deleteMin']],
      [['insert', 3], ['deleteMin']],
    ],
    [
      section('lowe/priority-queue.ts', 'deleteMin', /before\.link/, /goOn\(item\)/),
      section('lowe/priority-queue.ts', 'protected unlink', /item\.link/, /return before/),
    ],
  ),
  example(
    'A: ManualResetEvent(Pre)',
    'line-up/manual-reset-event',
    'pre',
    [[['set'], ['reset'], ['set']], [['wait']]],
    [section('line-up/manual-reset-event.ts', 'wait', /state\.get/, /withWaiter/)],
  ),
  example(
    'B: ConcurrentQueue(Pre)',
    'line-up/concurrent-queue',
    'pre',
    [[['enqueue', 200]], [['count'], ['tryDequeue']]],
    [
      section('line-up/concurrent-queue.ts', 'enqueue', /lock\(\)/, /unlock\(\)/),
      section('line-up/concurrent-queue-pre.ts', 'override tryDequeue', /tryLock/, /tryLock/),
    ],
  ),
  example(
    'C: ConcurrentLinkedList(Pre)',
    'line-up/concurrent-linked-list',
    'pre',
    [[['addFirst', 1], ['removeFirst']], [['removeLast']]],
    [
      section('line-up/concurrent-linked-list-pre.ts', 'override tryRemoveFirst', /lock\(\)/, /unlock\(\)/),
      section('line-up/concurrent-linked-list-pre.ts', 'override tryRemoveLast', /lock\(\)/, /unlock\(\)/),
      section('line-up/concurrent-linked-list.ts', 'protected remove', /if/, /this\.size/),
    ],
  ),
  example(
    'D, K: BlockingCollection(Pre)',
    'line-up/blocking-collection',
    'pre',
    [[['completeAdding'], ['count']], [['tryAdd', 1]]],
    [section('line-up/blocking-collection-pre.ts', 'protected override put', /if/, /exit\(\)/), CANCELLED],
  ),
  example(
    'H, K: BlockingCollection',
    'line-up/blocking-collection',
    'beta',
    [[['toArray'], ['count']], [['tryAdd', 1]]],
    [section('line-up/blocking-collection-beta.ts', 'private put', /isCancelled/, /endAdding/), CANCELLED],
  ),
  example(
    'E, J: ConcurrentBag(Pre)',
    'line-up/concurrent-bag',
    'pre',
    [[['add', 10], ['tryTake']], [['add', 20]], [['toArray']]],
    [section('line-up/concurrent-bag-pre.ts', 'override toArray', /for/, /unlock/), FOUND],
  ),
  example(
    'J: ConcurrentBag',
    'line-up/concurrent-bag',
    'default',
    [[['add', 10]], [['add', 20]], [['tryTake']]],
    [FOUND, section('line-up/concurrent-bag.ts', 'toArray', /for/, /unlock/)],
  ),
  example(
    'F: TaskCompletionSource(Pre)',
    'line-up/task-completion-source',
    'pre',
    [[['trySetCanceled']], [['trySetCanceled']]],
    [
      section(
        'line-up/task-completion-source-pre.ts',
        'protected override tryComplete',
        /this\.completion/,
        /publish/,
      ),
    ],
  ),
  example(
    'G: TaskCompletionSource',
    'line-up/task-completion-source',
    'beta',
    [[['trySetCanceled'], ['exception']], [['trySetException', 1]]],
    [section('line-up/task-completion-source.ts', 'protected tryComplete', /isReserved/, /publish/)],
  ),
  example('L: Barrier', 'line-up/barrier', 'default', [[['signalAndWait']], [['signalAndWait']]], 'no block'),
  example('hasty channel', 'meetings/channel', 'hasty', undefined, 'no block'),
  example('channel with a flag', 'meetings/channel', 'flag', undefined, 'no block'),
  example('early exchanger', 'meetings/exchanger', 'early', undefined, 'no block'),
  example('hasty closeable channel', 'meetings/closeable-channel', 'hasty', undefined, 'no block'),
  example('men and women, two slots', 'meetings/men-and-women', 'twoSlots', undefined, 'no block'),
  example('impatient queue', 'meetings/terminating-queue', 'impatient', undefined, 'no block'),
  example('trusting queue', 'meetings/terminating-queue', 'trusting', undefined, 'no block'),
  example('timeouts with a flag', 'meetings/timeout-channel', 'flag', undefined, [
    section('meetings/timeout-channel.ts', 'private pause', /exit/, /enter/),
  ]),
  example('async timeouts with a flag', 'meetings/async/timeout-channel', 'flag', undefined, [
    section('meetings/async/timeout-channel.ts', 'async send', /this\.isFull = true/, /pause/),
  ]),
  example('async trusting queue', 'meetings/async/terminating-queue', 'trusting', undefined, [
    section('meetings/async/terminating-queue.ts', 'async dequeue', /news\.wait/, /news\.wait/),
  ]),
];
