/** The objects whose calls meet, and some that are odder, as the generator sees them. */
import { mutex } from '../../src/objects/locks/mutex.js';
import {
  barrier,
  broadcast,
  combiningBarrier,
  enrollableBarrier,
} from '../../src/objects/rendezvous/barrier.js';
import {
  channel,
  closeableChannel,
  counterChannel,
  filterChannel,
  timeoutChannel,
} from '../../src/objects/rendezvous/channel.js';
import { exchanger, timeoutExchanger } from '../../src/objects/rendezvous/exchanger.js';
import { terminatingQueue } from '../../src/objects/rendezvous/terminating-queue.js';
import { abc } from '../../src/objects/textbook/abc.js';
import { menAndWomen } from '../../src/objects/textbook/men-and-women.js';
import { oneFamily } from '../../src/objects/textbook/one-family.js';
import { twoFamilies } from '../../src/objects/textbook/two-families.js';
import { aloneSpec } from '../../src/spec/rendezvous/as-sync-spec.js';
import type { SyncSpec } from '../../src/spec/rendezvous/sync-spec.js';
import { oneOf } from '../../src/spec/spec.js';
import type { MeetingSubject } from './random-meetings.js';

const values = [[1], [2], [3]];
const names = [[0], [1], [2]];
const transfer = { send: values, receive: [[]] };

/** Two calls of one method meet where they are near each other: a relation that no class tells. */
const near: SyncSpec = {
  name: 'near',
  initial: null,
  meetings: {
    'meet+meet': (state: null, [one]: [number], [two]: [number]) =>
      Math.abs(one - two) <= 1 ? [state, [undefined, undefined]] : oneOf(),
  },
};

/** A channel that may lose or double what is sent: what the spec leaves open. */
const unsure: SyncSpec = {
  name: 'unsure',
  initial: 0,
  meetings: {
    'send+receive': (lost: number, [value]: [number]) =>
      oneOf([lost, [undefined, value]], [lost + 1, [undefined, null]]),
    receive: (lost: number) => (lost > 0 ? oneOf([lost - 1, [9]], [lost, [8]]) : oneOf()),
  },
};

const subject = (spec: unknown, calls: MeetingSubject['calls']): MeetingSubject => ({
  spec: spec as SyncSpec,
  calls,
});

export const meetingSubjects: readonly MeetingSubject[] = [
  subject(channel(), transfer),
  subject(filterChannel(), { send: values, receive: [['even'], ['odd'], [[1, 2]]] }),
  subject(counterChannel(), transfer),
  subject(timeoutChannel(), { ...transfer, send: [[1], [2], [null]] }),
  subject(closeableChannel(), { ...transfer, close: [[]] }),
  subject(exchanger(), { exchange: values }),
  subject(timeoutExchanger(), { exchange: values }),
  subject(barrier(), { sync: names }),
  subject(barrier({ parties: 3 }), { sync: names }),
  subject(combiningBarrier(), {
    sync: [
      [0, 1],
      [1, 2],
      [2, 2],
    ],
  }),
  subject(enrollableBarrier(), { enrol: names, resign: names, sync: names }),
  subject(menAndWomen(), { man: names, woman: names }),
  subject(twoFamilies(), { left: [[0], [1]], right: [[0], [1]] }),
  subject(oneFamily(), { meet: names }),
  subject(abc(), { a: [[0], [1]], b: [[0], [1]], c: [[0], [1]] }),
  subject(terminatingQueue(), { enqueue: values, dequeue: [[]] }),
  subject(broadcast(), transfer),
  subject(near, { meet: [[0], [1], [2], [3]] }),
  subject(unsure, transfer),
  subject(aloneSpec(mutex()), { lock: [[]], unlock: [[]], tryLock: [[]] }),
];
