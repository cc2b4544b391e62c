/**
 * What open calls can do to a stack before one of them returns.
 *
 * They take effect just in time, so all others can wait until it is their turn, unless it matters now. What is put in and taken out again by
 * others has time, whatever was done in between: they are all open still. So first some take out what
 * was there before, and then some put in. And calls whose callers gave up are made when somebody sees it: such a pop just before
 * others look below, such a push just before a peek, or its pop.
 *
 * Each step of either kind has one more of them done, so configurations are gone through by this number, and each when
 * all that lead to it are known.
 */
import { type ConfigurationLimits, TooMany } from '../../stream/configurations.js';
import type { OnlineOperation } from '../../stream/operation.js';
import { NOTHING } from '../../stream/value-numbering.js';
import { type Node, Stacks } from './hash-consed-stack.js';
import type { Marks } from './online-marks.js';
import { type Configuration, Layer } from './stack-configurations.js';

/** Of a configuration with its marks, or a node, roughly. */
const BYTES = 400;
const NO_SLOT = -1;

/** A push that is open, and the number of its value. */
export interface OpenPush {
  readonly operation: OnlineOperation;
  readonly value: number;
}

type To = (marks: Marks, top: Node) => void;

export class Onward {
  /** Slot to the push that has it. */
  readonly pushes: (OpenPush | undefined)[] = [];
  /** By call; those whose callers gave up are not among them. */
  readonly pops: OnlineOperation[] = [];
  readonly peeks: OnlineOperation[] = [];
  readonly stacks: Stacks = new Stacks();
  readonly #limits: ConfigurationLimits;

  constructor(limits: ConfigurationLimits) {
    this.#limits = limits;
  }

  layer(): Layer {
    return new Layer(this.stacks);
  }

  /** Marks when a node is on top. */
  seeing(marks: Marks, { value }: Node): Marks {
    const seen = marks.withSeen(value, this.peeks.length);
    return value === NOTHING ? seen.withEmpty(this.pops.length) : seen;
  }

  /** Those, and all when pops have taken out what was there. */
  lowered(from: Iterable<Configuration>): Layer {
    const done = ({ takings, freePops }: Marks): number => takings.length / 2 - freePops;
    return this.#closure(from, done, ({ marks, top }, to) => {
      if (top.value === NOTHING) return;
      const taken: Marks[] = [];
      if (marks.takings.length < 2 * this.pops.length)
        taken.push(marks.withTaking(top.value, this.pops.length));
      if (marks.freePops > 0) taken.push(marks.withFreePops(-1));
      for (const left of taken) for (const below of top.below) to(this.seeing(left, below), below);
    });
  }

  /** Those, and all that others can make of them before a peek, or the push of a slot. */
  before(from: Layer, push: number = NO_SLOT): Layer {
    const isSeen = this.pops.length + this.peeks.length > 0;
    return this.#raised(isSeen ? this.lowered(from) : from, push);
  }

  /** Are they too many? */
  count({ size }: Layer, nodes = 0): void {
    if (size > this.#limits.configurations) throw new TooMany('configurations');
    if (BYTES * (size + nodes) > this.#limits.bytes) throw new TooMany('memory');
  }

  /** Those, and all when open pushes have taken effect, but for one. */
  #raised(from: Iterable<Configuration>, but: number): Layer {
    const done = ({ pushed, spare }: Marks): number => pushed.length - spare.length;
    return this.#closure(from, done, ({ marks, top }, to) => {
      for (const [slot, push] of this.pushes.entries()) {
        if (!push || slot === but || marks.pushed.includes(slot)) continue;
        const above = this.stacks.push(top, push.value);
        to(this.seeing(marks.withPush(slot), above), above);
      }
      for (const value of this.peeks.length > 0 ? new Set(marks.spare) : []) {
        const above = this.stacks.push(top, value);
        to(this.seeing(marks.withoutSpare(value), above), above);
      }
    });
  }

  #closure(
    from: Iterable<Configuration>,
    done: (marks: Marks) => number,
    step: (from: Configuration, to: To) => void,
  ): Layer {
    const layer = this.layer();
    const waiting = new Map<number, Configuration[]>();
    const to: To = (marks, top) => {
      const configuration = layer.add(marks, top);
      if (!configuration) return;
      const equals = waiting.get(done(marks));
      if (equals) equals.push(configuration);
      else waiting.set(done(marks), [configuration]);
      this.count(layer);
    };
    for (const { marks, top } of from) to(marks, top);
    for (let at = Math.min(...waiting.keys()); waiting.size > 0; at++) {
      for (const configuration of waiting.get(at) ?? []) step(configuration, to);
      waiting.delete(at);
    }
    return layer;
  }
}
