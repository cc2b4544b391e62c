/**
 * The objects of the paper's section 8 with their faulty versions, for threads and asynchronous.
 *
 *   J. Lawrence, G. Lowe. Synchronisation: specification and testing. 2025.
 */

export interface RendezvousRow {
  readonly backend: 'threads' | 'async';
  readonly file: string;
  readonly export: string;
  /** What is wrong; none: nothing is found. */
  readonly property: 'safety' | 'progress' | undefined;
  /** Milliseconds that the paper's tester took to find it, if it is given. */
  readonly paper?: number;
  /** Who waits may wake up for no reason. */
  readonly spuriousWakeups?: boolean;
}

/** Fault to its property, and what the paper took. */
type Faults = Readonly<Record<string, readonly [property: 'safety' | 'progress', paper?: number]>>;

const OBJECTS: Readonly<Record<string, Faults>> = {
  channel: { hasty: ['safety', 85], flag: ['progress', 323], mute: ['progress'] },
  'filter-channel': { careless: ['safety', 77], oneSlot: ['progress', 338], flag: ['progress'] },
  'men-and-women': { twoSlots: ['safety', 75], oneWoken: ['progress', 232] },
  exchanger: { early: ['safety', 73], stuck: ['progress'] },
  'counter-channel': { early: ['safety', 94], late: ['safety'], flag: ['progress'] },
  'two-families': { late: ['safety', 299], hasty: ['progress'] },
  'one-family': { late: ['safety', 336], hasty: ['progress', 1098] },
  abc: { overtaken: ['safety', 717], forgetful: ['progress', 1080] },
  barrier: { open: ['safety'], reentrant: ['safety', 169], countless: ['safety', 80] },
  'combining-barrier': { reentrant: ['safety'], oneWoken: ['progress'] },
  'enrollable-barrier': { reentrant: ['safety', 132], eager: ['safety'], forgetful: ['progress'] },
  'timeout-channel': { flag: ['safety', 121], endless: ['progress'] },
  'timeout-exchanger': { litterer: ['safety', 288], crowded: ['safety'], endless: ['progress'] },
  'closeable-channel': { hasty: ['safety', 191], mute: ['progress'], oneWoken: ['progress'] },
  'terminating-queue': {
    impatient: ['safety', 103],
    silent: ['progress'],
    trusting: ['safety'],
    late: ['safety'],
  },
  broadcast: { hasty: ['safety'], oneWoken: ['progress'] },
};

const rowsOf = (backend: RendezvousRow['backend']): RendezvousRow[] =>
  Object.entries(OBJECTS).flatMap(([file, faults]) => [
    { backend, file, export: 'default', property: undefined },
    ...Object.entries(faults).map(([name, [property, paper]]) => ({
      backend,
      file,
      export: name,
      property,
      ...(paper !== undefined && { paper }),
    })),
  ]);

/**
 * Faults that only threads have. `if` for `while` is correct without spurious wake-ups, and asynchronous callers have none. To take
 * the signal of another call, a thread must overtake the woken one, and on an event loop the woken one runs first.
 */
const ONLY_THREADS: readonly RendezvousRow[] = [
  { backend: 'threads', file: 'men-and-women', export: 'crossed', property: 'safety' },
  { backend: 'threads', file: 'barrier', export: 'trusting', property: undefined },
  { backend: 'threads', file: 'barrier', export: 'lonely', property: 'safety', spuriousWakeups: true },
  { backend: 'threads', file: 'barrier', export: 'default', property: undefined, spuriousWakeups: true },
];

export const RENDEZVOUS_ROWS: readonly RendezvousRow[] = [
  ...rowsOf('threads'),
  ...ONLY_THREADS,
  ...rowsOf('async'),
];

/** The module with the scenario of a row, in papers/. */
export const moduleOf = ({ backend, file }: RendezvousRow): string =>
  `synchronisation/scenarios/${backend === 'async' ? 'async/' : ''}${file}.scenario.ts`;
