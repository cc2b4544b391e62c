/**
 * The configurations of a stack: what open calls have done, and the possible stacks.
 *
 * Only the top of a stack can be observed. So configurations with equal marks and the same top value are one, and
 * only a pop looks at what may be below the top, and a push that is inserted there.
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
  /** The event before which the value was pushed; not smaller than that of any node below. */
  readonly time: number;
  /** In order of id. */
  readonly below: readonly Node[];
}

/** The node below all values. */
export const BOTTOM: Node = { id: 0, value: NOTHING, size: 0, time: 0, below: [] };

export class HashConsedStacks {
  /** Nodes with one node below, by that node. */
  readonly #pushed = new Map<Node, Node[]>();
  /** Nodes with several. */
  readonly #joined = new Map<string, Node>();
  #last = 0;
  /** How many nodes were made since the table was cleared. */
  made = 0;

  /** A value on top of a node. */
  push(below: Node, value: number, time: number): Node {
    const equals = this.#pushed.get(below);
    const known = equals?.find((own) => own.value === value && own.time === time);
    if (known) return known;
    const node = this.#make(value, time, [below]);
    if (equals) equals.push(node);
    else this.#pushed.set(below, [node]);
    return node;
  }

  /** One node for several of the same value, time and size. */
  union(nodes: readonly Node[]): Node {
    if (nodes.length === 1) return nodes[0];
    const below = new Set<Node>();
    for (const node of nodes) for (const own of node.below) below.add(own);
    return this.#over(below, nodes[0]);
  }

  /** A node with one more value below it, in any place where it was pushed after an event. */
  insertBelow(top: Node, value: number, after: number): Node {
    const done = new Map<Node, Node>();
    const insert = (node: Node): Node => {
      let known = done.get(node);
      if (known) return known;
      const below = new Set<Node>();
      for (const own of node.below) {
        below.add(this.push(own, value, node.time));
        if (own.time > after) below.add(insert(own));
      }
      known = this.#over(below, node);
      done.set(node, known);
      return known;
    };
    return insert(top);
  }

  clear(): void {
    this.#pushed.clear();
    this.#joined.clear();
    this.made = 0;
  }

  #over(below: ReadonlySet<Node>, { value, time }: Node): Node {
    const [first, ...others] = below;
    if (others.length === 0) return this.push(first, value, time);
    const sorted = [...below].sort((a, b) => a.id - b.id);
    const key = `${value},${time},${sorted.map(({ id }) => id).join()}`;
    let node = this.#joined.get(key);
    if (!node) {
      node = this.#make(value, time, sorted);
      this.#joined.set(key, node);
    }
    return node;
  }

  #make(value: number, time: number, below: readonly Node[]): Node {
    this.made++;
    return { id: ++this.#last, value, size: below[0].size + 1, time, below };
  }
}

export class StackConfiguration {
  readonly marks: Marks;
  /** The value on top, and its time. */
  readonly value: number;
  readonly time: number;
  readonly #stacks: HashConsedStacks;
  /** Nodes of this value and time. */
  #tops: Node[];

  constructor(marks: Marks, top: Node, stacks: HashConsedStacks) {
    this.marks = marks;
    this.value = top.value;
    this.time = top.time;
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

/** In marks of the same kind, with the same value on top. */
function replaces(one: StackConfiguration, other: StackConfiguration): boolean {
  if (one.time < other.time || !one.marks.isLater(other.marks)) return false;
  const { below } = one.top;
  return one.top === other.top || other.top.below.every((own) => below.includes(own));
}

/** Fewer configurations are not compared. */
const MIN_PRUNED = 4;

export class StackConfigurations implements Iterable<StackConfiguration> {
  readonly #stacks: HashConsedStacks;
  readonly #all: StackConfiguration[] = [];
  /** Marks to their configurations, one for each value on top. */
  readonly #byMarks = new Map<string, StackConfiguration[]>();

  constructor(stacks: HashConsedStacks) {
    this.#stacks = stacks;
  }

  get size(): number {
    return this.#all.length;
  }

  /** Returns the configuration if it is new. */
  add(marks: Marks, top: Node): StackConfiguration | undefined {
    const equals = this.#byMarks.get(marks.key);
    if (equals)
      for (const known of equals)
        if (known.value === top.value && known.time === top.time) {
          known.add(top);
          return undefined;
        }
    const configuration = new StackConfiguration(marks, top, this.#stacks);
    this.#all.push(configuration);
    if (equals) equals.push(configuration);
    else this.#byMarks.set(marks.key, [configuration]);
    return configuration;
  }

  /** Without configurations that another one replaces: it has the same stacks, and its times are not earlier. */
  undominated(): StackConfigurations {
    if (this.size < MIN_PRUNED) return this;
    const kinds = new Map<string, StackConfiguration[]>();
    for (const own of this) {
      const key = `${own.marks.kind}${own.value}`;
      const equals = kinds.get(key);
      if (equals) equals.push(own);
      else kinds.set(key, [own]);
    }
    const dropped = new Set<StackConfiguration>();
    for (const equals of kinds.values())
      for (const own of equals)
        if (equals.some((other) => other !== own && !dropped.has(other) && replaces(other, own)))
          dropped.add(own);
    if (dropped.size === 0) return this;
    const left = new StackConfigurations(this.#stacks);
    for (const own of this) if (!dropped.has(own)) left.add(own.marks, own.top);
    return left;
  }

  [Symbol.iterator](): Iterator<StackConfiguration> {
    return this.#all.values();
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
