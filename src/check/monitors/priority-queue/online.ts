/**
 * An online monitor of priority queues in which no value is present twice.
 *
 * It applies the rule of the offline monitor (monitor.ts) at every event: each removal that returned a value needs a
 * *slot*, the gap after an event, in which no more urgent value is definitely present. An "empty" result needs a slot
 * without any. Open removals have no results yet, and each may have removed one value. So a slot with more urgent
 * values is possible if open removals that were called before it have removed them. These are *claims*: a value, and
 * the slot by which it is gone. A configuration is a set of claims.
 *
 *   deleteMin → v     a claim on v is satisfied if the call was before the slot; without a claim, one configuration for
 *                     each slot of the operation, with claims on the values in the way
 *   any end           the j-th claim needs j open removals that were called before its slot (Hall)
 *
 * The removals that have claims need no further slots. In the slot of a claim, all more urgent values are claimed
 * too, so the claimed value can leave there. A configuration with fewer and later claims can do whatever another can,
 * so the other is dropped. Likewise, a slot is dropped if a later one has no other values.
 *
 * It declines `peek`, a value that equals the result of an empty queue, priorities that cannot be compared, and
 * duplicates.
 *
 * Cost: O(slots kept · open removals) per configuration and end, mostly one. Memory: the present values, the
 * open operations, and for each value that was added during an open removal a slot.
 */

import { ConfigurationLimitExceeded, type ConfigurationLimits } from '../../stream/configurations.js';
import {
  type CreateStreamMonitor,
  DECLINE_DUPLICATE,
  DECLINE_METHOD,
  DECLINE_RESULT,
  type OnlineCause,
  type OnlineResult,
  type StreamMonitor,
} from '../../stream/monitor.js';
import { type Call, NOT_YET, type OnlineOperation, type Steps } from '../../stream/steps.js';
import { contentOf, initialAdds, type RoleOf, rolesOf } from '../../stream/value-numbering.js';

type Priority = number | bigint | string;

/** A value that was added and not yet returned. */
interface Inside {
  readonly key: unknown;
  readonly add: OnlineOperation;
  readonly priority: Priority;
  /** When its add returned: from then on it is definitely present. */
  returned: number;
  isGone: boolean;
}

/** A value that an open removal has removed, and the slot by which it has. */
interface Claim {
  readonly value: Inside;
  readonly by: number;
}
/** Claims, the earliest first. */
type Claims = readonly Claim[];

/** Consecutive gaps, of which the last is as good as the others. */
interface Slot {
  /** The event before the last gap. */
  time: number;
  /** The value that is present here but not in the slot before. */
  readonly comes: Inside | undefined;
  /** The most urgent value that was definitely present, by a removal that was called later. */
  blocked: Priority | undefined;
}

/** This many slots may be kept before those that a later one replaces are looked for. */
const MIN_SLOTS = 4;
/** Bytes of a claim or a slot, estimated. */
const BYTES = 64;
/** A cause shows at most this many values that are in the way. */
const MAX_SHOWN = 5;

class PriorityQueueMonitor implements StreamMonitor {
  readonly #steps: Steps;
  readonly #roleOf: RoleOf;
  readonly #limits: ConfigurationLimits;
  readonly #empty: unknown;
  /** The keys of the initial values, in order of removal. */
  readonly #initial: readonly unknown[];
  /** Values not yet returned by a removal, by key; those of open adds; and those present, the most urgent last. */
  readonly #inside = new Map<unknown, Inside>();
  readonly #adds = new Map<OnlineOperation, Inside>();
  readonly #present: Inside[] = [];
  /** Open removals by call, including those of unknown outcome; and those that may still return. */
  readonly #removals: OnlineOperation[] = [];
  readonly #mayReturn = new Set<OnlineOperation>();
  /** In order of time; the last is now. */
  #slots: Slot[] = [];
  #room = MIN_SLOTS;
  #configurations: Claims[] = [[]];
  /** Whether priorities are strings; undefined before the first. */
  #areStrings: boolean | undefined;

  constructor(steps: Steps, items: readonly unknown[], limits: ConfigurationLimits) {
    this.#steps = steps;
    this.#roleOf = rolesOf(steps);
    this.#limits = limits;
    this.#empty = steps.values.keyOf(steps.spec.family?.empty);
    this.#initial = items.map((item) => steps.values.keyOf(item));
    for (const add of initialAdds(items, steps.spec.family?.roles.add as string))
      this.#arrive(this.#put(add, this.#priorityOf(add) as Priority), add.return);
    this.#slots = [{ time: 0, comes: undefined, blocked: undefined }];
  }

  get held(): number {
    let claims = 0;
    for (const own of this.#configurations) claims += own.length;
    return this.#inside.size + this.#removals.length + this.#slots.length - 1 + claims;
  }

  get isInitial(): boolean {
    return this.calls()?.length === 0;
  }

  calls(): readonly Call[] | undefined {
    const { add, remove } = this.#steps.spec.family?.roles ?? {};
    const isLeft = (key: unknown): boolean => (this.#inside.get(key)?.returned ?? 1) <= 0;
    let removed = this.#initial.length;
    while (removed > 0 && isLeft(this.#initial[removed - 1])) removed--;
    const kept = new Set(this.#initial.slice(removed));
    const calls: Call[] = Array.from({ length: removed }, () => [remove]);
    for (const { key, add: own } of this.#inside.values()) if (!kept.has(key)) calls.push([add, ...own.args]);
    return calls;
  }

  call(operation: OnlineOperation): OnlineResult {
    const role = this.#roleOf(operation.method);
    if (role === 'add') {
      const key = this.#steps.values.keyOf(operation.args[0]);
      if (key === this.#empty || this.#inside.has(key)) return DECLINE_DUPLICATE;
      const priority = this.#priorityOf(operation);
      if (priority === undefined) return DECLINE_METHOD;
      this.#adds.set(operation, this.#put(operation, priority));
    } else if (role === 'remove') {
      this.#removals.push(operation);
      this.#mayReturn.add(operation);
    } else return DECLINE_METHOD;
    this.#now(operation.call);
    return undefined;
  }

  end(operation: OnlineOperation, now: number): OnlineResult {
    const isAdd = this.#roleOf(operation.method) === 'add';
    const found = isAdd ? this.#endAdd(operation, now) : this.#endRemoval(operation);
    if (found) return found;
    this.#now(now);
    this.#forgetSlots();
    return undefined;
  }

  #endAdd(operation: OnlineOperation, now: number): OnlineResult {
    const { outcome } = operation;
    if (outcome.kind === 'pending') return undefined;
    if (outcome.kind !== 'failed' && !this.#steps.values.isNothing(outcome)) return DECLINE_RESULT;
    const value = this.#adds.get(operation) as Inside;
    this.#adds.delete(operation);
    if (outcome.kind !== 'failed') {
      if (!value.isGone) this.#arrive(value, now);
      return undefined;
    }
    if (value.isGone) return { kind: 'absent value', operations: [operation] };
    this.#inside.delete(value.key);
    return undefined;
  }

  #endRemoval(operation: OnlineOperation): OnlineResult {
    const { outcome, call } = operation;
    if (outcome.kind === 'threw') return DECLINE_RESULT;
    this.#mayReturn.delete(operation);
    if (outcome.kind === 'pending') return undefined;
    this.#removals.splice(this.#removals.indexOf(operation), 1);
    let next = this.#configurations;
    let value: Inside | undefined;
    if (outcome.kind === 'returned') {
      const key = this.#steps.values.keyOf(outcome.value);
      value = this.#inside.get(key);
      if (!value && key !== this.#empty) return { kind: 'absent value', operations: [operation] };
      if (value) this.#leave(value, call);
      next = this.#after(call, value);
    }
    next = next.filter((claims) => this.#areSatisfiable(claims));
    if (next.length === 0) return this.#cause(operation, value);
    this.#configurations = next;
    return undefined;
  }

  /** The configurations after a removal with this call has returned a value, or found none. */
  #after(call: number, value: Inside | undefined): Claims[] {
    const next: Claims[] = [];
    const from = Math.max(call, value?.add.call ?? 0);
    for (const claims of this.#configurations) {
      const claim = value && claims.find((own) => own.value === value);
      if (claim) {
        if (call <= claim.by)
          addUndominated(
            next,
            claims.filter((own) => own !== claim),
          ); // prettier-ignore
        continue;
      }
      for (let i = this.#slots.length - 1; i >= 0 && this.#slots[i].time >= from; i--) {
        const left = this.#claimsFor(claims, this.#slots[i], value?.priority);
        if (left) addUndominated(next, left);
        if (left === claims) break;
      }
      const size = next.length * (1 + this.#removals.length);
      if (next.length > this.#limits.configurations) throw new ConfigurationLimitExceeded('configurations');
      if (BYTES * (size + this.#slots.length) > this.#limits.bytes)
        throw new ConfigurationLimitExceeded('memory');
    }
    return next;
  }

  /** The claims with which no value is present in a slot that is more urgent; undefined if there are too many. */
  #claimsFor(claims: Claims, { time, blocked }: Slot, priority: Priority | undefined): Claims | undefined {
    const isInTheWay = (own: Priority): boolean => priority === undefined || own < priority;
    if (blocked !== undefined && isInTheWay(blocked)) return undefined;
    let all = claims;
    for (let i = this.#present.length - 1; i >= 0; i--) {
      const value = this.#present[i];
      if (!isInTheWay(value.priority)) break;
      if (value.returned > time) continue;
      const own = claims.find((claim) => claim.value === value);
      if (own && own.by <= time) continue;
      all = [...all.filter((claim) => claim !== own), { value, by: time }];
      if (all.length > this.#removals.length) return undefined;
    }
    return all === claims ? claims : [...all].sort((a, b) => a.by - b.by);
  }

  #areSatisfiable(claims: Claims): boolean {
    return claims.every(({ by }, j) => j < this.#removals.length && this.#removals[j].call <= by);
  }

  #cause(operation: OnlineOperation, value: Inside | undefined): OnlineCause {
    const inTheWay = this.#present.filter((own) => !value || own.priority < value.priority).slice(-MAX_SHOWN);
    const values = value ? [value, ...inTheWay] : inTheWay;
    return { kind: 'stuck', operations: [operation, ...values.map(({ add }) => add)] };
  }

  /** The priority of an added value; undefined if it cannot be compared with the others. */
  #priorityOf({ args: [value, given] }: OnlineOperation): Priority | undefined {
    const own = given === undefined ? value : given;
    const isString = typeof own === 'string';
    if (!isString && typeof own !== 'bigint' && (typeof own !== 'number' || Number.isNaN(own)))
      return undefined;
    this.#areStrings ??= isString;
    return this.#areStrings === isString ? own : undefined;
  }

  #put(add: OnlineOperation, priority: Priority): Inside {
    const key = this.#steps.values.keyOf(add.args[0]);
    const value: Inside = { key, add, priority, returned: NOT_YET, isGone: false };
    this.#inside.set(key, value);
    return value;
  }

  /** The add of a value has returned. */
  #arrive(value: Inside, now: number): void {
    value.returned = now;
    this.#present.splice(this.#placeOf(value.priority), 0, value);
    this.#slots.push({ time: now, comes: value, blocked: undefined });
  }

  /** A removal with this call has returned a value. */
  #leave(value: Inside, call: number): void {
    value.isGone = true;
    this.#inside.delete(value.key);
    if (value.returned === NOT_YET) return;
    let at = this.#placeOf(value.priority);
    while (this.#present[at] !== value) at++;
    this.#present.splice(at, 1);
    for (const slot of this.#slots)
      if (slot.time >= value.returned && slot.time < call)
        if (slot.blocked === undefined || value.priority < slot.blocked) slot.blocked = value.priority;
  }

  /** The first place of a priority among the present values. */
  #placeOf(priority: Priority): number {
    let [low, high] = [0, this.#present.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#present[middle].priority > priority) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #now(now: number): void {
    this.#slots[this.#slots.length - 1].time = now;
  }

  /** Drops the slots that no open removal can use, and those that a later one replaces. */
  #forgetSlots(): void {
    const [oldest] = this.#mayReturn;
    const first = oldest?.call ?? NOT_YET;
    const last = this.#slots.length - 1;
    let dropped = 0;
    while (dropped < last && this.#slots[dropped].time < first) dropped++;
    if (dropped > 0) this.#slots.splice(0, dropped);
    if (this.#slots.length <= this.#room) return;
    const kept: Slot[] = [];
    for (const slot of this.#slots) {
      let { comes } = slot;
      for (let before = kept.at(-1); before && isReplaced(before, comes, slot); before = kept.at(-1)) {
        comes = before.comes;
        kept.pop();
      }
      kept.push({ ...slot, comes });
    }
    this.#slots = kept;
    this.#room = Math.max(MIN_SLOTS, 2 * kept.length);
  }
}

/** Whether a slot has all values that the next one has. */
const isReplaced = ({ blocked: before }: Slot, comes: Inside | undefined, { blocked }: Slot): boolean =>
  (comes?.isGone ?? true) && (blocked === undefined || (before !== undefined && before <= blocked));

/** Adds a configuration unless one can do all that it can; drops those that can do no more than it. */
function addUndominated(configurations: Claims[], claims: Claims): void {
  if (configurations.some((own) => dominates(own, claims))) return;
  let left = 0;
  for (const own of configurations) if (!dominates(claims, own)) configurations[left++] = own;
  configurations.length = left;
  configurations.push(claims);
}

/** Whether the claims of one are fewer, or later. */
function dominates(one: Claims, other: Claims): boolean {
  return (
    one.length <= other.length &&
    one.every(({ value, by }) => other.some((own) => own.value === value && own.by <= by))
  );
}

export const priorityQueue: CreateStreamMonitor = (steps, _args, limits) => {
  const { roles, empty } = steps.spec.family ?? {};
  if (roles?.add === undefined || roles.remove === undefined) return undefined;
  const items = contentOf(steps, roles.remove);
  const keys = new Set([empty, ...(items ?? [])].map((value) => steps.values.keyOf(value)));
  if (!items || keys.size <= items.length) return undefined;
  return new PriorityQueueMonitor(steps, items, limits);
};
