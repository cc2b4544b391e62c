/**
 * An online monitor of stacks, with peeks and duplicate values.
 *
 *   G. Lowe. Testing for linearizability. CCPE 29(4), 2017, section 4: operations take effect just in time, when one has to
 *   return. Two departures: all stacks are in one graph (configurations.ts), and results are unknown before the
 *   return (configurations.ts).
 *
 * It declines other methods, a value that equals the result of an empty stack, and unexpected results.
 *
 * Cost: O(configurations) per event; their number depends on what open calls can have done, not on the values that
 * were there before. Memory: the configurations, and for each value inside one node per predecessor that it can have.
 */

import { EMPTY_STACK, type Node } from '../../search/containers/graph-structured-stack.js';
import type { ConfigurationLimits } from '../../stream/configurations.js';
import { ContainerMonitor } from '../../stream/container-monitor.js';
import type { CreateStreamMonitor } from '../../stream/monitor.js';
import type { Call, OnlineOperation, Steps } from '../../stream/steps.js';
import { distinctContent, type NumberedOutcome } from '../../stream/value-numbering.js';
import { Marks, type StackConfigurations } from './configurations.js';
import { afterPeek, afterPop, afterPush, Closure } from './online-closure.js';

/** This many nodes may exist before unreachable ones are dropped. */
const MIN_ROOM = 4096;
/** A cause shows at most this many values above another. */
const MAX_SHOWN = 5;

class StackMonitor extends ContainerMonitor {
  readonly #onward: Closure;
  /** The initial values, the top last. */
  readonly #initial: readonly number[];
  #layer: StackConfigurations;
  /** How many nodes may be made before they are counted again. */
  #room = MIN_ROOM;

  constructor(steps: Steps, items: readonly unknown[], limits: ConfigurationLimits) {
    super(steps);
    this.#onward = new Closure(limits);
    this.#initial = items.map((item) => this.numbering.add(item));
    this.#layer = this.#onward.layer();
    this.#layer.add(
      new Marks(),
      this.#initial.reduce((below, value) => this.#onward.stacks.push(below, value, 0), EMPTY_STACK),
    );
  }

  get held(): number {
    const { pushes, pops, peeks } = this.#onward;
    const [{ top }] = this.#layer;
    return this.#layer.size + top.size + pushes.length + pops.length + peeks.length;
  }

  calls(): readonly Call[] | undefined {
    const inside = this.#inside();
    if (!inside) return undefined;
    const { add, remove } = this.steps.spec.family?.roles ?? {};
    const other = inside.findIndex((value, i) => value !== this.#initial[i]);
    const kept = other < 0 ? inside.length : other;
    const pops: Call[] = Array.from({ length: this.#initial.length - kept }, () => [remove]);
    return [...pops, ...inside.slice(kept).map((value): Call => [add, this.numbering.itemOf(value)])];
  }

  protected callAdd(operation: OnlineOperation, value: number): void {
    const { pushes } = this.#onward;
    const slot = pushes.indexOf(undefined);
    pushes[slot < 0 ? pushes.length : slot] = { operation, value };
  }

  protected callOther(operation: OnlineOperation, role: string): boolean {
    const { pops, peeks } = this.#onward;
    if (role === 'remove') pops.push(operation);
    else if (role === 'peek') peeks.push(operation);
    else return false;
    const next = this.#onward.layer();
    for (const { marks, top } of this.#layer) next.add(this.#onward.marksAt(marks, top), top);
    this.#layer = next;
    return true;
  }

  protected finish(operation: OnlineOperation, ending: NumberedOutcome, now: number): boolean {
    const next = this.#after(operation, ending, now);
    this.#onward.count(next);
    if (next.size === 0) return false;
    this.#layer = next.undominated();
    this.#close(operation);
    if (this.#onward.stacks.made > this.#room) this.#forget();
    return true;
  }

  protected isKnown(value: number): boolean {
    return this.#known(this.#layer.nodes()).has(value);
  }

  protected allowed(operation: OnlineOperation): number[] {
    const tops = Array.from(this.#onward.before(this.#layer, operation.return), ({ top }) => top);
    return [...this.#known([EMPTY_STACK, ...tops])].filter(
      (value) => this.#after(operation, value, operation.return).size > 0,
    );
  }

  protected inTheWayOf(value: number): readonly OnlineOperation[] {
    const above = this.#layer.pathTo(value);
    return above.flatMap((own) => this.numbering.adderOf(own) ?? []).slice(0, MAX_SHOWN);
  }

  #after(operation: OnlineOperation, ending: NumberedOutcome, now: number): StackConfigurations {
    const { pushes, pops, peeks } = this.#onward;
    const role = this.roleOf(operation.method);
    if (role === 'remove') return afterPop(this.#layer, this.#onward, pops.indexOf(operation), ending);
    if (role === 'peek') return afterPeek(this.#layer, this.#onward, peeks.indexOf(operation), ending, now);
    const slot = pushes.findIndex((push) => push?.operation === operation);
    return afterPush(this.#layer, this.#onward, slot, ending, now);
  }

  #close(operation: OnlineOperation): void {
    const { pushes, pops, peeks } = this.#onward;
    const slot = pushes.findIndex((push) => push?.operation === operation);
    if (slot >= 0) pushes[slot] = undefined;
    for (const open of [pops, peeks]) if (open.includes(operation)) open.splice(open.indexOf(operation), 1);
  }

  /** Counts the nodes that configurations use, and drops the values of others. */
  #forget(): void {
    const nodes = this.#layer.nodes();
    this.#onward.count(this.#layer, nodes.size);
    this.#room = Math.max(MIN_ROOM, nodes.size);
    this.numbering.retain(this.#known(nodes));
    this.#onward.stacks.clear();
  }

  /** The values inside, the top last, if there is only one possibility. */
  #inside(): number[] | undefined {
    if (this.#layer.size > 1) return undefined;
    const inside: number[] = [];
    for (let [{ top: node }] = this.#layer; node.size > 0; [node] = node.below) {
      if (node.below.length > 1) return undefined;
      inside.push(node.value);
    }
    return inside.reverse();
  }

  /** The values on nodes, of open pushes, and in marks. */
  #known(nodes: Iterable<Node>): Set<number> {
    const known = new Set<number>(Array.from(nodes, ({ value }) => value));
    for (const push of this.#onward.pushes) if (push) known.add(push.value);
    for (const { marks } of this.#layer) for (const value of marks.values()) known.add(value);
    return known;
  }
}

export const stack: CreateStreamMonitor = (steps, _args, limits) => {
  const items = distinctContent(steps);
  return items && new StackMonitor(steps, items.toReversed(), limits);
};
