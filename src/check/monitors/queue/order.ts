/**
 * A linearization of a queue, once no condition is violated.
 *
 * Slots with "empty" results divide the values into blocks: those that are gone by then, and the rest. Within a
 * block, values have a sequence (`sequence.ts`). Each operation takes effect at the latest call so far: along the
 * sequence for enqueues, and separately for peeks and dequeues. Merged by these moments, this is the order of the
 * block.
 *
 * Cost: O(n).
 */

import { NEVER } from '../../../history/model/columns.js';
import { END, GroupedLists } from '../common/lists.js';
import { type Container, EMPTY, NONE, PEEK } from '../container/container.js';
import { queueSequence } from './sequence.js';
import type { QueueTimes } from './times.js';

/** `slots`: where "empty" results take effect. */
export function queueOrder(container: Container, times: QueueTimes, slots: Int32Array): Int32Array {
  const { history, role, value, add } = container;
  const { events, call } = history.columns;
  const { put, inside, taken } = times;
  const slotsBefore = countSlots(slots, events.length);
  const blocks = slotsBefore[events.length] + 1;
  const blockOf = inside.map((moment) => (moment === NEVER ? END : slotsBefore[Math.max(0, moment)]));
  const sequence = queueSequence(container, times, blockOf, blocks);

  const empties = new GroupedLists(blocks, history.length, (k) =>
    role[k] === EMPTY ? slotsBefore[slots[k]] : END,
  );
  const peeks = new GroupedLists(put.length, history.length, (k) => (role[k] === PEEK ? value[k] : END));
  const order = new Int32Array(history.length);
  const entered = new Int32Array(sequence.length);
  let length = 0;
  let begin = 0;
  for (let block = 0; block < blocks; block++) {
    let end = begin;
    while (end < sequence.length && blockOf[sequence[end]] === block) end++;
    let [entering, leaving] = [begin, begin];
    let peek = leaving < end ? peeks.first(sequence[leaving]) : END;
    // the moments at which the last operation of both kinds took effect; and for each value the moment of its enqueue
    let [putAt, takenAt] = [-1, -1];
    for (;;) {
      const next = leaving === end ? NONE : peek === END ? taken[sequence[leaving]] : peek;
      if (entering === end && next === NONE) break;
      if (entering < end) {
        const at = Math.max(putAt, put[sequence[entering]]);
        if (entering === leaving || next === NONE || at <= Math.max(takenAt, call[next], entered[leaving])) {
          putAt = at;
          entered[entering] = at;
          const k = add[sequence[entering++]];
          if (k !== NONE) order[length++] = k;
          continue;
        }
      }
      takenAt = Math.max(takenAt, call[next], entered[leaving]);
      order[length++] = next;
      if (peek !== END) peek = peeks.next(peek);
      else if (++leaving < end) peek = peeks.first(sequence[leaving]);
    }
    for (let k = empties.first(block); k !== END; k = empties.next(k)) order[length++] = k;
    begin = end;
  }
  return order.subarray(0, length);
}

/** For each moment, the number of used slots before it. */
function countSlots(slots: Int32Array, moments: number): Int32Array {
  const before = new Int32Array(moments + 1);
  for (let k = 0; k < slots.length; k++) if (slots[k] >= 0) before[slots[k] + 1] = 1;
  for (let moment = 1; moment <= moments; moment++) before[moment] += before[moment - 1];
  return before;
}
