/**
 * Verifies the causes of registers and maps.
 *
 * From writer to writer leads a path back to a blind write or to the initial value: the root. Operations with the
 * same root are adjacent in every linearization.
 */
import type { History } from '../../../history/history.js';
import { NEVER, numberOfValue, RETURNED } from '../../../history/model/columns.js';
import type { Family, Spec } from '../../../spec/spec.js';
import type { Cluster, MonitorCause } from '../../model/monitor-causes.js';

/*
 * What the operations on one cell saw and wrote, read plainly. Deliberately independent of the monitor, whose errors
 * must not verify themselves.
 */

/** Values are numbers of the history's table; undefined if it saw, or wrote, none. */
interface CellAct {
  readonly id: number;
  readonly sees: number | undefined;
  readonly makes: number | undefined;
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
  const deeds: CellAct[] = [];
  for (let k = 0; k < history.length; k++) {
    if (keyOf(k) !== key) continue;
    const args = argument.subarray(argumentStart[k] + (isMap ? 1 : 0), argumentStart[k + 1]);
    const answer = status[k] === RETURNED ? result[k] : undefined;
    const role = roleOf.get(history.tables.methods[method[k]]);
    const [sees, makes] = meaning(kind, role, args, { answer, first, no });
    if (returned[k] !== NEVER || makes !== undefined)
      deeds.push({ id: id[k], sees, makes, call: call[k], return: returned[k] });
  }
  return deeds;
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
): readonly [sees: number | undefined, makes: number | undefined] {
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
type WriterEvidence = CellAct | 'first' | 'hub' | 'unclear' | undefined;

class Lineage {
  readonly #byId: ReadonlyMap<number, CellAct>;
  readonly #makers = new Map<number, CellAct[]>();
  readonly #initial: number;
  readonly #isHub: boolean;
  /** Mutators that returned, by return, and for each the latest call up to it. */
  readonly #returns: readonly CellAct[];
  readonly #latestCalls: readonly number[];
  #sure: ReadonlySet<CellAct> | undefined;

  constructor(deeds: readonly CellAct[], initial: number) {
    this.#initial = initial;
    this.#byId = new Map(deeds.map((deed) => [deed.id, deed]));
    for (const deed of deeds) {
      if (deed.makes === undefined) continue;
      const makers = this.#makers.get(deed.makes);
      if (makers) makers.push(deed);
      else this.#makers.set(deed.makes, [deed]);
    }
    this.#returns = deeds
      .filter(({ makes, return: returned }) => makes !== undefined && returned !== NEVER)
      .sort((a, b) => a.return - b.return);
    let latest = -1;
    this.#latestCalls = this.#returns.map(({ call }) => (latest = Math.max(latest, call)));
    this.#isHub =
      this.#returns.some(({ makes }) => makes === initial) &&
      this.#returns.every(({ sees }) => sees !== undefined);
  }

  of(id: number): CellAct | undefined {
    return this.#byId.get(id);
  }

  writerOf({ sees, call, return: returned }: CellAct): WriterEvidence {
    if (sees === undefined) return undefined;
    if (sees === this.#initial && this.#isHub) return 'hub';
    const makers = this.#makers.get(sees) ?? [];
    if (sees !== this.#initial && makers.length === 1) return makers[0];
    if (sees === this.#initial && makers.length === 0) return 'first';
    const latest = this.#latestCallBefore(call);
    const possible: WriterEvidence[] = makers.filter(
      (maker) => maker.call < returned && maker.return > latest,
    );
    if (sees === this.#initial && latest < 0) possible.push('first');
    return possible.length > 1 ? 'unclear' : possible[0];
  }

  /**
   * The path from writer to writer. No root if its end is unclear; `isLost` if it ends in a value that was never
   * written, or in a cycle.
   */
  pathBack(from: CellAct): {
    readonly way: readonly CellAct[];
    readonly root: CellAct | 'first' | undefined;
    readonly isLost: boolean;
  } {
    const way = new Set<CellAct>();
    for (let deed = from; ; ) {
      if (way.has(deed)) return { way: [...way], root: undefined, isLost: true };
      way.add(deed);
      const source = this.writerOf(deed);
      if (source === 'hub' || deed.sees === undefined) return { way: [...way], root: deed, isLost: false };
      if (typeof source !== 'object')
        return {
          way: [...way],
          root: source === 'first' ? source : undefined,
          isLost: source === undefined,
        };
      deed = source;
    }
  }

  /** Whether it took effect in every linearization: it returned, or an operation that returned saw its effect. */
  isDefinite(deed: CellAct): boolean {
    if (deed.return !== NEVER) return true;
    this.#sure ??= this.#findSure();
    return this.#sure.has(deed);
  }

  #findSure(): ReadonlySet<CellAct> {
    const sure = new Set<CellAct>();
    for (const seer of this.#byId.values()) {
      if (seer.return === NEVER) continue;
      let source = this.writerOf(seer);
      while (typeof source === 'object' && source.return === NEVER && !sure.has(source)) {
        sure.add(source);
        source = this.writerOf(source);
      }
    }
    return sure;
  }

  /** For a recurring initial value: whether the value is never replaced after this. */
  isToTheEnd(from: CellAct): boolean {
    const swaps = new Map<WriterEvidence, CellAct>();
    for (const deed of this.#byId.values())
      if (deed.makes !== undefined && this.isDefinite(deed)) swaps.set(this.writerOf(deed), deed);
    let last = from.makes === undefined ? this.writerOf(from) : from;
    if (typeof last !== 'object' && last !== 'first') return false;
    for (let next = swaps.get(last); next && next !== last; next = swaps.get(last)) last = next;
    const isOpen = typeof last === 'object' && last.makes !== this.#initial;
    return isOpen && this.#isHub && ![...this.#byId.values()].some((deed) => this.#mayTake(deed));
  }

  /** Whether it is pending and may have replaced any value. */
  #mayTake(deed: CellAct): boolean {
    if (deed.return !== NEVER) return false;
    return deed.makes === this.#initial || (deed.sees === undefined && this.isDefinite(deed));
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
function boundsOf(lineage: Lineage, run: Cluster): ClusterBounds | undefined {
  const [first, last] = [run.first, run.last].map((id) => (id === undefined ? undefined : lineage.of(id)));
  const named = [first, last].filter((deed) => deed !== undefined);
  if (named.length === 0 || !named.every((deed) => lineage.isDefinite(deed))) return undefined;
  const [root, ...others] = named.map((deed) => lineage.pathBack(deed).root);
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
      return own.sees !== undefined && lineage.pathBack(own).isLost;
    case 'swapped twice': {
      const [one, other] = cause.swaps.map((id) => lineage.of(id));
      const areSwaps = [one, other].every((deed) => deed?.makes !== undefined && lineage.isDefinite(deed));
      if (!one || !other || one === other || !areSwaps) return false;
      const source = lineage.writerOf(one);
      const isNamed = one.sees === (numberOfValue(history.tables, cause.value) ?? -1);
      return isNamed && isOne(source) && lineage.writerOf(other) === source;
    }
    case 'out of turn': {
      const [first, second] = [lineage.of(cause.first), lineage.of(cause.second)];
      if (!first || !second || !lineage.isDefinite(first) || second.return >= first.call) return false;
      const { way } = lineage.pathBack(second);
      if (way.includes(first)) return true;
      // it read the value that an operation on this path replaced
      const source = lineage.writerOf(first);
      return (
        first.makes === undefined &&
        isOne(source) &&
        way.some((deed) => deed.makes !== undefined && lineage.writerOf(deed) === source)
      );
    }
    case 'in turns': {
      const [one, other] = cause.runs.map((run) => boundsOf(lineage, run));
      if (!one || !other || one.root === other.root) return false;
      return one.first < other.last && other.first < one.last;
    }
    default:
      return false;
  }
}

/** Whether the writer is known. */
const isOne = (source: ReturnType<Lineage['writerOf']>): boolean =>
  typeof source === 'object' || source === 'first';
