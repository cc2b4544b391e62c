import { expect, test } from 'vitest';
import { check } from '../../check/check.js';
import { sketch } from '../../history/drawing/sketch.js';
import { counterChannel } from '../../objects/rendezvous/counter-channel.js';
import type { SyncSpec } from '../../spec/rendezvous/sync-spec.js';
import { walkMeetings } from './rendezvous-steps.js';

test('the state of the spec after each meeting', () => {
  const history = sketch`
    A  |- send("a") -> 1 ------------|  |- send("b") -> 2 ----------|
    B     |- receive() -> ["a", 1] -|     |- receive() -> ["b", 2] -|`;
  const specOf = () => counterChannel() as SyncSpec;
  const verdict = check(history, specOf);
  if (verdict.kind !== 'linearizable') throw new Error('expected meetings');
  const meetings = (verdict.witness.meetings ?? []).map((members) => [...members]);
  expect(walkMeetings(history, specOf, meetings)).toEqual(['1', '2']);
});
