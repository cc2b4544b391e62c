/**
 * The configurations of a stack: what open calls have done, and the possible stacks.
 *
 * Only the top of a stack can be observed. So configurations with equal marks and the same top value are one, and
 * only a pop looks at what may be below the top.
 */
import {
  claim,
  possibleClaims,
  type UnclaimedRemovals,
  valuesRemoved,
  withoutRemoval,
  withRemoval,
} from '../../stream/pending-effects.js';
import { NOTHING } from '../../stream/value-numbering.js';

interface MarkFields {
  /** The slots of open pushes that have taken effect, ascending. */
  readonly pushed: readonly number[];
  readonly unclaimed: UnclaimedRemovals;
  /** How many of the open pops had been called when the stack was last empty. */
  readonly empty: number;
  /** Each value, and how many of the open peeks had been called when it was last on top; by value. */
  readonly seen: readonly number[];
  /** How many pops of unknown outcome have not taken effect. */
  readonly freePops: number;
  /** The values of pushes of unknown outcome that have not taken effect, ascending. */
  readonly spare: readonly number[];
}

const NONE: MarkFields = { pushed: [], unclaimed: [], empty: 0, seen: [], freePops: 0, spare: [] };

/**
 * What a configuration of a stack records about open calls, beside the stack itself.
 *
 * The values that open pops have taken are unclaimed removals. Likewise, the last time at which the stack was empty,
 * or a value was on top, is stored as the number of pops or peeks that were open then. Marks are immutable.
 */
export class Marks implements MarkFields {
  readonly pushed: readonly number[];
  readonly unclaimed: UnclaimedRemovals;
  readonly empty: number;
  readonly seen: readonly number[];
  readonly freePops: number;
  readonly spare: readonly number[];
  #key: string | undefined;

  constructor({ pushed, unclaimed, empty, seen, freePops, spare }: MarkFields = NONE) {
    this.pushed = pushed;
    this.unclaimed = unclaimed;
    this.empty = empty;
    this.seen = seen;
    this.freePops = freePops;
    this.spare = spare;
  }

  /** Equal for equal marks. */
  get key(): string {
    this.#key ??= textOf(
      [this.empty, this.freePops, this.pushed.length, this.unclaimed.length, this.seen.length],
      this.pushed,
      this.unclaimed,
      this.seen,
      this.spare,
    );
    return this.#key;
  }

  /** After a push has taken effect. */
  withPush(slot: number): Marks {
    return this.#with({ pushed: inserted(this.pushed, slot) });
  }

  /** After the slot of a push is free again. */
  withoutPush(slot: number): Marks {
    return this.#with({ pushed: this.pushed.filter((own) => own !== slot) });
  }

  withSpare(value: number): Marks {
    return this.#with({ spare: inserted(this.spare, value) });
  }

  withoutSpare(value: number): Marks {
    return this.#with({ spare: this.spare.toSpliced(this.spare.indexOf(value), 1) });
  }

  withFreePops(more: 1 | -1): Marks {
    return this.#with({ freePops: this.freePops + more });
  }

  /** After one of `pops` open pops has taken a value. */
  withRemoval(value: number, pops: number): Marks {
    return this.#with({ unclaimed: withRemoval(this.unclaimed, value, pops) });
  }

  /** After a pop claims a value; undefined if it cannot. */
  claimed(pop: number, value: number): Marks | undefined {
    const unclaimed = claim(this.unclaimed, pop, value);
    return unclaimed && this.#with({ unclaimed });
  }

  /** After a pop claims any value that it may have taken. */
  claims(pop: number): Marks[] {
    return possibleClaims(this.unclaimed, pop).map((unclaimed) => this.#with({ unclaimed }));
  }

  /** After a pop ends; undefined if the others cannot claim all removals. */
  withoutPop(pop: number): Marks | undefined {
    const { empty } = this;
    const unclaimed = withoutRemoval(this.unclaimed, pop);
    return unclaimed && this.#with({ unclaimed, empty: empty > pop ? empty - 1 : empty });
  }

  /** The stack is empty while this many pops are open. */
  withEmpty(pops: number): Marks {
    return this.empty === pops ? this : this.#with({ empty: pops });
  }

  /** A value is on top while this many peeks are open. */
  withSeen(value: number, peeks: number): Marks {
    if (peeks === 0) return this;
    const { seen } = this;
    let at = 0;
    while (at < seen.length && seen[at] < value) at += 2;
    if (seen[at] === value && seen[at + 1] === peeks) return this;
    return this.#with({ seen: seen.toSpliced(at, seen[at] === value ? 2 : 0, value, peeks) });
  }

  hasSeen(peek: number, value: number): boolean {
    for (let at = 0; at < this.seen.length; at += 2)
      if (this.seen[at] === value) return this.seen[at + 1] > peek;
    return false;
  }

  /** After a peek ends. */
  withoutPeek(peek: number): Marks {
    const seen: number[] = [];
    for (let at = 0; at < this.seen.length; at += 2) {
      const [value, peeks] = this.seen.slice(at, at + 2);
      const left = peeks > peek ? peeks - 1 : peeks;
      if (left > 0) seen.push(value, left);
    }
    return this.#with({ seen });
  }

  /** The values that are removed, seen or spare. */
  *values(): Generator<number> {
    yield* valuesRemoved(this.unclaimed);
    for (let at = 0; at < this.seen.length; at += 2) yield this.seen[at];
    yield* this.spare;
  }

  #with(fields: Partial<MarkFields>): Marks {
    const { pushed, unclaimed, empty, seen, freePops, spare } = this;
    return new Marks({ pushed, unclaimed, empty, seen, freePops, spare, ...fields });
  }
}

/** 32-bit integers as one text of two units each, made at once: a map then need not join pieces. */
function textOf(...lists: readonly (readonly number[])[]): string {
  let text = '';
  let units: number[] = [];
  for (const list of lists)
    for (const number of list) {
      units.push(number & 0xffff, number >>> 16);
      if (units.length < MOST_UNITS) continue;
      text += String.fromCharCode(...units);
      units = [];
    }
  return text + String.fromCharCode(...units);
}

/** Arguments that one call may have on any machine. */
const MOST_UNITS = 1 << 10;

function inserted(numbers: readonly number[], one: number): readonly number[] {
  const at = numbers.findIndex((own) => own > one);
  return numbers.toSpliced(at < 0 ? numbers.length : at, 0, one);
}

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
  /** Nodes with one node below, by that node and their value. */
  readonly #pushed = new Map<Node, Map<number, Node>>();
  /** Nodes with several. */
  readonly #joined = new Map<string, Node>();
  #last = 0;
  /** How many nodes were made since the table was cleared. */
  made = 0;

  /** A value on top of a node. */
  push(below: Node, value: number): Node {
    let own = this.#pushed.get(below);
    if (!own) {
      own = new Map();
      this.#pushed.set(below, own);
    }
    let node = own.get(value);
    if (!node) {
      node = this.#make(value, [below]);
      own.set(value, node);
    }
    return node;
  }

  /** One node for several of the same value and size. */
  union(nodes: readonly Node[]): Node {
    if (nodes.length === 1) return nodes[0];
    const below = new Set<Node>();
    for (const node of nodes) for (const own of node.below) below.add(own);
    const [first, ...others] = below;
    if (others.length === 0) return this.push(first, nodes[0].value);
    const sorted = [...below].sort((a, b) => a.id - b.id);
    const key = `${nodes[0].value},${sorted.map(({ id }) => id).join()}`;
    let node = this.#joined.get(key);
    if (!node) {
      node = this.#make(nodes[0].value, sorted);
      this.#joined.set(key, node);
    }
    return node;
  }

  clear(): void {
    this.#pushed.clear();
    this.#joined.clear();
    this.made = 0;
  }

  #make(value: number, below: readonly Node[]): Node {
    this.made++;
    return { id: ++this.#last, value, size: below[0].size + 1, below };
  }
}

export class StackConfiguration {
  readonly marks: Marks;
  /** The value on top. */
  readonly value: number;
  readonly #stacks: HashConsedStacks;
  /** Nodes of this value. */
  #tops: Node[];

  constructor(marks: Marks, top: Node, stacks: HashConsedStacks) {
    this.marks = marks;
    this.value = top.value;
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
        if (known.value === top.value) {
          known.add(top);
          return undefined;
        }
    const configuration = new StackConfiguration(marks, top, this.#stacks);
    this.#all.push(configuration);
    if (equals) equals.push(configuration);
    else this.#byMarks.set(marks.key, [configuration]);
    return configuration;
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
