/**
 * The configurations of a stack: what open calls have done, and what is on top.
 *
 * A stack shows its top alone. So configurations with the same marks and the same value on top are one, and only who takes
 * the top out looks at what may be below it.
 */
import { NOTHING } from '../../stream/value-numbering.js';
import type { Marks } from './online-marks.js';

/*
 * Many stacks in one graph.
 *
 *   M. Tomita. Efficient parsing for natural language. Kluwer 1986. (A graph-structured stack.)
 *
 * A node is a value on top of a stack: of one of several, if several nodes may be below it. Nodes with the same value and the same ones
 * below are one, and so stay equal what they are put under. What nobody stands above any more is garbage,
 * when the table of nodes is cleared: equal nodes made later are just others.
 */

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

export class Configuration {
  readonly marks: Marks;
  readonly #stacks: Stacks;
  /** Of one value. */
  #tops: Node[];

  constructor(marks: Marks, top: Node, stacks: Stacks) {
    this.marks = marks;
    this.#tops = [top];
    this.#stacks = stacks;
  }

  add(top: Node): void {
    if (!this.#tops.includes(top)) this.#tops.push(top);
  }

  /** All of them in one; asked when there will be no more. */
  get top(): Node {
    const top = this.#stacks.union(this.#tops);
    this.#tops = [top];
    return top;
  }
}

export class Layer implements Iterable<Configuration> {
  readonly #stacks: Stacks;
  readonly #byKey = new Map<string, Configuration>();

  constructor(stacks: Stacks) {
    this.#stacks = stacks;
  }

  get size(): number {
    return this.#byKey.size;
  }

  /** Gives the configuration if it is new. */
  add(marks: Marks, top: Node): Configuration | undefined {
    const key = `${top.value};${marks.key}`;
    const known = this.#byKey.get(key);
    if (known) {
      known.add(top);
      return undefined;
    }
    const configuration = new Configuration(marks, top, this.#stacks);
    this.#byKey.set(key, configuration);
    return configuration;
  }

  [Symbol.iterator](): Iterator<Configuration> {
    return this.#byKey.values();
  }

  /** All nodes that configurations stand on. */
  nodes(): Set<Node> {
    const nodes = new Set(Array.from(this, ({ top }) => top));
    for (const node of nodes) for (const below of node.below) nodes.add(below);
    return nodes;
  }

  /** The values from a nearest one, which is first, up to the top; none where it is not inside. */
  wayTo(value: number): number[] {
    const above = new Map<Node, Node | undefined>(Array.from(this, ({ top }) => [top, undefined]));
    for (const [node] of above) {
      if (node.value === value) {
        const way: number[] = [];
        for (let at: Node | undefined = node; at; at = above.get(at)) way.push(at.value);
        return way;
      }
      for (const below of node.below) if (!above.has(below)) above.set(below, node);
    }
    return [];
  }
}
