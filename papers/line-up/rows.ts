/**
 * The rows of table 2 of Line-Up, and two more: classes with a spec of what is documented.
 *
 * A root cause is recognised by the calls of a smallest failing test.
 */
import type { Size } from '../lib/tests.js';

/** The size of tests, how many there are, and the size of which a clean row has all. */
export const SIZE: Size = [3, 3];
export const TESTS = 100;
export const SMALL: Size = [2, 2];

interface RootCause {
  /** The size of the paper's smallest failing test. */
  readonly size: Size;
  /** What its tests call, whatever else larger ones call; and what the smallest do not call: that would be another cause. */
  readonly isShownBy: (methods: readonly string[]) => boolean;
  readonly without?: readonly string[];
  /** Does its test hold with the spec of what is documented? */
  readonly isDocumented?: boolean;
}

export interface LineUpRow {
  readonly name: string;
  readonly file: string;
  readonly export: string;
  /** None: the row is clean. */
  readonly causes: Readonly<Record<string, RootCause>>;
  /** The scenario with the spec of what is documented. */
  readonly documented?: string;
}

const any = (): boolean => true;
const has =
  (...wanted: readonly string[]) =>
  (methods: readonly string[]) =>
    wanted.some((method) => methods.includes(method));
const cancelsTwice = (methods: readonly string[]): boolean =>
  methods.filter((method) => method === 'cancel').length > 1;

const row = (
  name: string,
  file: string,
  causes: LineUpRow['causes'] = {},
  exported = 'default',
  documented?: string,
): LineUpRow => ({ name, file, causes, export: exported, ...(documented ? { documented } : {}) });

const K: RootCause = { size: [2, 2], isShownBy: cancelsTwice };
const without = ['cancel'];

export const LINE_UP_ROWS: readonly LineUpRow[] = [
  row('Lazy', 'lazy'),
  row('ManualResetEvent(Pre)', 'manual-reset-event', { A: { size: [2, 3], isShownBy: any } }, 'pre'),
  row('ManualResetEvent', 'manual-reset-event'),
  row('SemaphoreSlim', 'semaphore-slim'),
  row('CountdownEvent', 'countdown-event'),
  row('ConcurrentDictionary', 'concurrent-dictionary'),
  row('ConcurrentQueue(Pre)', 'concurrent-queue', { B: { size: [2, 2], isShownBy: any } }, 'pre'),
  row('ConcurrentQueue', 'concurrent-queue'),
  row('ConcurrentLinkedList(Pre)', 'concurrent-linked-list', { C: { size: [2, 2], isShownBy: any } }, 'pre'),
  row('ConcurrentStack', 'concurrent-stack'),
  row(
    'BlockingCollection(Pre)',
    'blocking-collection',
    { D: { size: [2, 2], isShownBy: has('completeAdding') }, K },
    'pre',
  ),
  row(
    'BlockingCollection',
    'blocking-collection',
    {
      H: { size: [2, 2], isShownBy: has('count'), without, isDocumented: true },
      I: { size: [3, 2], isShownBy: has('tryTake'), without, isDocumented: true },
      K,
    },
    'beta',
    'documented',
  ),
  row(
    'ConcurrentBag(Pre)',
    'concurrent-bag',
    {
      E: { size: [2, 2], isShownBy: has('count', 'isEmpty', 'toArray'), isDocumented: false },
      J: { size: [2, 2], isShownBy: any, isDocumented: true },
    },
    'pre',
    'documentedPre',
  ),
  row(
    'ConcurrentBag',
    'concurrent-bag',
    { J: { size: [2, 2], isShownBy: any, isDocumented: true } },
    'default',
    'documented',
  ),
  row('TaskCompletionSource(Pre)', 'task-completion-source', { F: { size: [2, 2], isShownBy: any } }, 'pre'),
  row('TaskCompletionSource', 'task-completion-source', { G: { size: [2, 2], isShownBy: any } }, 'beta'),
  row('CancellationTokenSource', 'cancellation-token-source'),
  row('Barrier', 'barrier', { L: { size: [2, 2], isShownBy: any } }),
];

/** H, I and J with a spec that allows them. */
export const DOCUMENTED_ROWS: readonly LineUpRow[] = [
  row('BlockingCollection, as documented', 'blocking-collection', {}, 'documented'),
  row('ConcurrentBag, as documented', 'concurrent-bag', {}, 'documented'),
];
