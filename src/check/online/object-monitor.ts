/**
 * Monitors one object, part by part.
 *
 *   M. Herlihy, J. Wing. Linearizability: a correctness condition for concurrent
 *   objects. TOPLAS 12(3), 1990, theorem 1: objects, and so parts, can be monitored separately.
 *
 * Parts that are in their initial state are dropped from time to time, so their number is proportional to the others.
 * Parts that were monitored separately cannot be joined. An operation of several parts therefore makes the object start
 * again as a whole, with the first events, which are kept. Once these are dropped, the object becomes undecided.
 */
import { show } from '../../base/values/show.js';
import { EventError } from '../../history/model/operation.js';
import {
  type Family,
  type PartKey,
  partKeys,
  requireNoContext,
  type Spec,
  surplusArguments,
} from '../../spec/spec.js';
import { counter, keyOfMultiset, semaphore } from '../monitors/counting/online.js';
import { keyOfSet, mutex } from '../monitors/flag/online.js';
import { priorityQueue } from '../monitors/priority-queue/online.js';
import { queue } from '../monitors/queue/online.js';
import { keyOfMap, register } from '../monitors/register/online.js';
import { stack } from '../monitors/stack/online.js';
import type { ConfigurationLimits } from '../stream/configurations.js';
import type { CreateStreamMonitor, OnlineCause, StreamMonitor, Unmonitored } from '../stream/monitor.js';
import { type OnlineOperation, Steps, type Values } from '../stream/steps.js';
import { PartMonitor } from './part-monitor.js';

/* The stream monitors, one row per family of objects. They are apart from the offline ones, so that `check` does not load them. */

interface OnlineFamily {
  readonly kinds: readonly Family['kind'][];
  readonly create: CreateStreamMonitor;
}

const FAMILIES: readonly OnlineFamily[] = [
  { kinds: ['queue'], create: queue },
  { kinds: ['stack'], create: stack },
  { kinds: ['priority-queue'], create: priorityQueue },
  { kinds: ['register', 'cas-register'], create: register },
  { kinds: ['map'], create: keyOfMap },
  { kinds: ['set'], create: keyOfSet },
  { kinds: ['multiset'], create: keyOfMultiset },
  { kinds: ['counter'], create: counter },
  { kinds: ['mutex'], create: mutex },
  { kinds: ['semaphore'], create: semaphore },
];

/** The stream monitor of an object, or of one of its keys; undefined if there is none. `args`: those of the first call. */
export function createStreamMonitor(
  steps: Steps,
  args: readonly unknown[],
  limits: ConfigurationLimits,
): StreamMonitor | undefined {
  const { family } = steps.spec;
  const own = family && FAMILIES.find(({ kinds }) => kinds.includes(family.kind));
  return own?.create(steps, args, limits);
}

const FIRST_EVENTS = 4096;
/** This many parts in the initial state may be kept. */
const MIN_IDLE_PARTS = 4096;

export class ObjectMonitor implements WatchedObject {
  readonly #name: string | undefined;
  readonly #steps: Steps;
  readonly #limits: ConfigurationLimits;
  /** All parts; the part of each key; the part of each open operation. */
  readonly #parts = new Set<PartMonitor>();
  readonly #partOfKey = new Map<PartKey, PartMonitor>();
  readonly #partOf = new Map<OnlineOperation, PartMonitor>();
  /** How often a part came to its initial state since such parts were last dropped. */
  #over = 0;
  /** The only part, if the object has no parts. */
  #whole: PartMonitor | undefined;
  /** Each operation at its call and again at its end, while parts can still be joined. */
  #first: OnlineOperation[] | undefined;
  readonly recent: Recent<PartMonitor> = new Recent();
  readonly doubts: Unmonitored[] = [];

  constructor(name: string | undefined, spec: Spec, values: Values, limits: ConfigurationLimits) {
    requireNoContext(
      spec,
      'a monitor must judge a call before it has returned; record the history and check it',
    );
    this.#name = name;
    this.#steps = new Steps(spec, values);
    this.#limits = limits;
    if (spec.part) this.#first = [];
    else this.#whole = this.#create(createStreamMonitor(this.#steps, [], limits));
  }

  get spec(): Spec {
    return this.#steps.spec;
  }

  get undefinedIsNull(): boolean {
    return this.#steps.values.undefinedIsNull;
  }

  get parts(): ReadonlySet<PartMonitor> {
    return this.#parts;
  }

  get held(): number {
    let held = this.#first?.length ?? 0;
    for (const part of this.#parts) held += part.held;
    return held;
  }

  checkCall(method: string, args: readonly unknown[]): void {
    const { methods, name } = this.#steps.spec;
    if (!Object.hasOwn(methods, method))
      throw new EventError(
        `unknown method ${show(method)}; ${name} has ${Object.keys(methods).join(', ')}`,
        'method',
      );
    const wanted = methods[method].length - 1;
    if (args.length < wanted)
      throw new EventError(`${method} has ${args.length} of ${wanted} arguments`, 'args');
    const surplus = surplusArguments(this.#steps.spec, method, args);
    if (surplus !== undefined) throw new EventError(surplus, 'args');
  }

  call(operation: OnlineOperation): PartViolation | undefined {
    const part = this.#whole ?? this.#placeOf(operation);
    this.#note(operation);
    if (!part) return undefined;
    if (part !== this.#whole) this.#partOf.set(operation, part);
    return this.#record(part, part.call(operation));
  }

  end(operation: OnlineOperation, now: number): PartViolation | undefined {
    const part = this.#whole ?? this.#partOf.get(operation);
    this.#note(operation);
    this.#partOf.delete(operation);
    if (!part) return undefined;
    const found = this.#record(part, part.end(operation, now));
    this.recent.add(operation, part);
    if (part !== this.#whole && part.isInitial && ++this.#over > MIN_IDLE_PARTS + this.#parts.size / 2)
      this.#forgetParts();
    if (this.#steps.isFull) this.#forgetStates();
    return found;
  }

  #record(part: PartMonitor, cause: OnlineCause | undefined): PartViolation | undefined {
    if (part.doubt && !this.doubts.includes(part.doubt)) this.doubts.push(part.doubt);
    return cause && { part, cause };
  }

  #note(operation: OnlineOperation): void {
    if (this.#first && this.#first.push(operation) > FIRST_EVENTS) this.#first = undefined;
  }

  /** The part of a call; undefined if the object is no longer monitored. */
  #placeOf(operation: OnlineOperation): PartMonitor | undefined {
    const { method, args } = operation;
    const keys = partKeys(this.#steps.spec, method, args);
    if (!keys) return this.#join(operation);
    const only = keys.length === 1 ? this.#partOfKey.get(keys[0]) : undefined;
    if (only) return only;
    const parts = new Set<PartMonitor>();
    for (const key of keys) {
      const known = this.#partOfKey.get(key);
      if (known) parts.add(known);
    }
    if (parts.size > 1) return this.#join(operation);
    // an operation of several keys, or of none, is not for the monitor of one key
    const create = () =>
      this.#create(keys.length === 1 ? createStreamMonitor(this.#steps, args, this.#limits) : undefined);
    const [part = create()] = parts;
    for (const key of keys)
      if (!this.#partOfKey.has(key)) {
        this.#partOfKey.set(key, part);
        part.keys.push(key);
      }
    return part;
  }

  #create(family: ReturnType<typeof createStreamMonitor>): PartMonitor {
    const part = new PartMonitor(this.#name, this.#steps, family, this.#limits);
    this.#parts.add(part);
    return part;
  }

  /** Monitors the object as a whole from now on, if possible. */
  #join(operation: OnlineOperation): PartMonitor | undefined {
    const first = this.#first;
    const isTouched = this.#parts.size > 0;
    this.#first = undefined;
    this.#parts.clear();
    this.#partOfKey.clear();
    this.#partOf.clear();
    const whole = this.#create(undefined);
    this.#whole = whole;
    if (!first && isTouched) {
      whole.doubt = { part: whole.name, event: operation.call, reason: 'parts tied' };
      return whole;
    }
    const called = new Set<OnlineOperation>();
    for (const own of first ?? [])
      if (called.has(own)) whole.end(own, own.return);
      else {
        whole.call(own);
        called.add(own);
      }
    return whole;
  }

  /** Drops the parts in their initial state. */
  #forgetParts(): void {
    for (const part of this.#parts) {
      if (!part.isInitial) continue;
      for (const key of part.keys) this.#partOfKey.delete(key);
      this.#parts.delete(part);
    }
    this.#over = 0;
  }

  /** Drops the states that no configuration is in. */
  #forgetStates(): void {
    const parts = [...this.#parts].flatMap(({ configurations }) => configurations ?? []);
    const states = function* (): Generator<number> {
      for (const configurations of parts) yield* configurations.states();
    };
    const numbers = this.#steps.retain(states(), this.#parts.size);
    for (const configurations of parts) configurations.renumber(numbers);
  }
}

// The interface of a monitored object, plain or rendezvous.

/* The operations that ended last, with their parts: a ring buffer for the report of a violation. */

const ROOM = 512;

export class Recent<P> {
  readonly #operations: OnlineOperation[] = [];
  readonly #parts: P[] = [];
  #next = 0;

  add(operation: OnlineOperation, part: P): void {
    this.#operations[this.#next] = operation;
    this.#parts[this.#next] = part;
    this.#next = (this.#next + 1) % ROOM;
  }

  /** Whether no operation was dropped. */
  get isAll(): boolean {
    return this.#operations.length < ROOM;
  }

  all(): readonly OnlineOperation[] {
    return this.#operations;
  }

  /** Those of a part, the latest first. */
  *of(part: P): Generator<OnlineOperation> {
    const { length } = this.#operations;
    for (let back = 1; back <= length; back++) {
      const at = (this.#next - back + ROOM) % ROOM;
      if (this.#parts[at] === part) yield this.#operations[at];
    }
  }
}

export interface WatchedPart {
  /** The object, the keys, or both. */
  readonly name: string;
  /** The open operations, including those of unknown outcome. */
  readonly open: readonly OnlineOperation[];
}

/** A violation, and the part that it is in. */
export interface PartViolation {
  readonly part: WatchedPart;
  readonly cause: OnlineCause;
}

export interface WatchedObject {
  /** Undefined for rendezvous objects. */
  readonly spec: Spec | undefined;
  readonly undefinedIsNull: boolean;
  readonly parts: Iterable<WatchedPart>;
  /** The number of values, operations and configurations in memory. */
  readonly held: number;
  /** Parts that are no longer monitored. */
  readonly doubts: readonly Unmonitored[];
  /** The operations that ended last. */
  readonly recent: Recent<WatchedPart>;
  /** Throws if the object has no such method, or the method takes more or fewer arguments. */
  checkCall(method: string, args: readonly unknown[]): void;
  call(operation: OnlineOperation): PartViolation | undefined;
  /** `operation.outcome` is how it ended, `now` is when. */
  end(operation: OnlineOperation, now: number): PartViolation | undefined;
}
