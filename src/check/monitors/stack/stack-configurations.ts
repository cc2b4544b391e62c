/**
 * The configurations of a stack: what open calls have done, and what is on top.
 *
 * A stack shows its top alone. So configurations with the same marks and the same value on top are one, and only who takes
 * the top out looks at what may be below it.
 */
import type { Node, Stacks } from './hash-consed-stack.js';
import type { Marks } from './online-marks.js';

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
