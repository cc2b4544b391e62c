/**
 * The names of the ready-made objects, for help texts.
 *
 * The list stands apart from the registry, which loads every spec.
 */

export const OBJECT_NAMES: readonly string[] = [
  'register',
  'cas-register',
  'counter',
  'fetch-and-add',
  'queue',
  'stack',
  'deque',
  'priority-queue',
  'set',
  'multiset',
  'map',
  'map-previous',
  'txn-map',
  'mutex',
  'owned-mutex',
  'semaphore',
  'event',
  'latch',
];

/** Objects whose calls synchronise. */
export const RENDEZVOUS_NAMES: readonly string[] = [
  'channel',
  'filter-channel',
  'counter-channel',
  'timeout-channel',
  'closeable-channel',
  'exchanger',
  'timeout-exchanger',
  'barrier',
  'combining-barrier',
  'enrollable-barrier',
  'terminating-queue',
  'broadcast',
];

/** Those whose calls synchronise in pairs only: `monitor` can check them. */
export const PAIR_NAMES: readonly string[] = [
  'channel',
  'filter-channel',
  'timeout-channel',
  'exchanger',
  'timeout-exchanger',
];
