/**
 * Causal consistency of registers and maps with distinct values.
 *
 *   A. Bouajjani, C. Enea, R. Guerraoui, J. Hamza. On verifying causal consistency. POPL 2017 (CC and CCv).
 *
 * An operation comes *causally before* another one if steps of two kinds lead from it to the other: along a process, over
 * all cells; and from a write to a read of its value. A history is *causally consistent* exactly if no operation comes
 * causally before itself, and no read returned a version that was overwritten for it: that another write of its cell
 * comes causally after the write of the version, and before the read. The initial version comes before all others.
 *
 * It is *causally convergent* exactly if, in addition, one order of writes suits all processes: let a write that comes
 * causally before a read stand before the write that the read returned; with the causal order, this has no circle.
 *
 * For each read and process, only the last write of the cell that comes causally before matters. A pending write that was
 * read comes after the operations of its process, and before no other of them.
 *
 * What follows from some of the cells holds for the history: more steps add to the causal order. Cost: O(n · p · log n)
 * for p processes, and 4 · n · p bytes.
 */
import { invariant } from '../base/errors.js';
import { addTo } from '../check/versions/versions.js';
import type { History } from '../history/history.js';
import { NEVER } from '../history/model/columns.js';
import type { Cells, Level, OrderedPair } from './cells.js';
import { circle } from './sessions.js';

/** Causal consistency, and causal convergence. */
export interface CausalLevels {
  /** If it fails: a read whose value was overwritten, and steps from the older write to the newer one and on to the read. */
  readonly causal: Level & { readonly overwritten?: Overwritten };
  readonly convergent: Level;
}

/** Operations, by id. The older write is -1 if the read returned the initial value. */
interface Overwritten {
  readonly older: number;
  readonly newer: number;
  readonly read: number;
}

/** More entries of vector clocks are not stored. */
const MOST_ENTRIES = 50_000_000;
const NONE = -1;

/** `obstacle`: why the cells are not all of the history; then only a violation can be established. */
export function causalLevels(
  history: History,
  cells: readonly Cells[],
  obstacle: string | undefined,
): CausalLevels {
  const graph = CausalGraph.of(history, cells);
  if (typeof graph === 'string') return both({ kind: 'not measured', reason: graph });
  const { ids } = graph;
  const circleOf = (edges: readonly Edge[], reason: OrderedPair['reason']): OrderedPair[] | undefined =>
    graph.circle(edges)?.map(([from, to, isExtra]) => ({
      first: ids[from],
      second: ids[to],
      reason: isExtra ? reason : graph.reason(from, to),
    }));
  const cycle = circleOf([], 'process order');
  if (cycle) return both({ kind: 'fails', cycle });
  const found = graph.compareWrites();
  if (!Array.isArray(found)) {
    const { older, newer, read } = found;
    const steps = [...(older === NONE ? [] : graph.steps(older, newer)), ...graph.steps(newer, read)];
    const idOf = (node: number): number => (node === NONE ? -1 : ids[node]);
    const overwritten = { older: idOf(older), newer: ids[newer], read: ids[read] };
    const fails = { kind: 'fails' as const, cycle: steps };
    return { causal: { ...fails, overwritten }, convergent: fails };
  }
  const holds: Level =
    obstacle === undefined ? { kind: 'holds' } : { kind: 'not measured', reason: obstacle };
  const divergent = circleOf(found, 'later read');
  return { causal: holds, convergent: divergent ? { kind: 'fails', cycle: divergent } : holds };
}

const both = (level: Level): CausalLevels => ({ causal: level, convergent: level });

/** From one node to another. */
type Edge = readonly [from: number, to: number];

/** The measured operations of all cells that took effect, as nodes 0, 1, … in the order of their calls. */
class CausalGraph {
  /** Of each node, the id of its operation. */
  readonly ids: Int32Array;
  /** Of each node, the one before it in its process, and the write whose value it read; or NONE. */
  readonly #previous: Int32Array;
  readonly #source: Int32Array;
  /** Of each node, its lane, and its place in it. A pending write has a lane of its own. */
  readonly #lane: Int32Array;
  readonly #place: Int32Array;
  /** Of each read, its cell; NONE for a write. */
  readonly #readCell: Int32Array;
  /** Of each cell, its writes by lane, in the order of the lane. */
  readonly #writes: Map<number, number[]>[] = [];
  readonly #lanes: number;
  /** Of each node and lane, the last place that comes causally before the node; filled by `circle`. */
  readonly #past: Int32Array;

  private constructor(history: History, nodes: readonly Node[], processes: readonly (readonly number[])[]) {
    const { id } = history.columns;
    const count = nodes.length;
    this.ids = Int32Array.from(nodes, ({ k }) => id[k]);
    this.#previous = new Int32Array(count).fill(NONE);
    this.#source = new Int32Array(count).fill(NONE);
    this.#readCell = new Int32Array(count).fill(NONE);
    this.#lane = new Int32Array(count);
    this.#place = new Int32Array(count);
    let lanes = 0;
    for (const own of processes) {
      let [last, place] = [NONE, 0];
      const lane = lanes++;
      for (const node of own) {
        this.#previous[node] = last;
        const isPending = history.columns.return[nodes[node].k] === NEVER;
        this.#lane[node] = isPending ? lanes++ : lane;
        this.#place[node] = isPending ? 0 : place++;
        if (!isPending) last = node;
      }
    }
    this.#lanes = lanes;
    const nodeOf = new Map(nodes.map(({ k }, node) => [k, node]));
    nodes.forEach(({ cell, source }, node) => {
      if (source === undefined) {
        this.#writes[cell] ??= new Map();
        addTo(this.#writes[cell], this.#lane[node], node);
        return;
      }
      this.#readCell[node] = cell;
      this.#source[node] = nodeOf.get(source) ?? NONE;
    });
    this.#past = new Int32Array(count * lanes <= MOST_ENTRIES ? count * lanes : 0).fill(NONE);
  }

  /** The graph, or why there is none. */
  static of(history: History, cells: readonly Cells[]): CausalGraph | string {
    if (cells.length === 0) return 'the history has no register or map';
    const nodes = nodesOf(history, cells);
    const { process, call, return: returned } = history.columns;
    const byProcess = new Map<number, number[]>();
    for (const [node, { k }] of nodes.entries()) {
      const last = byProcess.get(process[k])?.at(-1);
      if (last !== undefined && returned[nodes[last].k] !== NEVER && returned[nodes[last].k] > call[k])
        return 'calls of one process overlap';
      addTo(byProcess, process[k], node);
    }
    const graph = new CausalGraph(history, nodes, [...byProcess.values()]);
    return graph.#past.length < nodes.length * graph.#lanes
      ? 'the history has too many processes or unknown outcomes'
      : graph;
  }

  reason(from: number, to: number): OrderedPair['reason'] {
    return this.#previous[to] === from ? 'process order' : 'reads its value';
  }

  /**
   * A circle of the causal order and these edges; undefined if there is none. Nodes are taken when those before them have
   * been taken, and learn their past then.
   */
  circle(extra: readonly Edge[]): (readonly [from: number, to: number, isExtra: boolean])[] | undefined {
    const count = this.ids.length;
    const [waits, left] = [new Int32Array(count), new Uint8Array(count).fill(1)];
    const out = new Map<number, number[]>();
    const into = new Map<number, number[]>();
    const add = (from: number, to: number): void => {
      if (from === NONE) return;
      waits[to]++;
      addTo(out, from, to);
    };
    for (let node = 0; node < count; node++) {
      add(this.#previous[node], node);
      add(this.#source[node], node);
    }
    for (const [from, to] of extra) {
      add(from, to);
      addTo(into, to, from);
    }
    const ready: number[] = [];
    for (let node = count - 1; node >= 0; node--) if (waits[node] === 0) ready.push(node);
    let taken = 0;
    for (let node = ready.pop(); node !== undefined; node = ready.pop()) {
      taken++;
      left[node] = 0;
      if (extra.length === 0) {
        this.#inherit(node, this.#previous[node]);
        this.#inherit(node, this.#source[node]);
      }
      for (const to of out.get(node) ?? []) if (--waits[to] === 0) ready.push(to);
    }
    if (taken === count) return undefined;
    const isLeft = (node: number | undefined): node is number =>
      node !== undefined && node !== NONE && left[node] === 1;
    return circle(left.indexOf(1), (node) => {
      const causal = [this.#previous[node], this.#source[node]].find(isLeft);
      const from = causal ?? (into.get(node)?.find(isLeft) as number);
      return [from, [from, node, causal === undefined]];
    });
  }

  #inherit(node: number, before: number): void {
    if (before === NONE) return;
    const size = this.#lanes;
    for (let lane = 0; lane < size; lane++)
      this.#past[node * size + lane] = Math.max(
        this.#past[node * size + lane],
        this.#past[before * size + lane],
      );
    const own = node * size + this.#lane[before];
    this.#past[own] = Math.max(this.#past[own], this.#place[before]);
  }

  #isBefore(node: number, other: number): boolean {
    return this.#past[other * this.#lanes + this.#lane[node]] >= this.#place[node];
  }

  /** A read whose value was overwritten for it; or pairs of writes of which the first must stand before the second. */
  compareWrites(): Overwritten | Edge[] {
    const edges: Edge[] = [];
    const known = new Map<number, Set<number>>();
    for (let read = 0; read < this.ids.length; read++) {
      if (this.#readCell[read] === NONE) continue;
      const older = this.#source[read];
      for (const [lane, writes] of this.#writes[this.#readCell[read]] ?? []) {
        const newer = this.#lastUpTo(writes, this.#past[read * this.#lanes + lane]);
        if (newer === undefined || newer === older) continue;
        if (older === NONE || this.#isBefore(older, newer)) return { older, newer, read };
        const own = known.get(newer) ?? new Set();
        known.set(newer, own);
        if (own.has(older)) continue;
        own.add(older);
        edges.push([newer, older]);
      }
    }
    return edges;
  }

  /** The last of these nodes of one lane up to a place. */
  #lastUpTo(nodes: readonly number[], place: number): number | undefined {
    let [low, high] = [0, nodes.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#place[nodes[middle]] > place) high = middle;
      else low = middle + 1;
    }
    return nodes[low - 1];
  }

  /** Steps from a node to one that it comes causally before, with the fewest reads; neighbours of a process are one step. */
  steps(from: number, to: number): OrderedPair[] {
    const next = new Map<number, number>([[to, NONE]]);
    let [now, later]: [number[], number[]] = [[to], []];
    while (!next.has(from)) {
      const node = now.pop();
      invariant(node !== undefined || later.length > 0, 'a causal order without steps');
      if (node === undefined) [now, later] = [later, []];
      else
        for (const before of [this.#previous[node], this.#source[node]]) {
          if (before === NONE || next.has(before) || !(before === from || this.#isBefore(from, before)))
            continue;
          next.set(before, node);
          (before === this.#previous[node] ? now : later).push(before);
        }
    }
    const steps: OrderedPair[] = [];
    for (let node = from; node !== to; ) {
      const then = next.get(node) as number;
      const reason = this.reason(node, then);
      const last = steps.at(-1);
      if (last?.reason === 'process order' && reason === 'process order')
        steps[steps.length - 1] = { ...last, second: this.ids[then] };
      else steps.push({ first: this.ids[node], second: this.ids[then], reason });
      node = then;
    }
    return steps;
  }
}

/** An operation at a position of the history. A read has the position of its write; -1 for the initial value. */
interface Node {
  readonly k: number;
  readonly cell: number;
  readonly source: number | undefined;
}

function nodesOf(history: History, cells: readonly Cells[]): Node[] {
  const position = history.positionsById();
  const nodes: Node[] = [];
  let firstCell = 0;
  for (const { versions } of cells) {
    const { acts, wrote, saw, write, unmeasured } = versions;
    const { id } = acts.history.columns;
    for (let k = 0; k < id.length; k++) {
      if (unmeasured.has(acts.cell[k])) continue;
      const cell = firstCell + acts.cell[k];
      if (wrote[k] >= 0 && versions.tookEffect(wrote[k]))
        nodes.push({ k: position[id[k]], cell, source: undefined });
      else if (versions.isRead(k))
        nodes.push({
          k: position[id[k]],
          cell,
          source: write[saw[k]] < 0 ? -1 : position[id[write[saw[k]]]],
        });
    }
    firstCell += acts.cells;
  }
  return nodes.sort((a, b) => a.k - b.k);
}
