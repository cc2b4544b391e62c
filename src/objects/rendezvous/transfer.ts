/** What the calls of a channel are, and what they must have met: who sent a value met one who received it. */
import type { Pair } from '../../spec/rendezvous/sync-spec.js';

export const sent = (value: unknown): Pair => [
  ['send', value],
  ['receive', value],
];

export const received = (value: unknown): Pair => [
  ['receive', value],
  ['send', value],
];
