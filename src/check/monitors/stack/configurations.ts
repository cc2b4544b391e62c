/**
 * The configurations of a stack: what open calls have done, and the possible stacks.
 *
 * Only the top of a stack can be observed. So configurations with equal marks and the same top value are one, and
 * only a pop looks at what may be below the top, and a push that is inserted there.
 */
import type { HashConsedStacks, Node } from '../../search/containers/graph-structured-stack.js';
import {
  claim,
  possibleClaims,
  type UnclaimedRemovals,
  valuesRemoved,
  withoutRemoval,
  withRemoval,
} from '../../stream/pending-effects.js';

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
 * Marks are immutable.
 *
 * The values that open pops have taken are unclaimed removals. Likewise, the last time at which the stack was empty,
 * or a value was on top, is stored as the number of pops or peeks that were open then.
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

  /** Equal for marks that differ in times only: when values were removed, and when the stack was empty. */
  get kind(): string {
    const { freePops, pushed, seen, spare } = this;
    const removed = [...valuesRemoved(this.unclaimed)].sort((a, b) => a - b);
    return textOf([freePops, pushed.length, removed.length, seen.length], pushed, removed, seen, spare);
  }

  /** Whether all times are at least as late, in marks of the same kind: the open pops can claim as much, or more. */
  isLater({ empty, unclaimed }: Marks): boolean {
    if (this.empty < empty) return false;
    const byValue = byValueAndTime(this.unclaimed);
    return byValueAndTime(unclaimed).every((own, i) => own.open <= byValue[i].open);
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

function byValueAndTime(removals: UnclaimedRemovals): { open: number; value: number }[] {
  const all: { open: number; value: number }[] = [];
  for (let at = 0; at < removals.length; at += 2) all.push({ open: removals[at], value: removals[at + 1] });
  return all.sort((a, b) => a.value - b.value || a.open - b.open);
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
const MIN_PRUNED = 2;

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
