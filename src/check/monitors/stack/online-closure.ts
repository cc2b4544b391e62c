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
import { ConfigurationLimitExceeded, type ConfigurationLimits } from '../../stream/configurations.js';
import type { OnlineOperation } from '../../stream/operation.js';
import { NOTHING, type NumberedOutcome } from '../../stream/value-numbering.js';
import { type Configuration, Layer, type Node, Stacks } from './configurations.js';
import type { Marks } from './online-marks.js';

/** Of a configuration with its marks, or a node, roughly. */
const BYTES = 400;
const NO_SLOT = -1;

/** A push that is open, and the number of its value. */
interface OpenPush {
  readonly operation: OnlineOperation;
  readonly value: number;
}

type To = (marks: Marks, top: Node) => void;

export class Closure {
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
    if (size > this.#limits.configurations) throw new ConfigurationLimitExceeded('configurations');
    if (BYTES * (size + nodes) > this.#limits.bytes) throw new ConfigurationLimitExceeded('memory');
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

/*
 * What is left of the configurations of a stack when a call ends. Nothing: no order gets past it.
 *
 *   push → done       it has taken effect; or others do (online-closure.ts), and then it does
 *   pop → v           v was taken when this pop had been called; or v is on top when others have taken what was above; or
 *                     an open push puts it in just now
 *   pop → empty       it was empty during the call, or is when others have taken what there was
 *   peek → v          v was on top during the call, or is when others have taken effect
 *   failed            it has not taken effect
 *   pending           if it has not taken effect it may do so at any time
 */

export function afterPush(layer: Layer, onward: Closure, slot: number, ending: NumberedOutcome): Layer {
  const { value } = onward.pushes[slot] as OpenPush;
  const next = onward.layer();
  const rest = onward.layer();
  for (const { marks, top } of layer) {
    const isDone = marks.pushed.includes(slot);
    if (isDone && ending !== 'failed') next.add(marks.withoutPush(slot), top);
    else if (!isDone && ending === 'failed') next.add(marks, top);
    else if (!isDone && ending === 'pending') next.add(marks.withSpare(value), top);
    else if (!isDone) rest.add(marks, top);
  }
  for (const { marks, top } of onward.before(rest, slot)) {
    const above = onward.stacks.push(top, value);
    next.add(onward.seeing(marks, above), above);
  }
  return next;
}

export function afterPop(layer: Layer, onward: Closure, pop: number, ending: NumberedOutcome): Layer {
  const next = onward.layer();
  const goOn = (marks: Marks, top: Node): void => {
    const left = marks.withoutPop(pop);
    if (left) next.add(left, top);
  };
  if (typeof ending === 'number') popped(layer, onward, pop, ending, goOn);
  else
    for (const { marks, top } of layer) {
      goOn(ending === 'pending' ? marks.withFreePops(1) : marks, top);
      for (const left of ending === 'pending' ? marks.claims(pop) : []) goOn(left, top);
    }
  return next;
}

function popped(
  layer: Layer,
  onward: Closure,
  pop: number,
  value: number,
  goOn: (marks: Marks, top: Node) => void,
): void {
  const rest = onward.layer();
  for (const { marks, top } of layer) {
    if (value === NOTHING && marks.empty > pop) {
      goOn(marks, top);
      continue;
    }
    rest.add(marks, top);
    const claimed = marks.claimed(pop, value);
    if (claimed) goOn(claimed, top);
    const seen = marks.withSeen(value, onward.peeks.length);
    for (const [slot, push] of onward.pushes.entries())
      if (push?.value === value && !marks.pushed.includes(slot)) goOn(seen.withPush(slot), top);
    if (marks.spare.includes(value)) goOn(seen.withoutSpare(value), top);
  }
  for (const { marks, top } of onward.lowered(rest)) {
    if (top.value !== value) continue;
    if (value === NOTHING) goOn(marks, top);
    for (const below of top.below) goOn(onward.seeing(marks, below), below);
  }
}

export function afterPeek(layer: Layer, onward: Closure, peek: number, ending: NumberedOutcome): Layer {
  const next = onward.layer();
  const rest = onward.layer();
  for (const { marks, top } of layer)
    if (typeof ending !== 'number' || marks.hasSeen(peek, ending)) next.add(marks.withoutPeek(peek), top);
    else rest.add(marks, top);
  for (const { marks, top } of onward.before(rest))
    if (top.value === ending) next.add(marks.withoutPeek(peek), top);
  return next;
}
