/**
 * Many stacks in one graph.
 *
 *   M. Tomita. Efficient parsing for natural language. Kluwer 1986. (A graph-structured stack.)
 *
 * A node is a value on top of a stack: of one of several, if several nodes may be below it. Nodes with the same value and the same ones
 * below are one, and so stay equal what they are put under. What nobody stands above any more is garbage,
 * when the table of nodes is cleared: equal nodes made later are just others.
 */
import { NOTHING } from '../../stream/value-numbering.js';

export interface Node {
  readonly id: number;
  readonly value: number;
  /** How many values the stack has: the same, whichever way down. */
  readonly size: number;
  /** By id. */
  readonly below: readonly Node[];
}

/** Below all values. */
export const BOTTOM: Node = { id: 0, value: NOTHING, size: 0, below: [] };

export class Stacks {
  readonly #known = new Map<string, Node>();
  #last = 0;

  /** How many nodes were made since it was cleared. */
  get made(): number {
    return this.#known.size;
  }

  /** A value on top of a node. */
  push(below: Node, value: number): Node {
    return this.#of(value, [below]);
  }

  /** One for several of the same value and size. */
  union(nodes: readonly Node[]): Node {
    if (nodes.length === 1) return nodes[0];
    const below = new Set<Node>();
    for (const node of nodes) for (const own of node.below) below.add(own);
    return this.#of(
      nodes[0].value,
      [...below].sort((a, b) => a.id - b.id),
    );
  }

  clear(): void {
    this.#known.clear();
  }

  #of(value: number, below: readonly Node[]): Node {
    let key = `${value}`;
    for (const { id } of below) key += `,${id}`;
    const known = this.#known.get(key);
    if (known) return known;
    const node = { id: ++this.#last, value, size: below[0].size + 1, below };
    this.#known.set(key, node);
    return node;
  }
}
