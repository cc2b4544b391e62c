/**
 * Verifies the causes of registers and maps.
 *
 * The writer of the value that an operation saw, the writer of the value that this one saw, and so on, form a path
 * back to a blind write or to the initial value: the root. Operations with the same root are adjacent in every
 * linearization.
 */
import type { History } from '../../../history/history.js';
import { NEVER, numberOfValue, RETURNED } from '../../../history/model/columns.js';
import type { Family, Spec } from '../../../spec/spec.js';
import type { Cluster, MonitorCause } from '../../model/causes.js';

/*
 * What the operations on one cell saw and wrote, read plainly. Deliberately independent of the monitor, whose errors
 * must not verify themselves.
 */

/** Values are numbers of the history's table; undefined if it saw, or wrote, none. */
interface CellAct {
  readonly id: number;
  readonly saw: number | undefined;
  readonly wrote: number | undefined;
  readonly call: number;
  readonly return: number;
}

/** The initial value of a cell; -1 if the history does not contain it. */
const firstValue = ({ tables }: History, { family }: Spec): number =>
  numberOfValue(tables, family?.initial) ?? -1;

/** All operations on the cell of an operation that took effect or may have, by call. */
function cellActsOn(history: History, spec: Spec, operation: number): CellAct[] {
  const { id, method, argument, argumentStart, status, result, call, return: returned } = history.columns;
  const { kind, roles } = spec.family ?? { kind: '', roles: {} };
  const isMap = kind.startsWith('map');
  const keyOf = (k: number): number => (isMap ? argument[argumentStart[k]] : 0);
  const key = keyOf(history.positionsById()[operation]);
  const roleOf = new Map(Object.entries(roles).map(([role, name]) => [name, role]));
  const first = firstValue(history, spec);
  const no = numberOfValue(history.tables, false);
  const acts: CellAct[] = [];
  for (let k = 0; k < history.length; k++) {
    if (keyOf(k) !== key) continue;
    const args = argument.subarray(argumentStart[k] + (isMap ? 1 : 0), argumentStart[k + 1]);
    const answer = status[k] === RETURNED ? result[k] : undefined;
    const role = roleOf.get(history.tables.methods[method[k]]);
    const [saw, wrote] = meaning(kind, role, args, { answer, first, no });
    if (returned[k] !== NEVER || wrote !== undefined)
      acts.push({ id: id[k], saw, wrote, call: call[k], return: returned[k] });
  }
  return acts;
}

/** The values that an operation with this result saw and wrote. */
function meaning(
  kind: Family['kind'],
  role: string | undefined,
  [one, two]: Int32Array,
  {
    answer,
    first,
    no,
  }: { readonly answer: number | undefined; readonly first: number; readonly no: number | undefined },
): readonly [saw: number | undefined, wrote: number | undefined] {
  const returnsPrevious = kind === 'map-previous';
  switch (role) {
    case 'read':
    case 'get':
      return [answer, undefined];
    case 'write':
      return [undefined, one];
    case 'put':
      return [returnsPrevious ? answer : undefined, one];
    case 'remove':
      if (returnsPrevious) return [answer, answer === first ? undefined : first];
      return answer !== undefined && answer === no ? [first, undefined] : [undefined, first];
    case 'cas':
      if (answer !== undefined && answer === no) return [undefined, undefined];
      return [one, one === two ? undefined : two];
    case 'getOrElseUpdate':
      return answer !== undefined && answer !== one ? [answer, undefined] : [first, one];
    default:
      return [undefined, undefined];
  }
}

/*
 * The writer of the value that an operation saw, and so on back.
 *
 * The writer is the only operation that wrote the value; of several, the only one that was called before the reader
 * returned and was not definitely overwritten before the reader was called. Cost: O(n) for all.
 */

/**
 * The writer; or the initial value; or a recurring initial value, which has no single writer; or several possible
 * writers; or none.
 */
type WriterEvidence = CellAct | 'first' | 'recurring' | 'unclear' | undefined;

class Lineage {
  readonly #byId: ReadonlyMap<number, CellAct>;
  readonly #writers = new Map<number, CellAct[]>();
  readonly #initial: number;
  readonly #isRecurring: boolean;
  /** Mutators that returned, by return, and for each the latest call up to it. */
  readonly #returns: readonly CellAct[];
  readonly #latestCalls: readonly number[];
  #definite: ReadonlySet<CellAct> | undefined;

  constructor(acts: readonly CellAct[], initial: number) {
    this.#initial = initial;
    this.#byId = new Map(acts.map((act) => [act.id, act]));
    for (const act of acts) {
      if (act.wrote === undefined) continue;
      const writers = this.#writers.get(act.wrote);
      if (writers) writers.push(act);
      else this.#writers.set(act.wrote, [act]);
    }
    this.#returns = acts
      .filter(({ wrote, return: returned }) => wrote !== undefined && returned !== NEVER)
      .sort((a, b) => a.return - b.return);
    let latest = -1;
    this.#latestCalls = this.#returns.map(({ call }) => (latest = Math.max(latest, call)));
    this.#isRecurring =
      this.#returns.some(({ wrote }) => wrote === initial) &&
      this.#returns.every(({ saw }) => saw !== undefined);
  }

  of(id: number): CellAct | undefined {
    return this.#byId.get(id);
  }

  writerOf({ saw, call, return: returned }: CellAct): WriterEvidence {
    if (saw === undefined) return undefined;
    if (saw === this.#initial && this.#isRecurring) return 'recurring';
    const writers = this.#writers.get(saw) ?? [];
    if (saw !== this.#initial && writers.length === 1) return writers[0];
    if (saw === this.#initial && writers.length === 0) return 'first';
    const latest = this.#latestCallBefore(call);
    const possible: WriterEvidence[] = writers.filter(
      (writer) => writer.call < returned && writer.return > latest,
    );
    if (saw === this.#initial && latest < 0) possible.push('first');
    return possible.length > 1 ? 'unclear' : possible[0];
  }

  /**
   * The path from writer to writer. No root if its end is unclear; `isLost` if it ends in a value that was never
   * written, or in a cycle.
   */
  pathBack(from: CellAct): {
    readonly path: readonly CellAct[];
    readonly root: CellAct | 'first' | undefined;
    readonly isLost: boolean;
  } {
    const path = new Set<CellAct>();
    for (let act = from; ; ) {
      if (path.has(act)) return { path: [...path], root: undefined, isLost: true };
      path.add(act);
      const writer = this.writerOf(act);
      if (writer === 'recurring' || act.saw === undefined)
        return { path: [...path], root: act, isLost: false };
      if (typeof writer !== 'object')
        return {
          path: [...path],
          root: writer === 'first' ? writer : undefined,
          isLost: writer === undefined,
        };
      act = writer;
    }
  }

  /** Whether it took effect in every linearization: it returned, or an operation that returned saw its effect. */
  isDefinite(act: CellAct): boolean {
    if (act.return !== NEVER) return true;
    this.#definite ??= this.#findDefinite();
    return this.#definite.has(act);
  }

  #findDefinite(): ReadonlySet<CellAct> {
    const definite = new Set<CellAct>();
    for (const reader of this.#byId.values()) {
      if (reader.return === NEVER) continue;
      let writer = this.writerOf(reader);
      while (typeof writer === 'object' && writer.return === NEVER && !definite.has(writer)) {
        definite.add(writer);
        writer = this.writerOf(writer);
      }
    }
    return definite;
  }

  /** For a recurring initial value: whether the value is never replaced after this. */
  isToTheEnd(from: CellAct): boolean {
    const swaps = new Map<WriterEvidence, CellAct>();
    for (const act of this.#byId.values())
      if (act.wrote !== undefined && this.isDefinite(act)) swaps.set(this.writerOf(act), act);
    let last = from.wrote === undefined ? this.writerOf(from) : from;
    if (typeof last !== 'object' && last !== 'first') return false;
    for (let next = swaps.get(last); next && next !== last; next = swaps.get(last)) last = next;
    const isOpen = typeof last === 'object' && last.wrote !== this.#initial;
    return isOpen && this.#isRecurring && ![...this.#byId.values()].some((act) => this.#mayTake(act));
  }

  /** Whether it is pending and may have replaced any value. */
  #mayTake(act: CellAct): boolean {
    if (act.return !== NEVER) return false;
    return act.wrote === this.#initial || (act.saw === undefined && this.isDefinite(act));
  }

  /** The latest call of a mutator that returned before a moment. */
  #latestCallBefore(moment: number): number {
    let [low, high] = [0, this.#returns.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#returns[middle].return < moment) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? -1 : this.#latestCalls[low - 1];
  }
}

/* The first return and the last call of a cluster, and its root. */

interface ClusterBounds {
  readonly root: CellAct | 'first';
  readonly first: number;
  readonly last: number;
}

/** Undefined if its operations do not belong together. */
function boundsOf(lineage: Lineage, cluster: Cluster): ClusterBounds | undefined {
  const [first, last] = [cluster.first, cluster.last].map((id) =>
    id === undefined ? undefined : lineage.of(id),
  );
  const named = [first, last].filter((act) => act !== undefined);
  if (named.length === 0 || !named.every((act) => lineage.isDefinite(act))) return undefined;
  const [root, ...others] = named.map((act) => lineage.pathBack(act).root);
  if (root === undefined || others.some((other) => other !== root)) return undefined;
  if (!first && root !== 'first') return undefined;
  if (!last && !(first && lineage.isToTheEnd(first))) return undefined;
  return { root, first: first?.return ?? -1, last: last?.call ?? NEVER };
}

export function verifyRegisterCause(history: History, spec: Spec, cause: MonitorCause): boolean {
  const lineage = new Lineage(cellActsOn(history, spec, cause.operation), firstValue(history, spec));
  const own = lineage.of(cause.operation);
  if (!own || own.return === NEVER) return false;
  switch (cause.kind) {
    case 'never written':
      return own.saw !== undefined && lineage.pathBack(own).isLost;
    case 'swapped twice': {
      const [one, other] = cause.swaps.map((id) => lineage.of(id));
      const areSwaps = [one, other].every((act) => act?.wrote !== undefined && lineage.isDefinite(act));
      if (!one || !other || one === other || !areSwaps) return false;
      const writer = lineage.writerOf(one);
      const isNamed = one.saw === (numberOfValue(history.tables, cause.value) ?? -1);
      return isNamed && isOne(writer) && lineage.writerOf(other) === writer;
    }
    case 'out of turn': {
      const [first, second] = [lineage.of(cause.first), lineage.of(cause.second)];
      if (!first || !second || !lineage.isDefinite(first) || second.return >= first.call) return false;
      const { path } = lineage.pathBack(second);
      if (path.includes(first)) return true;
      // it read the value that an operation on this path replaced
      const writer = lineage.writerOf(first);
      return (
        first.wrote === undefined &&
        isOne(writer) &&
        path.some((act) => act.wrote !== undefined && lineage.writerOf(act) === writer)
      );
    }
    case 'in turns': {
      const [one, other] = cause.runs.map((cluster) => boundsOf(lineage, cluster));
      if (!one || !other || one.root === other.root) return false;
      return one.first < other.last && other.first < one.last;
    }
    default:
      return false;
  }
}

/** Whether the writer is known. */
const isOne = (writer: ReturnType<Lineage['writerOf']>): boolean =>
  typeof writer === 'object' || writer === 'first';
