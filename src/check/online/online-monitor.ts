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
import type { AnySpecOf } from '../rendezvous/split-objects.js';
import { OnlineOperation } from '../stream/operation.js';
import { Values } from '../stream/values.js';
import type { OnlineDoubt, OnlineVerdict, OnlineViolation } from '../stream/violation.js';
import { violationOf } from './build-violation.js';
import { ObjectMonitor } from './object-monitor.js';
import { OpenCalls } from './open-calls.js';
import { MeetingMonitor } from './rendezvous-monitor.js';
import type { WatchedObject } from './watched-object.js';

export interface OnlineOptions {
  /** How many configurations there may be at one return, where no fast monitor knows the object; 2^20 unless told. */
  readonly maxConfigurations?: number | undefined;
  /** How many bytes they and the states may take, roughly; 1 GB unless told. */
  readonly maxMemory?: number | undefined;
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
  constructor(spec: Spec<T, any> | SyncSpec<T, any> | AnySpecOf, options: OnlineOptions = {}) {
    if (!isSpec(spec))
      throw new TypeError(
        'a monitor takes a spec: { name, initial, methods } or { name, initial, meetings, pairs }, or a function from the name of an object to one',
      );
    this.#specOf = typeof spec === 'function' ? spec : () => spec as unknown as AnySpec;
    this.#values = new Values(options.undefinedIsNull ?? false);
    this.#limits = {
      configurations: options.maxConfigurations ?? 2 ** 20,
      bytes: options.maxMemory ?? 2 ** 30,
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

  #doubts(): OnlineDoubt[] {
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
    if (found) this.#violation = violationOf(object, found, operation, now, line);
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
    if (found) this.#violation = violationOf(object, found, operation, now, event.line);
  }

  #objectOf(name: string | undefined): WatchedObject {
    let object = this.#objects.get(name);
    if (!object) {
      const spec = this.#specOf(name);
      object = isSyncSpec(spec)
        ? new MeetingMonitor(name, spec, this.#values)
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
      ('meetings' in spec && typeof spec.meetings === 'object')));

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
