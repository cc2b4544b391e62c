/**
 * Faulty objects of other papers and of this project, each with a failing test and its known cause: the sections that
 * must be atomic. Some have none, because no atomic block prevents their fault.
 */
import type { TestCase } from '../../src/explore/scenario/test-case.js';
import type { PlainCall } from '../../src/instrument/instrumented-program.js';

/** The lines of a method between two patterns. */
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
const CANCELLED = section('line-up/scenarios/cancellation-token-source.ts', 'cancel', /./, /^ {2}\}/);
/** Items are looked for in one list after another, at the end in all of them (`toArray`); meanwhile one may come into a list that is passed. */
const FOUND = section('line-up/scenarios/concurrent-bag.ts', 'private find', /const own/, /isEmpty/);

export const CAUSES: readonly CauseExample[] = [
  example('stack', 'root-cause/scenarios/stack', 'default', undefined, [
    section('root-cause/scenarios/stack.ts', 'pop', /const value = this\.items/, /\.value = null/),
  ]),
  example('pair', 'root-cause/scenarios/pair', 'default', undefined, [
    section('root-cause/scenarios/pair.ts', 'scan', /const x/, /const y/),
  ]),
  example('ring', 'root-cause/scenarios/ring', 'default', undefined, [
    section('root-cause/scenarios/ring.ts', 'dequeue', /const taken/, /Atomics\.store/),
  ]),
  {
    ...example('account', 'root-cause/scenarios/account', 'default', undefined, [
      section('root-cause/scenarios/account.ts', 'async deposit', /this\.approve/, /'approved'/),
    ]),
    isAsync: true,
  },
  example(
    'jobs',
    '../examples/05-explore-threads/jobs',
    'default',
    [[['take']], [['add', 2], ['take']]],
    [section('../examples/05-explore-threads/jobs.ts', 'take', /const next/, /this\.taken =/)],
  ),
  example(
    'hash map',
    'lowe-2017/scenarios/hash-map',
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
    [section('lowe-2017/scenarios/hash-map.ts', 'update', /compareAndSet/, /'stored'/)],
  ),
  example(
    'resizing map',
    'lowe-2017/scenarios/resizing-map',
    'faulty',
    [[['update', 0, 1]], [['update', 1, 2]], [['get', 1]]],
    [
      section(
        'lowe-2017/scenarios/resizing-map-faulty.ts',
        'protected override move',
        /slot\.get/,
        /slot\.set\(MOVED/,
      ),
    ],
    [['update', 2, 9]],
  ),
  example(
    'array queue',
    'lowe-2017/scenarios/array-queue',
    'faulty',
    [
      [
        ['enqueue', 1],
        ['enqueue', 2],
      ],
      [['dequeue']],
    ],
    [
      section('lowe-2017/scenarios/array-queue.ts', 'enqueue', /this\.rear\.get/, /rear\.compareAndSet/),
      section('lowe-2017/scenarios/array-queue.ts', 'dequeue', /this\.front\.get/, /front\.compareAndSet/),
    ],
  ),
  example(
    'cached register',
    'lowe-2017/scenarios/register',
    'faulty',
    [[['read'], ['read']], [['write', 1]]],
    'no block',
  ),
  example(
    'skip list',
    'lowe-2017/scenarios/skip-list',
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
    'lowe-2017/scenarios/sharded-map',
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
    [section('lowe-2017/scenarios/sharded-map-faulty.ts', 'protected override store', /isThere/, /value =/)],
  ),
  example(
    'priority queue',
    'lowe-2017/scenarios/priority-queue',
    'faulty',
    [
      [['insert', 3], ['deleteMin']],
      [['insert', 3], ['deleteMin']],
    ],
    [
      section('lowe-2017/scenarios/priority-queue.ts', 'deleteMin', /before\.link/, /continueFrom\(item\)/),
      section('lowe-2017/scenarios/priority-queue.ts', 'protected unlink', /item\.link/, /return before/),
    ],
  ),
  example(
    'A: ManualResetEvent(Pre)',
    'line-up/scenarios/manual-reset-event',
    'pre',
    [[['set'], ['reset'], ['set']], [['wait']]],
    [section('line-up/scenarios/manual-reset-event.ts', 'wait', /state\.get/, /withWaiter/)],
  ),
  example(
    'B: ConcurrentQueue(Pre)',
    'line-up/scenarios/concurrent-queue',
    'pre',
    [[['enqueue', 200]], [['count'], ['tryDequeue']]],
    [
      section('line-up/scenarios/concurrent-queue.ts', 'enqueue', /lock\(\)/, /unlock\(\)/),
      section('line-up/scenarios/concurrent-queue-pre.ts', 'override tryDequeue', /tryLock/, /tryLock/),
    ],
  ),
  example(
    'C: ConcurrentLinkedList(Pre)',
    'line-up/scenarios/concurrent-linked-list',
    'pre',
    [[['addFirst', 1], ['removeFirst']], [['removeLast']]],
    [
      section(
        'line-up/scenarios/concurrent-linked-list-pre.ts',
        'override tryRemoveFirst',
        /lock\(\)/,
        /unlock\(\)/,
      ),
      section(
        'line-up/scenarios/concurrent-linked-list-pre.ts',
        'override tryRemoveLast',
        /lock\(\)/,
        /unlock\(\)/,
      ),
      section('line-up/scenarios/concurrent-linked-list.ts', 'protected remove', /if/, /this\.size/),
    ],
  ),
  example(
    'D, K: BlockingCollection(Pre)',
    'line-up/scenarios/blocking-collection',
    'pre',
    [[['completeAdding'], ['count']], [['tryAdd', 1]]],
    [
      section('line-up/scenarios/blocking-collection-pre.ts', 'protected override put', /if/, /exit\(\)/),
      CANCELLED,
    ],
  ),
  example(
    'H, K: BlockingCollection',
    'line-up/scenarios/blocking-collection',
    'beta',
    [[['toArray'], ['count']], [['tryAdd', 1]]],
    [
      section('line-up/scenarios/blocking-collection-beta.ts', 'private put', /isCancelled/, /endAdding/),
      CANCELLED,
    ],
  ),
  example(
    'E, J: ConcurrentBag(Pre)',
    'line-up/scenarios/concurrent-bag',
    'pre',
    [[['add', 10], ['tryTake']], [['add', 20]], [['toArray']]],
    [section('line-up/scenarios/concurrent-bag-pre.ts', 'override toArray', /for/, /unlock/), FOUND],
  ),
  example(
    'J: ConcurrentBag',
    'line-up/scenarios/concurrent-bag',
    'default',
    [[['add', 10]], [['add', 20]], [['tryTake']]],
    [FOUND, section('line-up/scenarios/concurrent-bag.ts', 'toArray', /for/, /unlock/)],
  ),
  example(
    'F: TaskCompletionSource(Pre)',
    'line-up/scenarios/task-completion-source',
    'pre',
    [[['trySetCanceled']], [['trySetCanceled']]],
    [
      section(
        'line-up/scenarios/task-completion-source-pre.ts',
        'protected override tryComplete',
        /this\.completion/,
        /publish/,
      ),
    ],
  ),
  example(
    'G: TaskCompletionSource',
    'line-up/scenarios/task-completion-source',
    'beta',
    [[['trySetCanceled'], ['exception']], [['trySetException', 1]]],
    [
      section(
        'line-up/scenarios/task-completion-source.ts',
        'protected tryComplete',
        /isReserved/,
        /publish/,
      ),
    ],
  ),
  example(
    'L: Barrier',
    'line-up/scenarios/barrier',
    'default',
    [[['signalAndWait']], [['signalAndWait']]],
    'no block',
  ),
  example('hasty channel', 'synchronisation/scenarios/channel', 'hasty', undefined, 'no block'),
  example('channel with a flag', 'synchronisation/scenarios/channel', 'flag', undefined, 'no block'),
  example('early exchanger', 'synchronisation/scenarios/exchanger', 'early', undefined, 'no block'),
  example(
    'hasty closeable channel',
    'synchronisation/scenarios/closeable-channel',
    'hasty',
    undefined,
    'no block',
  ),
  example(
    'men and women, two slots',
    'synchronisation/scenarios/men-and-women',
    'twoSlots',
    undefined,
    'no block',
  ),
  example(
    'impatient queue',
    'synchronisation/scenarios/terminating-queue',
    'impatient',
    undefined,
    'no block',
  ),
  example('trusting queue', 'synchronisation/scenarios/terminating-queue', 'trusting', undefined, 'no block'),
  example('timeouts with a flag', 'synchronisation/scenarios/timeout-channel', 'flag', undefined, [
    section('synchronisation/scenarios/timeout-channel.ts', 'private pause', /exit/, /enter/),
  ]),
  example(
    'async timeouts with a flag',
    'synchronisation/scenarios/async/timeout-channel',
    'flag',
    undefined,
    [
      section(
        'synchronisation/scenarios/async/timeout-channel.ts',
        'async send',
        /this\.isFull = true/,
        /pause/,
      ),
    ],
  ),
  // dequeue waits there for enqueue, so the await cannot be atomic
  example(
    'async trusting queue',
    'synchronisation/scenarios/async/terminating-queue',
    'trusting',
    undefined,
    'no block',
  ),
];
