/**
 * A graph-structured stack: many stacks in one graph.
 *
 *   M. Tomita. Efficient parsing for natural language. Kluwer 1986. (A graph-structured stack.)
 *   E. Scott, A. Johnstone. GLL parsing. ENTCS 253(7), 2010. (Links that come later than the removals.)
 *
 * A node is a value that came on top at a *stage*: when certain operations had taken effect. The previous top is a
 * link to another node. If several stacks get the same value at the same stage, it is one node with several links:
 * what happens above it is the same for all of them. A removal of the node continues at the end of each link. A link
 * that is added later must be followed by all earlier removals of the node, so these are stored too.
 *
 * Cost: 9 integers per node, 10 per link and per removal.
 */
import { GrowingInts } from '../../../base/collections/growing.js';
import { ABSENT, PairMap } from '../../../base/collections/int-set.js';
import { BEGINNING, type Effects } from '../generic/effects.js';

/** The node below all values. */
export const BOTTOM = 0;
/** Ends a list of links or removals. */
const NONE = -1;

export class GraphStructuredStack {
  /** The node of the initial top. */
  readonly top: number;
  /** Nodes by stage and value. */
  readonly #nodes = new PairMap();
  /**
   * For each node, its value, its last link and its last removal. The bottom has no value; then come the initial
   * values.
   */
  readonly #value = new GrowingInts();
  readonly #lastLink = new GrowingInts();
  readonly #lastRemoval = new GrowingInts();
  /** Links by their two nodes. */
  readonly #links = new PairMap();
  /**
   * For each link, the node below, the operation that added the value and its configuration, and the link before it.
   */
  readonly #below = new GrowingInts();
  readonly #adder = new GrowingInts();
  readonly #origin = new GrowingInts();
  readonly #linkBefore = new GrowingInts();
  /** Removals by node, and stage after the removal. */
  readonly #removals = new PairMap();
  /**
   * For each removal, the stage after it, the operation that removed the node, its configuration, and the removal
   * before it.
   */
  readonly #stage = new GrowingInts();
  readonly #remover = new GrowingInts();
  readonly #from = new GrowingInts();
  readonly #removalBefore = new GrowingInts();

  /** `initial`: the initial values, the top last. */
  constructor(initial: readonly number[]) {
    this.#add(NONE);
    for (const [i, value] of initial.entries()) this.link(this.#add(value), i, NONE, NONE);
    this.top = initial.length;
  }

  get bytes(): number {
    const lists = 3 * this.#value.length + 4 * (this.#below.length + this.#stage.length);
    return this.#nodes.bytes + this.#links.bytes + this.#removals.bytes + 4 * lists;
  }

  valueOf(node: number): number {
    return this.#value.at(node);
  }

  /** The node of a value that comes on top at a stage. */
  node(stage: number, value: number): { readonly node: number; readonly isNew: boolean } {
    const known = this.#nodes.get(stage, value);
    if (known !== ABSENT) return { node: known, isNew: false };
    const node = this.#add(value);
    this.#nodes.add(stage, value, node);
    return { node, isNew: true };
  }

  /** Adds a node below another; returns the link, or undefined if it was known. */
  link(node: number, below: number, adder: number, origin: number): number | undefined {
    if (this.#links.get(node, below) !== ABSENT) return undefined;
    const link = this.#below.length;
    this.#links.add(node, below, link);
    this.#below.push(below);
    this.#adder.push(adder);
    this.#origin.push(origin);
    this.#linkBefore.push(this.#lastLink.at(node));
    this.#lastLink.set(node, link);
    return link;
  }

  /** The operation that added the value above, and its configuration. */
  made(link: number): { readonly adder: number; readonly origin: number } {
    return { adder: this.#adder.at(link), origin: this.#origin.at(link) };
  }

  below(link: number): number {
    return this.#below.at(link);
  }

  /** Removes a node, which leads to a stage; returns the removal, or undefined if it was known. */
  remove(node: number, stage: number, remover: number, from: number): number | undefined {
    if (this.#removals.get(node, stage) !== ABSENT) return undefined;
    const removal = this.#stage.length;
    this.#removals.add(node, stage, removal);
    this.#stage.push(stage);
    this.#remover.push(remover);
    this.#from.push(from);
    this.#removalBefore.push(this.#lastRemoval.at(node));
    this.#lastRemoval.set(node, removal);
    return removal;
  }

  /** The stage after a removal, the operation that removed the node, and its configuration. */
  removed(removal: number): { readonly stage: number; readonly remover: number; readonly from: number } {
    return {
      stage: this.#stage.at(removal),
      remover: this.#remover.at(removal),
      from: this.#from.at(removal),
    };
  }

  *links(node: number): Generator<number> {
    for (let link = this.#lastLink.at(node); link !== NONE; link = this.#linkBefore.at(link)) yield link;
  }

  *removals(node: number): Generator<number> {
    for (let i = this.#lastRemoval.at(node); i !== NONE; i = this.#removalBefore.at(i)) yield i;
  }

  #add(value: number): number {
    this.#value.push(value);
    this.#lastLink.push(NONE);
    this.#lastRemoval.push(NONE);
    return this.#value.length - 1;
  }
}

/*
 * A linearization, read backwards from a configuration.
 *
 * A value that was removed on the path was added by the link through which it was removed, which may be another than
 * the one on the path to the first removal found. So, going back, the link waits until the place is reached where its
 * node came on top; what was added there is the link's, and the path continues where the link was made. Cost:
 * O(length).
 */

/** Instead of the link through which a value was removed: a value was added. */
export const PUT_IN = -1;

/**
 * `through`: for each configuration, the link. The first effect on the path to a configuration added or removed a
 * value.
 */
export function graphStackOrder(
  last: number,
  stacks: GraphStructuredStack,
  effects: Effects,
  through: GrowingInts,
): Int32Array {
  const backwards = new GrowingInts();
  /** Links to visit; the one whose node is nearest to the top is last. */
  const waiting: number[] = [];
  for (let at = last; at !== BEGINNING; ) {
    const own = effects.of(at);
    const parent = effects.parentOf(at);
    const isPutIn = through.at(at) === PUT_IN;
    const link = isPutIn ? waiting.pop() : undefined;
    // initial values were not added by an operation
    const made = link === undefined || parent === BEGINNING ? undefined : stacks.made(link);
    if (!isPutIn) waiting.push(through.at(at));
    if (made) own[0] = made.adder;
    for (let i = own.length; i > 0; ) backwards.push(own[--i]);
    at = made ? made.origin : parent;
  }
  return backwards.toArray().reverse();
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
  /** The event before which the value was pushed; not smaller than that of any node below. */
  readonly time: number;
  /** In order of id. */
  readonly below: readonly Node[];
}

/** The node below all values, whose numbers are positive. */
export const EMPTY_STACK: Node = { id: 0, value: 0, size: 0, time: 0, below: [] };

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
