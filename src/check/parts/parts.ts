/**
 * Splits a history into objects, and into the parts of each that never affect each other.
 *
 *   M. Herlihy, J. Wing. Linearizability: a correctness condition for concurrent
 *   objects. TOPLAS 12(3), 1990, theorem 1: a history is linearizable exactly
 *   when each object's is. The same holds for parts, which are objects inside one.
 *
 * Operations of several parts join these (union-find), and so does an "after" edge, which the theorem does
 * not cover.
 *
 * Cost: near O(n).
 */

import { UnionFind } from '../../base/collections/int-set.js';
import { distinct, pick } from '../../base/collections/ints.js';
import { show } from '../../base/values/show.js';
import type { History } from '../../history/history.js';
import { Machine } from '../../spec/machine/machine.js';
import { type PartKey, requireNoContext, type Spec } from '../../spec/spec.js';
import type { PartCut } from '../model/verdict.js';
import { type Monitored, monitored } from '../monitors/registry.js';

/*
 * Joins the linearizations of the parts.
 *
 * In its own order, an operation can take effect at the latest call among itself and those before it; that is before
 * its return, or the order would be invalid. Sorted by these moments, operations of all parts respect real time
 * together: an operation that returns before another is called takes effect before it. This is the locality theorem,
 * run forward.
 *
 * So at each call, if its operation is next in its part, it takes effect, and after it those of its part that were
 * called earlier and waited for it. If it is not next, it waits itself for one that is called later. Cost: O(n), with
 * sequential memory access.
 */

/**
 * Orders, like the result, list operations by id; `partOf` maps an id to the number of its order. Ids ascend as calls
 * do.
 */
export function joinOrders(orders: readonly Int32Array[], partOf: Int32Array): Int32Array {
  if (orders.length === 1) return orders[0];
  const joined = new Int32Array(orders.reduce((sum, order) => sum + order.length, 0));
  let length = 0;
  /** For each order, its next place. */
  const next = new Int32Array(orders.length);
  for (let operation = 0; operation < partOf.length; operation++) {
    const part = partOf[operation];
    const order = orders[part];
    let i = next[part];
    if (order[i] !== operation) continue;
    do joined[length++] = order[i++];
    while (i < order.length && order[i] < operation);
    next[part] = i;
  }
  return joined;
}

/* The operations on one key as a part, if a monitor has read those on all keys as one. */

/** The operations that are related to an operation, as a part. */
export function partAmong(part: Part, operation: number, among: (k: number) => boolean): Part {
  const { history, spec, objectMachine } = part;
  return new Part({
    name: subpartName(part, operation),
    history: history.select(among),
    spec,
    objectMachine,
    cuts: [...part.cuts, 'part'],
    monitored: undefined,
  });
}

/** The name of the part of an operation, if a monitor has read several as one. */
function subpartName({ name, history, spec, cuts }: Part, operation: number): string {
  if (cuts.includes('part')) return name;
  const { columns, tables } = history;
  const keys = spec.part?.(tables.methods[columns.method[operation]], history.args(operation)) ?? [];
  return [name, keys]
    .flat()
    .map((key) => (typeof key === 'string' ? key : show(key)))
    .filter((key) => key !== '')
    .join(' ');
}

/** The spec of each object of a history; `undefined` is the object without a name. */
export type SpecOf = (object: string | undefined) => Spec;

/** Bytes per operation: its letter; and if there are parts, their columns and the memory to make them. */
const LETTER_BYTES = 8;
const PART_BYTES = 40;

/** The memory needed to split a history, estimated. */
export function bytesForParts(history: History, specOf: SpecOf): number {
  const hasParts = history.tables.objects.length > 1 || specOf(history.objects[0]).part !== undefined;
  return history.length * (LETTER_BYTES + (hasParts ? PART_BYTES : 0));
}

/**
 * Parts of an object that a monitor cannot read as one are read one by one, if the object has at most this many
 * operations, and until the unreadable ones have this many operations more than the others. The rest is searched: a
 * part has few states, and reading a million operations part by part takes longer.
 */
const MOST_TRIED = 20_000;
const MOST_DECLINED = 1_000;

/** `monitors`: an object that a monitor can read is not split. */
export function partsOf(history: History, specOf: SpecOf, { monitors }: { monitors: boolean }): Part[] {
  return objectsOf(history).flatMap(({ name, history: own, cuts }) =>
    partsOfObject(own, specOf(name), name, cuts, monitors),
  );
}

/** The history of one object. */
export interface ObjectHistory {
  readonly name: string | undefined;
  readonly history: History;
  readonly cuts: readonly PartCut[];
}

export function objectsOf(history: History): ObjectHistory[] {
  const { object } = history.columns;
  const objects = history.tables.objects.length > 1 ? history.partition(numberedByFirst(object)) : [history];
  return objects.map((own) => ({
    name: own.tables.objects[own.columns.object[0]],
    history: own,
    cuts: objects.length > 1 ? (['object'] as const) : [],
  }));
}

/** For each id of an operation, the number of its part; 0 also for a failed operation, which has none. */
export function partNumbers(history: History, parts: readonly Part[]): Int32Array {
  const { id } = history.columns;
  const numbers = new Int32Array(id.length === 0 ? 0 : id[id.length - 1] + 1);
  for (let number = 1; number < parts.length; number++) {
    const own = parts[number].history.columns.id;
    for (let k = 0; k < own.length; k++) numbers[own[k]] = number;
  }
  return numbers;
}

function partsOfObject(
  history: History,
  spec: Spec,
  object: string | undefined,
  cuts: readonly PartCut[],
  monitors: boolean,
): Part[] {
  if (spec.family)
    requireNoContext(
      spec,
      'the spec has a family, whose monitors do not run its methods; remove one of them',
    );
  const happened = history.withoutFailed();
  const objectMachine = new ObjectMachine(history, spec);
  const whole = monitors && callsOnly(history, spec) ? monitored(happened, spec) : undefined;
  const isRead = whole !== undefined && 'reading' in whole;
  const { numbers, names } = isRead ? WHOLE : numberParts(happened, objectMachine.made);
  if (names.length <= 1)
    return [
      new Part({
        name: nameOf(object, names[0]),
        history: happened,
        spec,
        objectMachine,
        cuts,
        monitored: whole,
      }),
    ];
  let allowance = happened.length <= MOST_TRIED ? MOST_DECLINED : 0;
  return happened.partition(numbers).map((part, number) => {
    const own = whole && allowance > 0 ? monitored(part, spec) : whole;
    allowance += own && 'reading' in own ? part.length : -part.length;
    return new Part({
      name: nameOf(object, names[number]),
      history: part,
      spec,
      objectMachine,
      cuts: [...cuts, 'part'],
      monitored: own,
    });
  });
}

const WHOLE = { numbers: new Int32Array(0), names: [undefined] };

const nameOf = (object: string | undefined, part: string | undefined): string =>
  [object, part].filter((name) => name !== undefined).join(' ');

/** Whether it calls only methods of the spec, in failed operations too. If not, the machine reports it. */
function callsOnly({ columns, tables }: History, { methods }: Spec): boolean {
  return distinct(columns.method).every((method) => Object.hasOwn(methods, tables.methods[method]));
}

/**
 * For each operation, the number of its part, and the parts' names. Operations with the same letter are in the same
 * part.
 */
function numberParts(
  history: History,
  machine: Machine,
): { numbers: Int32Array; names: (string | undefined)[] } {
  const letters = machine.lettersOf(history);
  const together = { numbers: letters, names: [undefined] };

  // join the letters that share a key or an "after" edge
  const sets = new UnionFind(machine.letterCount);
  const letterOfKey = new Map<PartKey, number>();
  const used = usedLetters(letters, machine.letterCount);
  for (const letter of used) {
    const keys = machine.partsOf(letter);
    if (keys === undefined) return together;
    for (const key of keys) {
      const known = letterOfKey.get(key);
      if (known === undefined) letterOfKey.set(key, letter);
      else sets.union(known, letter);
    }
  }
  const { after } = history.columns;
  if (after)
    for (let k = 0; k < history.length; k++)
      for (let i = after.start[k]; i < after.start[k + 1]; i++)
        sets.union(letters[k], letters[after.items[i]]);

  // letters are numbered by their first use, so parts are too
  const partOf = new Int32Array(machine.letterCount);
  const numberOfRoot = new Map<number, number>();
  for (const letter of used) {
    const root = sets.find(letter);
    const number = numberOfRoot.get(root) ?? numberOfRoot.size;
    numberOfRoot.set(root, number);
    partOf[letter] = number;
  }
  const names: string[] = [];
  for (const [key, letter] of letterOfKey) {
    const number = partOf[letter];
    names[number] = [names[number] ?? [], typeof key === 'string' ? key : show(key)].flat().join(', ');
  }
  return { numbers: pick(partOf, letters), names };
}

/** Letters of failed operations only are in no part. */
function usedLetters(letters: Int32Array, count: number): number[] {
  const used = new Uint8Array(count);
  for (let k = 0; k < letters.length; k++) used[letters[k]] = 1;
  const list: number[] = [];
  for (let letter = 0; letter < count; letter++) if (used[letter]) list.push(letter);
  return list;
}

/** The same marks as 0, 1, … in order of first use. */
function numberedByFirst(marks: Int32Array): Int32Array {
  let most = -1;
  for (let k = 0; k < marks.length; k++) if (marks[k] > most) most = marks[k];
  const numberOf = new Int32Array(most + 1).fill(-1);
  const numbers = new Int32Array(marks.length);
  let next = 0;
  for (let k = 0; k < marks.length; k++) {
    if (numberOf[marks[k]] < 0) numberOf[marks[k]] = next++;
    numbers[k] = numberOf[marks[k]];
  }
  return numbers;
}

/** The machine of an object, shared by its parts; made when a search needs it. */
export class ObjectMachine {
  readonly #history: History;
  readonly #spec: Spec;
  #made: Machine | undefined;

  constructor(history: History, spec: Spec) {
    this.#history = history;
    this.#spec = spec;
  }

  get made(): Machine {
    this.#made ??= new Machine(this.#history, this.#spec);
    return this.#made;
  }

  /** Its current memory. */
  get bytes(): number {
    return this.#made?.bytes ?? 0;
  }
}

export class Part {
  readonly name: string;
  readonly history: History;
  readonly spec: Spec;
  readonly objectMachine: ObjectMachine;
  /** The projections that made it. */
  readonly cuts: readonly PartCut[];
  /** What the monitor read, if there is one for this kind of object and monitors are used. */
  readonly monitored: Monitored | undefined;

  constructor(own: Omit<Part, 'machine'>) {
    this.name = own.name;
    this.history = own.history;
    this.spec = own.spec;
    this.objectMachine = own.objectMachine;
    this.cuts = own.cuts;
    this.monitored = own.monitored;
  }

  get machine(): Machine {
    return this.objectMachine.made;
  }
}
