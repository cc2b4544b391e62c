/**
 * The objects of examples/meetings with their faulty versions, as the paper's section 7 has them.
 *
 *   J. Lawrence, G. Lowe. Synchronisation: specification and testing. 2025.
 */

export interface MeetingRow {
  readonly file: string;
  readonly export: string;
  /** What is wrong; none: the correct version. */
  readonly property: 'safety' | 'progress' | undefined;
  /** Milliseconds that the paper's tester took to find it, if it tells. */
  readonly paper?: number;
}

/** Fault to its property, and what the paper took. */
type Faults = Readonly<Record<string, readonly [property: 'safety' | 'progress', paper?: number]>>;

const rowsOf = (file: string, faults: Faults): MeetingRow[] => [
  { file, export: 'default', property: undefined },
  ...Object.entries(faults).map(([name, [property, paper]]) => ({
    file,
    export: name,
    property,
    ...(paper !== undefined && { paper }),
  })),
];

export const MEETING_ROWS: readonly MeetingRow[] = [
  ...rowsOf('channel', { hasty: ['safety', 85], flag: ['progress', 323] }),
  ...rowsOf('filter-channel', { careless: ['safety', 77], oneSlot: ['progress', 338] }),
  ...rowsOf('men-and-women', { twoSlots: ['safety', 75], oneWoken: ['progress', 232] }),
  ...rowsOf('exchanger', { early: ['safety', 73], stuck: ['progress'] }),
  ...rowsOf('counter-channel', { early: ['safety', 94], flag: ['progress'] }),
  ...rowsOf('two-families', { late: ['safety', 299], hasty: ['progress'] }),
  ...rowsOf('one-family', { late: ['safety', 336], hasty: ['progress', 1098] }),
  ...rowsOf('abc', { overtaken: ['safety', 717], forgetful: ['progress', 1080] }),
  ...rowsOf('barrier', { open: ['safety'], reentrant: ['safety', 169], countless: ['safety', 80] }),
  ...rowsOf('enrollable-barrier', { reentrant: ['safety', 132], forgetful: ['progress'] }),
  ...rowsOf('timeout-channel', { flag: ['safety', 121] }),
  ...rowsOf('timeout-exchanger', { litterer: ['safety', 288], crowded: ['safety'] }),
  ...rowsOf('closeable-channel', { hasty: ['safety', 191], oneWoken: ['progress'] }),
  ...rowsOf('terminating-queue', { impatient: ['safety', 103], silent: ['progress'], trusting: ['safety'] }),
];
