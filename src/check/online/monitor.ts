/**
 * Watches objects while they run: is there an order of all that has happened so far?
 *
 * Asked at every event, and answered at once: a violation is told at the first event up to which
 * no order explains what happened. What was and is over is let go of, so that memory is
 * proportional to what is open: calls, and values inside.
 *
 * No threads, no clock, nothing is written: it can stand inside a server.
 */
import { show } from '../../base/values/show.js';
import { type CallEvent, type EndEvent, EventError, type HistoryEvent } from '../../history/model/event.js';
import type { AnyObject, Methods, Outcome } from '../../history/model/operation.js';
import { type AnySpec, isSyncSpec, type SyncSpec } from '../../spec/rendezvous/sync-spec.js';
import type { Spec } from '../../spec/spec.js';
import { resolveMemory } from '../model/budget.js';
import type { AnySpecOf } from '../rendezvous/split-objects.js';
import { OnlineOperation } from '../stream/operation.js';
import { Values } from '../stream/steps.js';
import type { OnlineVerdict, OnlineViolation, Unmonitored } from '../stream/violation.js';
import { buildViolation } from './build-violation.js';
import { ObjectMonitor } from './object-monitor.js';
import { RendezvousMonitor } from './rendezvous-monitor.js';
import type { WatchedObject } from './watched-object.js';

/*
 * Which calls are open, and whether an event can follow those before it.
 *
 * A process makes one call after another, unless its calls have ids. What was open
 * once is forgotten: an id may come again when the call that had it has ended.
 */

class OpenCalls {
  /** Process to its open call without an id; and id to its open call. */
  readonly #ofProcess = new Map<string, OnlineOperation>();
  readonly #ofId = new Map<string, OnlineOperation>();
  /** Process to how many calls with ids it has open. */
  readonly #withIds = new Map<string, number>();

  /** Throws where a call can not begin. */
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

export interface OnlineMonitorOptions {
  /** How many configurations there may be at one return, where no fast monitor knows the object; 2^20 unless told. */
  readonly maxConfigurations?: number | undefined;
  /** Memory of configurations and states, estimated: bytes, or a text such as `'4gb'`; 1 GB by default. */
  readonly maxMemory?: number | string | undefined;
  /** A missing result and null are one value, as in files. */
  readonly undefinedIsNull?: boolean | undefined;
}

export interface OnlineStatus {
  /** Events so far, and calls among them. */
  readonly events: number;
  readonly operations: number;
  /** Operations that are open, those among them whose callers gave up too. */
  readonly open: number;
  /** Values, operations and configurations that are remembered. */
  readonly held: number;
  readonly verdict: OnlineVerdict['kind'];
}

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
   * Takes the next event. Gives a violation if no order explains what has happened with it, and from then
   * on. An event that can not follow those before it is an EventError, and as if it had not come.
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
