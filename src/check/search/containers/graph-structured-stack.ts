/**
 * Many stacks in one graph.
 *
 *   M. Tomita. Efficient parsing for natural language. Kluwer 1986. (A graph-structured stack.)
 *   E. Scott, A. Johnstone. GLL parsing. ENTCS 253(7), 2010. (Links that come later than the removals.)
 *
 * A node is a value that came on top at a *stage*: when certain operations had taken effect. What was on top before it is
 * a link to another node. Where several stacks get the same value at the same stage, it is one node with several
 * links: what happens above it is the same for all of them. Who takes a node out goes on at the end of each link. A link
 * that comes later owes that to all who took the node out before, so they are written down too.
 *
 * Cost: 9 integers a node, 10 a link and a removal.
 */
import { GrowingInts } from '../../../base/collections/growing.js';
import { ABSENT, PairMap } from '../../../base/collections/pair-map.js';
import { BEGINNING, type Effects } from '../generic/effects.js';

/** Below all values. */
export const BOTTOM = 0;
/** Ends a list of links or removals. */
const NONE = -1;

export class GraphStructuredStack {
  /** The node of what is inside at first. */
  readonly top: number;
  /** Cut and value to the node. */
  readonly #nodes = new PairMap();
  /** Node to its value, its last link and its last removal. The bottom has no value; then come those inside at first. */
  readonly #value = new GrowingInts();
  readonly #lastLink = new GrowingInts();
  readonly #lastRemoval = new GrowingInts();
  /** Two nodes to the link between them. */
  readonly #links = new PairMap();
  /** Link to the node below, to who put the value in and from which configuration, and to the link before it. */
  readonly #below = new GrowingInts();
  readonly #adder = new GrowingInts();
  readonly #origin = new GrowingInts();
  readonly #linkBefore = new GrowingInts();
  /** Node, and stage after it is taken out, to the removal. */
  readonly #removals = new PairMap();
  /** Removal to the stage after it, to who took the node out, from which configuration, and to the removal before it. */
  readonly #stage = new GrowingInts();
  readonly #remover = new GrowingInts();
  readonly #from = new GrowingInts();
  readonly #removalBefore = new GrowingInts();

  /** `initial`: the values inside at first, the top last. */
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

  /** One more that may be below a node; gives its link, or undefined where that was known. */
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

  /** Who put in the value above, and where it stood then. */
  made(link: number): { readonly adder: number; readonly origin: number } {
    return { adder: this.#adder.at(link), origin: this.#origin.at(link) };
  }

  below(link: number): number {
    return this.#below.at(link);
  }

  /** A node is taken out, which leads to a stage; gives the removal, or undefined where that was known. */
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

  /** The stage that a removal leads to, who took the node out, and where it stood then. */
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
 * An order, read backwards from a configuration of shared stacks.
 *
 * What was taken out on the way to it was put in by the link that it was taken out through, and that may be
 * another than the one on the way to the removal first found. So going back, the link waits until the place is reached where its
 * node came on top; what was put in there is the link's, and the way goes on where the link was made. Cost: O(length).
 */

/** Instead of the link that a value was taken out through: one was put in. */
export const PUT_IN = -1;

/** `through`: configuration to the link. The first effect on the way to a configuration put something in or took it out. */
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
