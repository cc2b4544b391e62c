/** The ready-made objects whose calls meet, by name. */
import type { SyncSpec } from '../spec/rendezvous/sync-spec.js';
import { byName, type Create, type Row } from './by-name.js';
import { anything, atLeastOne } from './common/parameters.js';
import { barrier } from './rendezvous/barrier.js';
import { broadcast } from './rendezvous/broadcast.js';
import { channel } from './rendezvous/channel.js';
import { closeableChannel } from './rendezvous/closeable-channel.js';
import { combiningBarrier } from './rendezvous/combining-barrier.js';
import { counterChannel } from './rendezvous/counter-channel.js';
import { enrollableBarrier } from './rendezvous/enrollable-barrier.js';
import { exchanger } from './rendezvous/exchanger.js';
import { filterChannel } from './rendezvous/filter-channel.js';
import { terminatingQueue } from './rendezvous/terminating-queue.js';
import { timeoutChannel } from './rendezvous/timeout-channel.js';
import { timeoutExchanger } from './rendezvous/timeout-exchanger.js';
import { abc } from './textbook/abc.js';
import { menAndWomen } from './textbook/men-and-women.js';
import { oneFamily } from './textbook/one-family.js';
import { twoFamilies } from './textbook/two-families.js';

const rows: readonly Row<SyncSpec>[] = [
  ['channel', {}, channel],
  ['filter-channel', {}, filterChannel],
  ['counter-channel', {}, counterChannel],
  ['timeout-channel', { empty: anything }, timeoutChannel],
  ['closeable-channel', {}, closeableChannel],
  ['exchanger', {}, exchanger],
  ['timeout-exchanger', { empty: anything }, timeoutExchanger],
  ['barrier', { parties: atLeastOne }, barrier],
  ['combining-barrier', { parties: atLeastOne }, combiningBarrier],
  ['enrollable-barrier', {}, enrollableBarrier],
  ['men-and-women', {}, menAndWomen],
  ['two-families', {}, twoFamilies],
  ['one-family', {}, oneFamily],
  ['abc', {}, abc],
  ['terminating-queue', { parties: atLeastOne, empty: anything }, terminatingQueue],
  ['broadcast', { parties: atLeastOne }, broadcast],
];

/** Name to object. */
export const syncObjects: Readonly<Record<string, Create<SyncSpec>>> = byName(rows);
