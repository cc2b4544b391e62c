/**
 * What operations do to cells. A cell holds one value: a register is one cell, a map has one per key.
 *
 *   READ      it saw a value
 *   WRITE     it writes a value, whatever was there
 *   SWAP      it saw a value and replaced it by another
 *   TAKE      it restores the initial value, and saw any other value
 *   DIFFERS   it saw any value but a certain one
 *   IDLE      it is pending and changes nothing
 *
 * Pending mutators may have taken effect or not. Values are numbers of the history's table. An absent key of a map
 * holds a value of its own.
 */
import type { History } from '../../../history/history.js';
import { NEVER, numberOfValue } from '../../../history/model/columns.js';
import type { Spec } from '../../../spec/spec.js';
import { CallReader, ValueNumbers } from '../common/call-reader.js';

export const IDLE = 0;
export const READ = 1;
export const WRITE = 2;
export const SWAP = 3;
export const TAKE = 4;
export const DIFFERS = 5;

/** Instead of a value: none. */
export const NO_VALUE = -1;

/** Instead of a writer: the initial value; a recurring initial value; never written; several possible writers. */
export const INITIAL = -1;
export const RECURRING = -2;
export const NOWHERE = -3;
export const UNCLEAR = -4;

export class Acts {
  readonly history: History;
  /** For each operation, what it does, and in which cell. */
  readonly role: Uint8Array;
  readonly cell: Int32Array;
  /** The value that it saw, or for DIFFERS did not see; and the value that it wrote. */
  readonly seen: Int32Array;
  readonly made: Int32Array;
  /** The initial value of every cell. */
  readonly initial: number;
  readonly initialValue: unknown;
  cells = 0;
  /** Operations that either wrote their value or found it there. */
  readonly unsure: number[] = [];

  constructor(history: History, initial: unknown) {
    this.history = history;
    this.initialValue = initial;
    this.role = new Uint8Array(history.length);
    this.cell = new Int32Array(history.length);
    this.seen = new Int32Array(history.length).fill(NO_VALUE);
    this.made = new Int32Array(history.length).fill(NO_VALUE);
    // if the history does not contain it, any other number will do
    this.initial = numberOfValue(history.tables, initial) ?? history.tables.values.values.length;
  }

  read(k: number, value: number): void {
    this.role[k] = READ;
    this.seen[k] = value;
  }

  write(k: number, value: number): void {
    this.role[k] = WRITE;
    this.made[k] = value;
  }

  swap(k: number, old: number, next: number): void {
    this.role[k] = SWAP;
    this.seen[k] = old;
    this.made[k] = next;
  }

  take(k: number): void {
    this.role[k] = TAKE;
    this.made[k] = this.initial;
  }

  differs(k: number, value: number): void {
    this.role[k] = DIFFERS;
    this.seen[k] = value;
  }

  /** Whether it changes the cell, or may. */
  isMutator(k: number): boolean {
    return this.made[k] !== NO_VALUE;
  }
}

/* A register, with or without compare-and-swap, as one cell. */

/** The place of a role is the number of its arguments. */
const REGISTER_ROLES = ['read', 'write', 'cas'];

/** The acts, or why the monitor declines. */
export function registerActs(history: History, spec: Spec): Acts | string {
  const { argumentStart, argument, result, return: returned } = history.columns;
  const { initial } = spec.family ?? {};
  if (!Object.is(spec.initial, initial)) return 'the initial values of the spec and of its family differ';
  if (initial === undefined && history.tables.undefinedIsNull)
    return 'the initial value is undefined, which equals null in files';
  const calls = new CallReader(history, spec, REGISTER_ROLES);
  const acts = new Acts(history, initial);
  acts.cells = 1;
  for (let k = 0; k < history.length; k++) {
    const place = calls.read(k, calls.role(k));
    if (typeof place === 'string') return place;
    const role = REGISTER_ROLES[place];
    const first = argument[argumentStart[k]];
    const next = argument[argumentStart[k] + 1];
    const isOver = returned[k] !== NEVER;
    if (role === 'read') {
      if (isOver) acts.read(k, result[k]);
    } else if (role === 'write') {
      if (!calls.isOpen(k) && !calls.answers(k, calls.done)) return calls.unexpectedResult(k);
      acts.write(k, first);
    } else if (calls.answers(k, calls.no)) {
      if (isOver) acts.differs(k, first);
    } else if (!calls.isOpen(k) && !calls.answers(k, calls.yes)) return calls.unexpectedResult(k);
    else if (first !== next) acts.swap(k, first, next);
    else if (isOver) acts.read(k, first);
  }
  return acts;
}

/**
 * A map as cells, one per key: for plain maps, and for maps whose mutators return the previous value.
 *
 *                          plain               previous
 *   put(key, v) → r        WRITE v             SWAP r, v
 *   get(key) → r           READ r
 *   remove(key) → r        TAKE, or READ       SWAP r, absent, or READ absent
 *   cas(key, a, b)         SWAP a, b if it did, DIFFERS a if not
 *   getOrElseUpdate        SWAP absent, v if it gave its own v, else READ
 *
 * The monitor declines `append`, which makes unnamed values, and maps into which the value of absent keys is put.
 *
 * The acts, or why the monitor declines.
 */
export function mapActs(history: History, spec: Spec): Acts | string {
  const { initial, kind } = spec.family ?? {};
  const { argument, argumentStart } = history.columns;
  if (!(spec.initial instanceof Map && spec.initial.size === 0)) return 'the map is not initially empty';
  if (initial === undefined && history.tables.undefinedIsNull)
    return 'absent keys hold undefined, which equals null in files';
  const acts = new Acts(history, initial);
  const calls = new CallReader(history, spec, MAP_ROLES);
  const keys = new ValueNumbers(history, 0);
  const readAs = [
    ...(kind === 'map' ? [put, get, remove] : [putPrevious, get, removePrevious]),
    cas,
    getOrElseUpdate,
  ];
  const call = new Call(calls);
  for (let k = 0; k < history.length; k++) {
    const role = calls.read(k, MAP_ARITIES[calls.role(k)]);
    if (typeof role === 'string') return role;
    acts.cell[k] = keys.take(argument[argumentStart[k]]);
    call.at(k);
    const obstacle = readAs[role](acts, call);
    if (obstacle) return obstacle;
  }
  acts.cells = keys.count;
  return acts;
}

const MAP_ROLES = ['put', 'get', 'remove', 'cas', 'getOrElseUpdate'];
/** For each role, the number of its arguments. */
const MAP_ARITIES = [2, 1, 1, 3, 2];

/** One operation: its arguments after the key, and its result, if known. */
class Call {
  k = 0;
  first = 0;
  second = 0;
  result = 0;
  /** Whether the result is known, and whether it returned. If only the first, a cut has left it open. */
  isKnown = false;
  isOver = false;
  readonly calls: CallReader;

  constructor(calls: CallReader) {
    this.calls = calls;
  }

  at(k: number): void {
    const { argument, argumentStart, result, return: returned } = this.calls.history.columns;
    this.k = k;
    this.first = argument[argumentStart[k] + 1];
    this.second = argument[argumentStart[k] + 2];
    this.result = result[k];
    this.isKnown = !this.calls.isOpen(k);
    this.isOver = returned[k] !== NEVER;
  }
}

const PUTS_ABSENCE = 'a value equals that of absent keys';

function get(acts: Acts, { k, result, isOver }: Call): undefined {
  if (isOver) acts.read(k, result);
}

function put(acts: Acts, { k, first, result, isKnown, calls }: Call): string | undefined {
  if (first === acts.initial) return PUTS_ABSENCE;
  if (isKnown && result !== calls.done) return calls.unexpectedResult(k);
  acts.write(k, first);
  return undefined;
}

function putPrevious(acts: Acts, { k, first, result, isKnown }: Call): string | undefined {
  if (first === acts.initial) return PUTS_ABSENCE;
  if (!isKnown) acts.write(k, first);
  else if (result === first) return 'a put returned its own value';
  else acts.swap(k, result, first);
  return undefined;
}

function remove(acts: Acts, { k, result, isKnown, isOver, calls }: Call): string | undefined {
  if (!isKnown) acts.write(k, acts.initial);
  else if (result === calls.yes) acts.take(k);
  else if (result !== calls.no) return calls.unexpectedResult(k);
  else if (isOver) acts.read(k, acts.initial);
  return undefined;
}

function removePrevious(acts: Acts, { k, result, isKnown, isOver }: Call): undefined {
  if (!isKnown) acts.write(k, acts.initial);
  else if (result !== acts.initial) acts.swap(k, result, acts.initial);
  else if (isOver) acts.read(k, acts.initial);
}

function cas(acts: Acts, { k, first, second, result, isKnown, isOver, calls }: Call): string | undefined {
  if (second === acts.initial) return PUTS_ABSENCE;
  if (isKnown && result === calls.no) {
    if (isOver) acts.differs(k, first);
  } else if (isKnown && result !== calls.yes) return calls.unexpectedResult(k);
  else if (first !== second) acts.swap(k, first, second);
  else if (isOver) acts.read(k, first);
  return undefined;
}

function getOrElseUpdate(acts: Acts, { k, first, result, isKnown, isOver, calls }: Call): string | undefined {
  if (first === acts.initial) return PUTS_ABSENCE;
  if (isKnown && result === acts.initial) return calls.unexpectedResult(k);
  if (!isKnown || result === first) {
    acts.swap(k, acts.initial, first);
    if (isKnown) acts.unsure.push(k);
  } else if (isOver) acts.read(k, result);
  return undefined;
}
