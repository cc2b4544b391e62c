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
 */
import type { History } from '../../../history/history.js';
import { NEVER } from '../../../history/model/columns.js';
import type { Spec } from '../../../spec/spec.js';
import { Acts, answers, isKnown, unreadable } from './operations.js';

/** The acts, or why the monitor declines. */
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
