/**
 * When turns begin and end, and when those come who were refused.
 *
 * Who was refused, since somebody holds it, needs a moment at which one can. So turns are as long
 * as can be: one ends where the next begins, if these can meet. If not, it is surely free from the return
 * of the unlock to the call of the next lock, and whose call falls into that gap as a whole is wrong.
 *
 * A slot is the gap behind an event. It has at most one end of a turn and one beginning, in this
 * order. Who was refused comes before the end, or else behind the beginning. Cost: O(n).
 */
import { NEVER } from '../../../history/index.js';
import { Chains, END } from '../chains.js';
import type { Ruling } from '../monitor.js';
import { BUSY, LOCK, NONE, NOT_OWNER, OPEN_TRY, OPEN_UNLOCK, type Owned, UNLOCK } from './owned.js';
import type { Turns } from './turns.js';

/** It has no slot, and is no part of the order. */
const NO_SLOT = -1;

export function turnOrder(owned: Owned, turns: Turns): Ruling {
  const { history, role } = owned;
  const { call, return: returned } = history.columns;
  const slot = new Int32Array(history.length).fill(NO_SLOT);
  const gaps: Gap[] = [];
  const begins = turns.claim === NONE ? turns.lock : [...turns.lock, turns.claim];
  for (let turn = 0; turn <= begins.length; turn++) {
    const unlock = turn === 0 ? NONE : (turns.unlock[turn - 1] ?? NONE);
    const lock = begins[turn] ?? NONE;
    // the last turn goes on for ever if it can
    const isLast = turn >= turns.lock.length;
    if (isLast && turn > 0 && (unlock === NONE || returned[unlock] === NEVER)) break;
    const [over, next] = [unlock === NONE ? 0 : returned[unlock], lock === NONE ? NEVER : call[lock]];
    if (over <= next) gaps.push({ turn, over, next });
    if (unlock !== NONE) slot[unlock] = over <= next ? over - 1 : Math.max(call[unlock], next);
    if (lock !== NONE) slot[lock] = unlock === NONE || over <= next ? next : slot[unlock];
  }
  let g = 0;
  for (let k = 0; k < role.length; k++) {
    if ((role[k] !== BUSY && role[k] !== NOT_OWNER) || returned[k] === NEVER) continue;
    while (g < gaps.length && gaps[g].next <= call[k]) g++;
    slot[k] = g < gaps.length && gaps[g].over <= call[k] ? gaps[g].next : call[k];
    if (slot[k] > returned[k]) return refusedWhileFree(owned, turns, k, gaps[g].turn);
  }
  return { kind: 'order', order: inSlots(owned, slot) };
}

/** Surely free from the end of the turn before a turn to its beginning. */
interface Gap {
  readonly turn: number;
  readonly over: number;
  readonly next: number;
}

function refusedWhileFree({ history }: Owned, { lock, unlock }: Turns, k: number, turn: number): Ruling {
  const { id } = history.columns;
  const [begin, end, next] = [lock[turn - 1], unlock[turn - 1], lock[turn]];
  const idOf = (operation: number | undefined) => (operation === undefined ? undefined : id[operation]);
  return {
    kind: 'contradiction',
    operations: [begin, end, k, next].filter((operation) => operation !== undefined),
    cause: { kind: 'surely free', operation: id[k], after: idOf(end), before: idOf(next) },
    minimal: true,
  };
}

function inSlots({ history, role }: Owned, slot: Int32Array): Int32Array {
  const { events } = history.columns;
  const members = new Chains(events.length, history.length, (k) => slot[k]);
  const order = new Int32Array(history.length);
  let length = 0;
  for (let moment = 0; moment < events.length; moment++) {
    let [end, begin] = [NONE, NONE];
    for (let k = members.first(moment); k !== END; k = members.next(k)) {
      if (role[k] === UNLOCK || role[k] === OPEN_UNLOCK) end = k;
      else if (role[k] === LOCK || role[k] === OPEN_TRY) begin = k;
    }
    if (end === NONE && begin !== NONE) order[length++] = begin;
    for (let k = members.first(moment); k !== END; k = members.next(k))
      if (k !== end && k !== begin) order[length++] = k;
    if (end !== NONE) order[length++] = end;
    if (end !== NONE && begin !== NONE) order[length++] = begin;
  }
  return order.subarray(0, length);
}
