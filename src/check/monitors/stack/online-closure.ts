/**
 * The closure: what open calls can do to a stack before one of them returns.
 *
 * Operations take effect just in time, so all others can wait unless their effect matters now. A push and the pop
 * that removes it can both wait, because both stay open. So some pops remove what was there before.
 *
 * Before a push returns, other open pushes may have added values. They can wait too: these values cannot be seen until
 * the new one is removed. When such a push returns, its value is on top, or directly below a value that was pushed
 * after its call (`insertBelow`). Only peeks would have seen the values in between. So while a peek is open, open
 * pushes take effect, in every order.
 *
 * Calls of unknown outcome take effect when it becomes visible: such a pop just before another operation looks below
 * it, such a push just before a peek or its pop.
 *
 * Each step of either kind adds one effect, so configurations are processed by this number, each when all that lead
 * to it are known.
 */

import { HashConsedStacks, type Node } from '../../search/containers/graph-structured-stack.js';
import { ConfigurationLimitExceeded, type ConfigurationLimits } from '../../stream/configurations.js';
import type { OnlineOperation } from '../../stream/steps.js';
import { NOTHING, type NumberedOutcome } from '../../stream/value-numbering.js';
import { type Marks, type StackConfiguration, StackConfigurations } from './configurations.js';

/** Bytes per configuration with its marks, or per node, estimated. */
const BYTES = 400;
const NO_SLOT = -1;

/** An open push, and the number of its value. */
interface OpenPush {
  readonly operation: OnlineOperation;
  readonly value: number;
}

type To = (marks: Marks, top: Node) => void;

export class Closure {
  /** For each slot, its push. */
  readonly pushes: (OpenPush | undefined)[] = [];
  /** In order of call, without those of unknown outcome. */
  readonly pops: OnlineOperation[] = [];
  readonly peeks: OnlineOperation[] = [];
  readonly stacks: HashConsedStacks = new HashConsedStacks();
  readonly #limits: ConfigurationLimits;

  constructor(limits: ConfigurationLimits) {
    this.#limits = limits;
  }

  layer(): StackConfigurations {
    return new StackConfigurations(this.stacks);
  }

  /** Marks when a node is on top. */
  marksAt(marks: Marks, { value }: Node): Marks {
    const seen = marks.withSeen(value, this.peeks.length);
    return value === NOTHING ? seen.withEmpty(this.pops.length) : seen;
  }

  /** These configurations, and all after pops removed what was there. */
  afterPops(from: Iterable<StackConfiguration>): StackConfigurations {
    const done = ({ unclaimed, freePops }: Marks): number => unclaimed.length / 2 - freePops;
    return this.#closure(from, done, ({ marks, top }, to) => {
      if (top.value === NOTHING) return;
      const taken: Marks[] = [];
      if (marks.unclaimed.length < 2 * this.pops.length)
        taken.push(marks.withRemoval(top.value, this.pops.length));
      if (marks.freePops > 0) taken.push(marks.withFreePops(-1));
      for (const left of taken) for (const below of top.below) to(this.marksAt(left, below), below);
    });
  }

  /** These configurations, and all that others can lead to before a peek, or before the push of a slot that returns now. */
  before(from: StackConfigurations, now: number, push: number = NO_SLOT): StackConfigurations {
    const popped = this.pops.length + this.peeks.length > 0 ? this.afterPops(from) : from;
    return push === NO_SLOT || this.peeks.length > 0 ? this.#raised(popped, now, push) : popped;
  }

  /** Throws if there are too many. */
  count({ size }: StackConfigurations, nodes = 0): void {
    if (size > this.#limits.configurations) throw new ConfigurationLimitExceeded('configurations');
    if (BYTES * (size + nodes) > this.#limits.bytes) throw new ConfigurationLimitExceeded('memory');
  }

  /** These configurations, and all after open pushes took effect, except one. */
  #raised(from: Iterable<StackConfiguration>, now: number, but: number): StackConfigurations {
    const done = ({ pushed, spare }: Marks): number => pushed.length - spare.length;
    return this.#closure(from, done, ({ marks, top }, to) => {
      for (const [slot, push] of this.pushes.entries()) {
        if (!push || slot === but || marks.pushed.includes(slot)) continue;
        const above = this.stacks.push(top, push.value, now);
        to(this.marksAt(marks.withPush(slot), above), above);
      }
      for (const value of this.peeks.length > 0 ? new Set(marks.spare) : []) {
        const above = this.stacks.push(top, value, now);
        to(this.marksAt(marks.withoutSpare(value), above), above);
      }
    });
  }

  #closure(
    from: Iterable<StackConfiguration>,
    done: (marks: Marks) => number,
    step: (from: StackConfiguration, to: To) => void,
  ): StackConfigurations {
    const layer = this.layer();
    const waiting = new Map<number, StackConfiguration[]>();
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

/*
 * The configurations of a stack that remain when a call ends. If none remains, no linearization includes that end.
 *
 *   push → done       it has taken effect; or pops do (the closure), and then it does; or it did below a later value
 *   pop → v           v was removed after this pop was called; or v is on top after others removed what was above; or
 *                     an open push adds it just now
 *   pop → empty       the stack was empty during the call, or is after others removed everything
 *   peek → v          v was on top during the call, or is after others have taken effect
 *   failed            it has not taken effect
 *   pending           if it has not taken effect, it may do so at any time
 */

export function afterPush(
  layer: StackConfigurations,
  onward: Closure,
  slot: number,
  ending: NumberedOutcome,
  now: number,
): StackConfigurations {
  const { value, operation } = onward.pushes[slot] as OpenPush;
  const next = onward.layer();
  const rest = onward.layer();
  for (const { marks, top } of layer) {
    const isDone = marks.pushed.includes(slot);
    if (isDone && ending !== 'failed') next.add(marks.withoutPush(slot), top);
    else if (!isDone && ending === 'failed') next.add(marks, top);
    else if (!isDone && ending === 'pending') next.add(marks.withSpare(value), top);
    else if (!isDone) rest.add(marks, top);
  }
  for (const { marks, top } of rest)
    if (top.time > operation.call) next.add(marks, onward.stacks.insertBelow(top, value, operation.call));
  for (const { marks, top } of onward.before(rest, now, slot)) {
    const above = onward.stacks.push(top, value, now);
    next.add(onward.marksAt(marks, above), above);
  }
  return next;
}

export function afterPop(
  layer: StackConfigurations,
  onward: Closure,
  pop: number,
  ending: NumberedOutcome,
): StackConfigurations {
  const next = onward.layer();
  const keep = (marks: Marks, top: Node): void => {
    const left = marks.withoutPop(pop);
    if (left) next.add(left, top);
  };
  if (typeof ending === 'number') popped(layer, onward, pop, ending, keep);
  else
    for (const { marks, top } of layer) {
      keep(ending === 'pending' ? marks.withFreePops(1) : marks, top);
      for (const left of ending === 'pending' ? marks.claims(pop) : []) keep(left, top);
    }
  return next;
}

function popped(
  layer: StackConfigurations,
  onward: Closure,
  pop: number,
  value: number,
  keep: (marks: Marks, top: Node) => void,
): void {
  const rest = onward.layer();
  for (const { marks, top } of layer) {
    if (value === NOTHING && marks.empty > pop) {
      keep(marks, top);
      continue;
    }
    rest.add(marks, top);
    const claimed = marks.claimed(pop, value);
    if (claimed) keep(claimed, top);
    const seen = marks.withSeen(value, onward.peeks.length);
    for (const [slot, push] of onward.pushes.entries())
      if (push?.value === value && !marks.pushed.includes(slot)) keep(seen.withPush(slot), top);
    if (marks.spare.includes(value)) keep(seen.withoutSpare(value), top);
  }
  for (const { marks, top } of onward.afterPops(rest)) {
    if (top.value !== value) continue;
    if (value === NOTHING) keep(marks, top);
    for (const below of top.below) keep(onward.marksAt(marks, below), below);
  }
}

export function afterPeek(
  layer: StackConfigurations,
  onward: Closure,
  peek: number,
  ending: NumberedOutcome,
  now: number,
): StackConfigurations {
  const next = onward.layer();
  const rest = onward.layer();
  for (const { marks, top } of layer)
    if (typeof ending !== 'number' || marks.hasSeen(peek, ending)) next.add(marks.withoutPeek(peek), top);
    else rest.add(marks, top);
  for (const { marks, top } of onward.before(rest, now))
    if (top.value === ending) next.add(marks.withoutPeek(peek), top);
  return next;
}
