/**
 * The configurations of a stack: what open calls have done, and the possible stacks.
 *
 * Only the top of a stack can be observed. So configurations with equal marks and the same top value are one, and
 * only a pop looks at what may be below the top.
 */
import { NOTHING } from '../../stream/value-numbering.js';
import type { Marks } from './online-marks.js';

/*
 * Hash-consed stacks: many stacks in one graph.
 *
 *   M. Tomita. Efficient parsing for natural language. Kluwer 1986. (A graph-structured stack.)
 *
 * A node is the top of one or several stacks, if several nodes may be below it. Nodes are hash-consed: equal value
 * and equal children give the same node. When the table of nodes is cleared, unreachable nodes are collected; equal
 * nodes made later are different ones.
 */

export interface Node {
  readonly id: number;
  readonly value: number;
  /** The number of values in the stack, the same on every path down. */
  readonly size: number;
  /** In order of id. */
  readonly below: readonly Node[];
}

/** The node below all values. */
export const BOTTOM: Node = { id: 0, value: NOTHING, size: 0, below: [] };

export class HashConsedStacks {
  readonly #known = new Map<string, Node>();
  #last = 0;

  /** How many nodes were made since the table was cleared. */
  get made(): number {
    return this.#known.size;
  }

  /** A value on top of a node. */
  push(below: Node, value: number): Node {
    return this.#of(value, [below]);
  }

  /** One node for several of the same value and size. */
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

export class StackConfiguration {
  readonly marks: Marks;
  readonly #stacks: HashConsedStacks;
  /** Nodes of one value. */
  #tops: Node[];

  constructor(marks: Marks, top: Node, stacks: HashConsedStacks) {
    this.marks = marks;
    this.#tops = [top];
    this.#stacks = stacks;
  }

  add(top: Node): void {
    if (!this.#tops.includes(top)) this.#tops.push(top);
  }

  /** All tops as one node; used when no more are added. */
  get top(): Node {
    const top = this.#stacks.union(this.#tops);
    this.#tops = [top];
    return top;
  }
}

export class StackConfigurations implements Iterable<StackConfiguration> {
  readonly #stacks: HashConsedStacks;
  readonly #byKey = new Map<string, StackConfiguration>();

  constructor(stacks: HashConsedStacks) {
    this.#stacks = stacks;
  }

  get size(): number {
    return this.#byKey.size;
  }

  /** Returns the configuration if it is new. */
  add(marks: Marks, top: Node): StackConfiguration | undefined {
    const key = `${top.value};${marks.key}`;
    const known = this.#byKey.get(key);
    if (known) {
      known.add(top);
      return undefined;
    }
    const configuration = new StackConfiguration(marks, top, this.#stacks);
    this.#byKey.set(key, configuration);
    return configuration;
  }

  [Symbol.iterator](): Iterator<StackConfiguration> {
    return this.#byKey.values();
  }

  /** All nodes that configurations use. */
  nodes(): Set<Node> {
    const nodes = new Set(Array.from(this, ({ top }) => top));
    for (const node of nodes) for (const below of node.below) nodes.add(below);
    return nodes;
  }

  /** The values from the nearest node of a value up to the top; empty if the value is not present. */
  pathTo(value: number): number[] {
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
