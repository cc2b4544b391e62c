/**
 * A stack, whatever values come again, with peeks.
 *
 *   G. Lowe. Testing for linearizability. CCPE 29(4), 2017, section 4: operations take effect just in time, when
 *   one has to return. Here with all stacks in one graph (stack-configurations.ts), and results that are not known before (online-marks.ts).
 *
 * Steps aside for other methods, for a value that is also the answer of an empty stack, and for other answers.
 *
 * Cost: O(configurations) an event, of which there are as many as open calls can have done different things, whatever is below
 * the top. Memory: these, and for each value inside a node for each of the ways in which it can have got there.
 */
import type { Outcome } from '../../../history/model/operation.js';
import { type ConfigurationLimits, unlessTooMany } from '../../stream/configurations.js';
import type { OnlineOperation } from '../../stream/operation.js';
import type { Call, Steps } from '../../stream/steps.js';
import {
  type CreateStreamMonitor,
  DECLINE_DUPLICATE,
  DECLINE_METHOD,
  DECLINE_RESULT,
  type OnlineResult,
  type StreamMonitor,
} from '../../stream/stream-monitor.js';
import {
  type Ending,
  endingOf,
  NOTHING,
  Numbering,
  type RoleOf,
  rolesOf,
  unlikeNothing,
} from '../../stream/value-numbering.js';
import type { OnlineCause } from '../../stream/violation.js';
import { afterPeek, afterPop, afterPush, Onward } from './online-closure.js';
import { Marks } from './online-marks.js';
import { BOTTOM, type Layer, type Node } from './stack-configurations.js';

/** So many nodes may be there that need not be. */
const LEAST_ROOM = 4096;
/** So many values inside are told of. */
const MOST_TOLD = 5;

class StackMonitor implements StreamMonitor {
  readonly #steps: Steps;
  readonly #roleOf: RoleOf;
  readonly #onward: Onward;
  readonly #numbering: Numbering;
  /** The values inside at first, the top last. */
  readonly #initial: readonly number[];
  #layer: Layer;
  /** How many nodes may be made until they are counted again. */
  #room = LEAST_ROOM;

  /** `items`: what is inside at first, the top last. */
  constructor(steps: Steps, items: readonly unknown[], limits: ConfigurationLimits) {
    this.#steps = steps;
    this.#roleOf = rolesOf(steps);
    this.#onward = new Onward(limits);
    this.#numbering = new Numbering(steps.values, steps.spec.family?.empty);
    this.#initial = items.map((item) => this.#numbering.add(item));
    this.#layer = this.#onward.layer();
    this.#layer.add(
      new Marks(),
      this.#initial.reduce((below, value) => this.#onward.stacks.push(below, value), BOTTOM),
    );
  }

  get held(): number {
    const { pushes, pops, peeks } = this.#onward;
    const [{ top }] = this.#layer;
    return this.#layer.size + top.size + pushes.length + pops.length + peeks.length;
  }

  get isInitial(): boolean {
    return this.calls()?.length === 0;
  }

  calls(): readonly Call[] | undefined {
    const inside = this.#inside();
    if (!inside) return undefined;
    const { add, remove } = this.#steps.spec.family?.roles ?? {};
    const other = inside.findIndex((value, i) => value !== this.#initial[i]);
    const kept = other < 0 ? inside.length : other;
    const pops: Call[] = Array.from({ length: this.#initial.length - kept }, () => [remove]);
    return [...pops, ...inside.slice(kept).map((value): Call => [add, this.#numbering.itemOf(value)])];
  }

  call(operation: OnlineOperation): OnlineResult {
    const { pushes, pops, peeks } = this.#onward;
    const role = this.#roleOf(operation.method);
    if (role === 'add') {
      const value = this.#numbering.add(operation.args[0], operation);
      if (value === NOTHING) return DECLINE_DUPLICATE;
      const slot = pushes.indexOf(undefined);
      pushes[slot < 0 ? pushes.length : slot] = { operation, value };
      return undefined;
    }
    if (role === 'remove') pops.push(operation);
    else if (role === 'peek') peeks.push(operation);
    else return DECLINE_METHOD;
    const next = this.#onward.layer();
    for (const { marks, top } of this.#layer) next.add(this.#onward.seeing(marks, top), top);
    this.#layer = next;
    return undefined;
  }

  end(operation: OnlineOperation): OnlineResult {
    const { outcome } = operation;
    const isPush = this.#roleOf(operation.method) === 'add';
    if (outcome.kind === 'threw') return DECLINE_RESULT;
    if (isPush && outcome.kind === 'returned' && !this.#steps.values.isNothing(outcome))
      return DECLINE_RESULT;
    const ending = endingOf(outcome, this.#numbering);
    const next = this.#after(operation, ending);
    this.#onward.count(next);
    if (next.size === 0) return this.#cause(operation, ending);
    this.#layer = next;
    this.#close(operation);
    if (this.#onward.stacks.made > this.#room) this.#forget();
    return undefined;
  }

  #after(operation: OnlineOperation, ending: Ending): Layer {
    const { pushes, pops, peeks } = this.#onward;
    const role = this.#roleOf(operation.method);
    if (role === 'remove') return afterPop(this.#layer, this.#onward, pops.indexOf(operation), ending);
    if (role === 'peek') return afterPeek(this.#layer, this.#onward, peeks.indexOf(operation), ending);
    const slot = pushes.findIndex((push) => push?.operation === operation);
    return afterPush(this.#layer, this.#onward, slot, ending);
  }

  #close(operation: OnlineOperation): void {
    const { pushes, pops, peeks } = this.#onward;
    const slot = pushes.findIndex((push) => push?.operation === operation);
    if (slot >= 0) pushes[slot] = undefined;
    for (const open of [pops, peeks]) if (open.includes(operation)) open.splice(open.indexOf(operation), 1);
  }

  /** Counts the nodes that configurations stand on, and forgets the values of others. */
  #forget(): void {
    const nodes = this.#layer.nodes();
    this.#onward.count(this.#layer, nodes.size);
    this.#room = Math.max(LEAST_ROOM, nodes.size);
    this.#numbering.retain(this.#known(nodes));
    this.#onward.stacks.clear();
  }

  /** The values inside, the top last, if they can be told. */
  #inside(): number[] | undefined {
    if (this.#layer.size > 1) return undefined;
    const inside: number[] = [];
    for (let [{ top: node }] = this.#layer; node.size > 0; [node] = node.below) {
      if (node.below.length > 1) return undefined;
      inside.push(node.value);
    }
    return inside.reverse();
  }

  /** The values on nodes, of open pushes, and of those that are remembered. */
  #known(nodes: Iterable<Node>): Set<number> {
    const known = new Set<number>(Array.from(nodes, ({ value }) => value));
    for (const push of this.#onward.pushes) if (push) known.add(push.value);
    for (const { marks } of this.#layer) for (const value of marks.values()) known.add(value);
    return known;
  }

  /** No order: told with who put in what was answered, and what is above it. */
  #cause(operation: OnlineOperation, ending: Ending): OnlineCause {
    if (typeof ending !== 'number') return { kind: 'stuck', operations: [operation], allowed: [] };
    const isAbsent = !this.#known(this.#layer.nodes()).has(ending) && ending !== NOTHING;
    const inside = this.#layer.wayTo(ending).flatMap((value) => this.#numbering.adderOf(value) ?? []);
    const allowed = unlessTooMany(() => this.#allowed(operation));
    return {
      kind: isAbsent ? 'absent value' : 'stuck',
      operations: [operation, ...inside.slice(0, MOST_TOLD)],
      ...(allowed && { allowed }),
    };
  }

  #allowed(operation: OnlineOperation): Outcome[] {
    const tops = Array.from(this.#onward.before(this.#layer), ({ top }) => top);
    const possible = [...this.#known([BOTTOM, ...tops])];
    return possible
      .filter((value) => this.#after(operation, value).size > 0)
      .map((value) => ({ kind: 'returned', value: this.#numbering.itemOf(value) }));
  }
}

export const stack: CreateStreamMonitor = (steps, _args, limits) => {
  const items = unlikeNothing(steps);
  return items && new StackMonitor(steps, items.toReversed(), limits);
};
