/** The ready-made objects whose calls meet, by name. */
import type { SyncSpec } from '../spec/index.js';
import { abc } from './abc.js';
import { barrier } from './barrier.js';
import { broadcast } from './broadcast.js';
import { byName, type Create, type Row } from './by-name.js';
import { channel } from './channel.js';
import { closeableChannel } from './closeable-channel.js';
import { combiningBarrier } from './combining-barrier.js';
import { counterChannel } from './counter-channel.js';
import { anything, atLeastOne } from './demand.js';
import { enrollableBarrier } from './enrollable-barrier.js';
import { exchanger } from './exchanger.js';
import { filterChannel } from './filter-channel.js';
import { menAndWomen } from './men-and-women.js';
import { oneFamily } from './one-family.js';
import { terminatingQueue } from './terminating-queue.js';
import { timeoutChannel } from './timeout-channel.js';
import { timeoutExchanger } from './timeout-exchanger.js';
import { twoFamilies } from './two-families.js';

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
