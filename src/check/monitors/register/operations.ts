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
import { NEVER, numberOfValue, RETURNED, THREW } from '../../../history/model/columns.js';
import type { Spec } from '../../../spec/spec.js';

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

/** Why an operation of the history cannot be read as an act; undefined if all can. */
function unreadable({ columns, tables }: History, arity: ReadonlyMap<string, number>): string | undefined {
  const { method, status, argumentStart } = columns;
  const arityOf = tables.methods.map((name) => arity.get(name) ?? -1);
  for (let k = 0; k < method.length; k++) {
    const args = argumentStart[k + 1] - argumentStart[k];
    if (args === arityOf[method[k]] && status[k] !== THREW) continue;
    const name = tables.methods[method[k]];
    if (arityOf[method[k]] < 0) return `unsupported operation ${name}`;
    return status[k] === THREW ? `${name} threw an error` : `${name} has ${args} arguments`;
  }
  return undefined;
}

/** The numbers of the values that results are compared with. */
function answers(tables: History['tables']): { done: number; yes: number; no: number } {
  const numberOf = (value: unknown): number => numberOfValue(tables, value) ?? NO_VALUE;
  return { done: numberOf(undefined), yes: numberOf(true), no: numberOf(false) };
}

/** Whether the result of an operation is known. */
const isKnown = ({ columns }: History, k: number): boolean => columns.status[k] === RETURNED;

/* A register, with or without compare-and-swap, as one cell. */

/** The acts, or why the monitor declines. */
export function registerActs(history: History, spec: Spec): Acts | string {
  const { columns, tables, length } = history;
  const { method, argumentStart, argument, result, return: returned } = columns;
  const { roles = {}, initial } = spec.family ?? {};
  const obstacle = unreadable(
    history,
    new Map([
      [roles.read, 0],
      [roles.write, 1],
      [roles.cas, 2],
    ]),
  );
  if (obstacle) return obstacle;
  if (!Object.is(spec.initial, initial)) return 'the initial values of the spec and of its family differ';
  if (initial === undefined && tables.undefinedIsNull)
    return 'the initial value is undefined, which equals null in files';
  const { done, yes, no } = answers(tables);
  const [read, write] = [roles.read, roles.write].map((role) => tables.methods.indexOf(role));
  const acts = new Acts(history, initial);
  acts.cells = 1;
  for (let k = 0; k < length; k++) {
    const first = argument[argumentStart[k]];
    const isOver = returned[k] !== NEVER;
    if (method[k] === read) {
      if (isOver) acts.read(k, result[k]);
    } else if (method[k] === write) {
      if (isKnown(history, k) && result[k] !== done) return `unexpected result of ${roles.write}`;
      acts.write(k, first);
    } else {
      const next = argument[argumentStart[k] + 1];
      if (isKnown(history, k) && result[k] !== yes && result[k] !== no)
        return `unexpected result of ${roles.cas}`;
      if (isKnown(history, k) && result[k] === no) {
        if (isOver) acts.differs(k, first);
      } else if (first !== next) acts.swap(k, first, next);
      else if (isOver) acts.read(k, first);
    }
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
  const { roles = {}, initial } = spec.family ?? {};
  const { tables } = history;
  const obstacle = unreadable(
    history,
    new Map([
      [roles.get, 1],
      [roles.put, 2],
      [roles.remove, 1],
      [roles.cas, 3],
      [roles.getOrElseUpdate, 2],
    ]),
  );
  if (obstacle) return obstacle;
  if (!(spec.initial instanceof Map && spec.initial.size === 0)) return 'the map is not initially empty';
  if (initial === undefined && tables.undefinedIsNull)
    return 'absent keys hold undefined, which equals null in files';
  const acts = new Acts(history, initial);
  numberKeys(acts);
  const readers = [roles.put, roles.get, roles.remove, roles.cas, roles.getOrElseUpdate];
  const kindOf = tables.methods.map((name) => readers.indexOf(name));
  const kinds = spec.family?.kind === 'map' ? [put, get, remove] : [putPrevious, get, removePrevious];
  const readAs = [...kinds, cas, getOrElseUpdate];
  const call = new Call(acts);
  for (let k = 0; k < history.length; k++) {
    call.at(k);
    const obstacle = readAs[kindOf[history.columns.method[k]]](acts, call);
    if (obstacle) return obstacle;
  }
  return acts;
}

/** One operation: its arguments after the key, and its result, if known. */
class Call {
  k = 0;
  first = 0;
  second = 0;
  result = 0;
  /** Whether the result is known, and whether it returned. If only the first, a cut has left it open. */
  isKnown = false;
  isOver = false;
  readonly answers: ReturnType<typeof answers>;
  readonly #history: History;

  constructor({ history }: Acts) {
    this.#history = history;
    this.answers = answers(history.tables);
  }

  at(k: number): void {
    const { argument, argumentStart, result, return: returned } = this.#history.columns;
    this.k = k;
    this.first = argument[argumentStart[k] + 1];
    this.second = argument[argumentStart[k] + 2];
    this.result = result[k];
    this.isKnown = isKnown(this.#history, k);
    this.isOver = returned[k] !== NEVER;
  }
}

const PUTS_ABSENCE = 'a value equals that of absent keys';

function get(acts: Acts, { k, result, isOver }: Call): undefined {
  if (isOver) acts.read(k, result);
}

function put(acts: Acts, { k, first, result, isKnown, answers: { done } }: Call): string | undefined {
  if (first === acts.initial) return PUTS_ABSENCE;
  if (isKnown && result !== done) return 'unexpected result of put';
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

function remove(acts: Acts, { k, result, isKnown, isOver, answers: { yes, no } }: Call): string | undefined {
  if (!isKnown) acts.write(k, acts.initial);
  else if (result === yes) acts.take(k);
  else if (result !== no) return 'unexpected result of remove';
  else if (isOver) acts.read(k, acts.initial);
  return undefined;
}

function removePrevious(acts: Acts, { k, result, isKnown, isOver }: Call): undefined {
  if (!isKnown) acts.write(k, acts.initial);
  else if (result !== acts.initial) acts.swap(k, result, acts.initial);
  else if (isOver) acts.read(k, acts.initial);
}

function cas(
  acts: Acts,
  { k, first, second, result, isKnown, isOver, answers: { yes, no } }: Call,
): string | undefined {
  if (second === acts.initial) return PUTS_ABSENCE;
  if (isKnown && result === no) {
    if (isOver) acts.differs(k, first);
  } else if (isKnown && result !== yes) return 'unexpected result of cas';
  else if (first !== second) acts.swap(k, first, second);
  else if (isOver) acts.read(k, first);
  return undefined;
}

function getOrElseUpdate(acts: Acts, { k, first, result, isKnown, isOver }: Call): string | undefined {
  if (first === acts.initial) return PUTS_ABSENCE;
  if (isKnown && result === acts.initial) return 'unexpected result of getOrElseUpdate';
  if (!isKnown || result === first) {
    acts.swap(k, acts.initial, first);
    if (isKnown) acts.unsure.push(k);
  } else if (isOver) acts.read(k, result);
  return undefined;
}

/** Numbers the keys by first occurrence. */
function numberKeys(acts: Acts): void {
  const { columns, tables, length } = acts.history;
  const { argument, argumentStart } = columns;
  const all = tables.values.values.length;
  // one of many objects touches few of the values
  if (all > 16 * length) {
    const numbers = new Map<number, number>();
    for (let k = 0; k < length; k++) {
      const key = argument[argumentStart[k]];
      let number = numbers.get(key);
      if (number === undefined) {
        number = acts.cells++;
        numbers.set(key, number);
      }
      acts.cell[k] = number;
    }
    return;
  }
  const numbers = new Int32Array(all).fill(-1);
  for (let k = 0; k < length; k++) {
    const key = argument[argumentStart[k]];
    if (numbers[key] < 0) numbers[key] = acts.cells++;
    acts.cell[k] = numbers[key];
  }
}
