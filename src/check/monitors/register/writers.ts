/**
 * Which operation made the value that another saw.
 *
 * Where each value is made once in its cell, that is plain. Where one is made several times, real time may
 * still tell (`generations`); if not, this is beyond the monitor.
 *
 * A cell may also come back to what it held at first again and again, each time from what was seen: a map whose
 * `remove` tells the previous value. If nobody writes blindly there, no source is needed: the cell is a HUB, and
 * what begins and ends there can follow each other in any order.
 * Cost: O(n).
 */
import { ABSENT, PairMap } from '../../../base/collections/pair-map.js';
import { show } from '../../../base/values/show.js';
import { NEVER } from '../../../history/model/columns.js';
import {
  type Acts,
  DIFFERS,
  HUB,
  IDLE,
  INITIAL,
  NO_VALUE,
  NOWHERE,
  READ,
  SWAP,
  UNCLEAR,
} from './operations.js';
import { tellApart } from './versions.js';

export class Sources {
  readonly acts: Acts;
  /** Operation that saw a value to the one that made it. */
  readonly source: Int32Array;
  /** Operation to 1 if it took effect in every order; a mutator that never returned did if somebody saw that. */
  readonly isSure: Uint8Array;
  /** Cell to 1 if it is a hub. */
  readonly isHub: Uint8Array;
  /** Operation that saw one of several equal values to the mutator that tells which; or NOWHERE. Absent where values are made once. */
  readonly tells: Int32Array | undefined;

  private constructor(acts: Acts, isHub: Uint8Array, tells: Int32Array | undefined, source: Int32Array) {
    this.acts = acts;
    this.isHub = isHub;
    this.tells = tells;
    this.source = source;
    this.isSure = sureOf(acts, source);
  }

  /** The sources, or what is in their way. */
  static of(acts: Acts): Sources | string {
    const { role, cell, seen, made, initial, history } = acts;
    const { return: returned } = history.columns;
    const isHub = hubsOf(acts);

    // number the values of the cells that are made, and count how often
    const numbers = new PairMap();
    const first: number[] = [];
    const times: number[] = [];
    const makes = new Int32Array(history.length).fill(NO_VALUE);
    let hasRepeated = false;
    for (let k = 0; k < history.length; k++) {
      if (made[k] === NO_VALUE || (made[k] === initial && isHub[cell[k]])) continue;
      let number = numbers.get(cell[k], made[k]);
      if (number === ABSENT) {
        number = times.length;
        numbers.add(cell[k], made[k], number);
        first.push(k);
        times.push(made[k] === initial ? 1 : 0);
      }
      makes[k] = number;
      if (++times[number] > 1) hasRepeated = true;
    }
    for (const k of acts.unsure)
      if (times[makes[k]] > 1) return `${valueInWords(acts, made[k])} is put in more than once`;

    // where it is plain
    const source = new Int32Array(history.length).fill(NOWHERE);
    const wants = new Int32Array(history.length).fill(NO_VALUE);
    for (let k = 0; k < history.length; k++) {
      if (seen[k] === NO_VALUE || role[k] === DIFFERS) continue;
      if (seen[k] === initial && isHub[cell[k]]) source[k] = HUB;
      else {
        const number = numbers.get(cell[k], seen[k]);
        if (number === ABSENT) source[k] = seen[k] === initial ? INITIAL : NOWHERE;
        else if (times[number] === 1) source[k] = first[number];
        else wants[k] = number;
      }
    }
    const isInitial = (value: number): boolean => made[first[value]] === initial;
    const tells = hasRepeated
      ? tellApart(acts, { makes, wants, values: times.length, isInitial }, source)
      : undefined;
    const sources = new Sources(acts, isHub, tells, source);

    for (let k = 0; k < history.length; k++) {
      if (!sources.isSure[k]) continue;
      if (source[k] === UNCLEAR) return `${valueInWords(acts, seen[k])} is written more than once`;
      if (isHub[cell[k]] && returned[k] === NEVER && made[k] !== NO_VALUE && role[k] !== SWAP)
        return 'an operation that never returned, of which it is not known what it replaced';
    }
    for (let k = 0; k < history.length; k++)
      if (isHub[cell[k]] && returned[k] === NEVER && made[k] === initial)
        return 'a removal that never returned';
    return sources;
  }
}

function valueInWords({ history }: Acts, number: number): string {
  const { values } = history.tables.values;
  return number < values.length ? show(values[number]) : 'the value that is there at first';
}

/** Cells that come back to what they held at first, and into which nobody who returned wrote blindly. */
function hubsOf({ role, cell, made, initial, history, cells }: Acts): Uint8Array {
  const { return: returned } = history.columns;
  const [comesBack, isBlind] = [new Uint8Array(cells), new Uint8Array(cells)];
  for (let k = 0; k < history.length; k++) {
    if (made[k] === NO_VALUE || returned[k] === NEVER) continue;
    if (role[k] !== SWAP) isBlind[cell[k]] = 1;
    else if (made[k] === initial) comesBack[cell[k]] = 1;
  }
  for (let c = 0; c < cells; c++) if (isBlind[c]) comesBack[c] = 0;
  return comesBack;
}

/** Who returned, and who made what they saw. */
function sureOf({ role, history }: Acts, source: Int32Array): Uint8Array {
  const { return: returned } = history.columns;
  const isSure = new Uint8Array(history.length);
  for (let k = 0; k < history.length; k++) {
    if (role[k] === IDLE || returned[k] === NEVER) continue;
    isSure[k] = 1;
    if (role[k] !== READ && role[k] !== SWAP) continue;
    for (let maker = source[k]; maker >= 0 && !isSure[maker] && returned[maker] === NEVER; ) {
      isSure[maker] = 1;
      maker = role[maker] === SWAP ? source[maker] : INITIAL;
    }
  }
  return isSure;
}
