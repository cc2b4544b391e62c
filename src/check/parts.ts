/**
 * A history taken apart: objects, and the parts of each that never affect each other.
 *
 *   M. Herlihy, J. Wing. Linearizability: a correctness condition for concurrent
 *   objects. TOPLAS 12(3), 1990, theorem 1: a history is linearizable exactly
 *   when each object's is. The same holds for parts, which are objects inside one.
 *
 * Operations of several parts tie these together (union-find), and so does an
 * order that time does not show, of which the theorem does not speak.
 * Cost: near O(n).
 */
import { show, UnionFind } from '../base/index.js';
import type { History } from '../history/index.js';
import { Machine, type Spec } from '../spec/index.js';

/** Operations that are checked together. */
export interface Part {
  readonly name: string;
  readonly history: History;
  readonly machine: Machine;
  /** The cuts that made it. */
  readonly cuts: readonly ('object' | 'part')[];
}

/** The spec of each object of a history; `undefined` is the object without a name. */
export type SpecOf = (object: string | undefined) => Spec;

export function partsOf(history: History, specOf: SpecOf): Part[] {
  const { object } = history.columns;
  const objects = history.tables.objects.length > 1 ? history.partition(numberedByFirst(object)) : [history];
  return objects.flatMap((own) => {
    const name = own.tables.objects[own.columns.object[0]];
    return partsOfObject(own, specOf(name), name, objects.length > 1);
  });
}

function partsOfObject(history: History, spec: Spec, object: string | undefined, several: boolean): Part[] {
  const happened = history.happened();
  const machine = new Machine(history, spec);
  const { numbers, names } = numberParts(happened, spec);
  return happened.partition(numbers).map((part, number) => ({
    name: [object, names[number]].filter((name) => name !== undefined).join(' '),
    history: part,
    machine,
    cuts: [...(several ? (['object'] as const) : []), ...(names.length > 1 ? (['part'] as const) : [])],
  }));
}

/** Operation to the number of its part, and the parts' names. */
function numberParts(history: History, spec: Spec): { numbers: Int32Array; names: (string | undefined)[] } {
  const { length, columns } = history;
  const together = { numbers: new Int32Array(length), names: [undefined] };
  if (!spec.part) return together;

  const keys = new Map<unknown, number>();
  const sets = new UnionFind(length);
  const firstOf: number[] = [];
  const join = (k: number, key: unknown) => {
    const known = keys.get(key);
    if (known === undefined) keys.set(key, firstOf.push(k) - 1);
    else sets.union(firstOf[known], k);
  };
  for (let k = 0; k < length; k++) {
    const own = spec.part(history.tables.methods[columns.method[k]], history.args(k));
    if (own === undefined) return together;
    if (Array.isArray(own)) for (const key of own) join(k, key);
    else join(k, own);
  }
  if (columns.after) {
    const { start, items } = columns.after;
    for (let k = 0; k < length; k++) for (let i = start[k]; i < start[k + 1]; i++) sets.union(k, items[i]);
  }

  const roots = new Int32Array(length);
  for (let k = 0; k < length; k++) roots[k] = sets.find(k);
  const numbers = numberedByFirst(roots);
  const names: string[][] = [];
  for (const [key, position] of keys) {
    const own = (names[numbers[firstOf[position]]] ??= []);
    own.push(typeof key === 'string' ? key : show(key));
  }
  return { numbers, names: names.map((own) => own.join(', ')) };
}

/** The same marks as 0, 1, … in the order of their first use. */
function numberedByFirst(marks: Int32Array): Int32Array {
  const numberOf = new Map<number, number>();
  const numbers = new Int32Array(marks.length);
  for (let k = 0; k < marks.length; k++) {
    let number = numberOf.get(marks[k]);
    if (number === undefined) {
      number = numberOf.size;
      numberOf.set(marks[k], number);
    }
    numbers[k] = number;
  }
  return numbers;
}
