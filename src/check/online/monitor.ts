/**
 * `OnlineMonitor`: decides at every event of a stream whether the past is linearizable.
 *
 * It reports a violation at the first event without a linearization. It drops completed operations, so memory is
 * proportional to what is open: calls, and values inside. It uses no threads, no clock and no output, so it can run
 * inside a server.
 */
import { show } from '../../base/values/show.js';
import {
  type AnyObject,
  type CallEvent,
  type EndEvent,
  EventError,
  type HistoryEvent,
  type Methods,
  type Outcome,
} from '../../history/model/operation.js';

import { type AnySpec, isSyncSpec, type SyncSpec } from '../../spec/rendezvous/sync-spec.js';
import type { Spec } from '../../spec/spec.js';
import { resolveMemory } from '../model/budget.js';
import type { AnySpecOf } from '../rendezvous/split-objects.js';
import type { OnlineVerdict, OnlineViolation, Unmonitored } from '../stream/monitor.js';
import { OnlineOperation, Values } from '../stream/steps.js';
import { buildViolation } from './build-violation.js';
import { ObjectMonitor, type WatchedObject } from './object-monitor.js';
import { RendezvousMonitor } from './rendezvous-monitor.js';

/*
 * The open calls; checks whether an event can follow those before it. A process makes sequential calls, unless its
 * calls have ids. An id can be used again when its call has ended.
 */

class OpenCalls {
  /** The open call of each process without ids; and of each id. */
  readonly #ofProcess = new Map<string, OnlineOperation>();
  readonly #ofId = new Map<string, OnlineOperation>();
  /** For each process, the number of its open calls with ids. */
  readonly #withIds = new Map<string, number>();

  /** Throws if a call cannot start. */
  check({ process, method, id }: CallEvent): void {
    const busy = this.#ofProcess.get(process);
    if (busy) throw new EventError(overlap(process, method, busy), 'process');
    if (id === undefined && this.#withIds.has(process))
      throw new EventError(
        `process ${show(process)} calls ${method} without an id while its calls with ids are open`,
        'process',
      );
    if (id !== undefined && this.#ofId.has(String(id)))
      throw new EventError(`id ${show(id)} again, while the call that has it is open`, 'id');
  }

  add({ process, id }: CallEvent, operation: OnlineOperation): void {
    if (id === undefined) this.#ofProcess.set(process, operation);
    else {
      this.#ofId.set(String(id), operation);
      this.#withIds.set(process, (this.#withIds.get(process) ?? 0) + 1);
    }
  }

  /** The open call that an event ends. */
  callOf({ process, id, object }: EndEvent): OnlineOperation {
    const call = id === undefined ? this.#ofProcess.get(process) : this.#ofId.get(String(id));
    if (!call)
      throw id === undefined
        ? new EventError(
            `the end of a call, but process ${show(process)} has no open call${this.#withIds.has(process) ? ' without an id' : ''}`,
            'process',
          )
        : new EventError(`the end of a call, but no open call has id ${show(id)}`, 'id');
    if (call.process !== process)
      throw new EventError(`id ${show(id)} was called by process ${show(call.process)}`, 'process');
    if (object !== undefined && object !== call.object)
      throw new EventError(
        `the call was of ${call.object === undefined ? 'no object' : `object ${show(call.object)}`}`,
        'object',
      );
    return call;
  }

  remove({ process, id }: EndEvent): void {
    if (id === undefined) {
      this.#ofProcess.delete(process);
      return;
    }
    this.#ofId.delete(String(id));
    const left = (this.#withIds.get(process) ?? 0) - 1;
    if (left > 0) this.#withIds.set(process, left);
    else this.#withIds.delete(process);
  }
}

function overlap(process: string, method: string, { method: open, line }: OnlineOperation): string {
  const where = line === undefined ? '' : ` (line ${line})`;
  return `process ${show(process)} calls ${method} while its call of ${open} is open${where}`;
}

/** Options of an `OnlineMonitor`. */
export interface OnlineMonitorOptions {
  /**
   * The maximum number of configurations at one return, if there is no stream monitor for the object; 2^20 by
   * default.
   */
  readonly maxConfigurations?: number | undefined;
  /** Memory of configurations and states, estimated: bytes, or a text such as `'4gb'`; 1 GB by default. */
  readonly maxMemory?: number | string | undefined;
  /** Whether a missing result and null are one value, as in files. */
  readonly undefinedIsNull?: boolean | undefined;
}

/** The progress of an `OnlineMonitor`. */
export interface OnlineStatus {
  /** The number of events so far, and of calls among them. */
  readonly events: number;
  readonly operations: number;
  /** The number of open operations, including those of unknown outcome. */
  readonly open: number;
  /** The number of values, operations and configurations in memory. */
  readonly held: number;
  readonly verdict: OnlineVerdict['kind'];
}

/** Checks events as they happen: push each event, and read the verdict at any time. */
export class OnlineMonitor<T extends Methods<T> = AnyObject> {
  readonly #specOf: AnySpecOf;
  readonly #values: Values;
  readonly #limits: { readonly configurations: number; readonly bytes: number };
  readonly #objects = new Map<string | undefined, WatchedObject>();
  readonly #openCalls = new OpenCalls();
  #events = 0;
  #operations = 0;
  #violation: OnlineViolation | undefined;

  // biome-ignore lint/suspicious/noExplicitAny: the state is the spec's own business
  constructor(spec: Spec<T, any> | SyncSpec<T, any> | AnySpecOf, options: OnlineMonitorOptions = {}) {
    if (!isSpec(spec))
      throw new TypeError(
        'a monitor takes a spec: { name, initial, methods } or { name, initial, rendezvous, pairs }, or a function from the name of an object to one',
      );
    this.#specOf = typeof spec === 'function' ? spec : () => spec as unknown as AnySpec;
    this.#values = new Values(options.undefinedIsNull ?? false);
    this.#limits = {
      configurations: options.maxConfigurations ?? 2 ** 20,
      bytes: resolveMemory(options.maxMemory ?? 2 ** 30),
    };
  }

  /**
   * Takes the next event. Returns the violation if the history is not linearizable with it, and from then on. Throws
   * an EventError for an event that cannot follow those before it, and ignores that event.
   */
  push(event: HistoryEvent): OnlineViolation | undefined {
    if (this.#violation) return this.#violation;
    if (event.type === 'call') this.#call(event);
    else this.#end(event);
    return this.#violation;
  }

  verdict(): OnlineVerdict {
    if (this.#violation) return { kind: 'violation', violation: this.#violation };
    const doubts = this.#doubts();
    return doubts.length > 0 ? { kind: 'undecided', doubts } : { kind: 'linearizable' };
  }

  status(): OnlineStatus {
    let [open, held] = [0, 0];
    for (const object of this.#objects.values()) {
      for (const part of object.parts) open += part.open.length;
      held += object.held;
    }
    return {
      events: this.#events,
      operations: this.#operations,
      open,
      held,
      verdict: this.verdict().kind,
    };
  }

  #doubts(): Unmonitored[] {
    return [...this.#objects.values()].flatMap(({ doubts }) => doubts);
  }

  #call(event: CallEvent): void {
    const { object: name, process, method, args = [], line } = event;
    const object = this.#objectOf(name);
    object.checkCall(method, args);
    this.#openCalls.check(event);
    const now = ++this.#events;
    this.#operations++;
    const operation = new OnlineOperation(name, process, method, args, now, line);
    this.#openCalls.add(event, operation);
    const found = object.call(operation);
    if (found) this.#violation = buildViolation(object, found, operation, now, line);
  }

  #end(event: EndEvent): void {
    const outcome = outcomeOf(event);
    const operation = this.#openCalls.callOf(event);
    this.#openCalls.remove(event);
    const now = ++this.#events;
    operation.outcome = outcome;
    if (outcome.kind !== 'pending') operation.return = now;
    const object = this.#objectOf(operation.object);
    const found = object.end(operation, now);
    if (found) this.#violation = buildViolation(object, found, operation, now, event.line);
  }

  #objectOf(name: string | undefined): WatchedObject {
    let object = this.#objects.get(name);
    if (!object) {
      const spec = this.#specOf(name);
      object = isSyncSpec(spec)
        ? new RendezvousMonitor(name, spec, this.#values)
        : new ObjectMonitor(name, spec, this.#values, this.#limits);
      this.#objects.set(name, object);
    }
    return object;
  }
}

const isSpec = (spec: unknown): boolean =>
  typeof spec === 'function' ||
  (spec instanceof Object &&
    (('methods' in spec && typeof spec.methods === 'object') ||
      ('rendezvous' in spec && typeof spec.rendezvous === 'object')));

function outcomeOf(event: EndEvent): Outcome {
  switch (event.type) {
    case 'return':
      return { kind: 'returned', value: event.result };
    case 'throw':
      return { kind: 'threw', error: event.threw };
    case 'failed':
      return { kind: 'failed', ...(event.failed !== undefined && { reason: event.failed }) };
    case 'unknown':
      return { kind: 'pending', ...(event.unknown !== undefined && { reason: event.unknown }) };
    default:
      throw new EventError(
        `${show((event as { type: unknown }).type)} is no type of event; expected "call", "return", "throw", "failed" or "unknown"`,
        'type',
      );
  }
}
