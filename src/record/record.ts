/**
 * Wraps an object and records its calls, with the same type and behaviour, also across awaits.
 *
 * Only calls from outside are recorded: calls between methods of the object are not. Fields are
 * passed through.
 */
import type { AnyFunction } from '../base/any-function.js';
import { show } from '../base/values/show.js';
import { type ClassifyError, type Log, outcomeOfError } from './log.js';

/** Options of `record`. */
export interface RecordOptions<T> {
  readonly log: Log;
  /** The name of the caller; overlapping calls get lanes of it. */
  readonly process?: string;
  /** The name of the object, if a log has several. */
  readonly object?: string;
  /** Methods to record; all by default. */
  readonly methods?: readonly (keyof T & string)[];
  /** Methods whose first argument becomes distinct in every call. */
  readonly differentiate?: readonly (keyof T & string)[];
  /** The meaning of an error; by default a result of the object. */
  readonly outcome?: ClassifyError;
}

/**
 * Returns a proxy of an object that records its calls in a log.
 *
 * @example
 * const log = new MemoryLog();
 * const recorded = record(new Map<string, number>(), { log });
 * recorded.set('a', 1);
 * assert.equal(log.history().length, 1);
 */
export function record<T extends object>(object: T, options: RecordOptions<T>): T {
  const { log, object: name, outcome: classify = () => 'threw' as const } = options;
  const lanes = new ProcessLanes(options.process ?? 'A');
  const recorded = new Map<string, AnyFunction>();

  const recordMethod = (method: string, real: AnyFunction): AnyFunction => {
    const isUnique = (options.differentiate as readonly string[] | undefined)?.includes(method) ?? false;
    return (...given) => {
      const args = isUnique ? wrapFirst(given) : given;
      const lane = lanes.enter();
      const call = log.call({
        process: lanes.nameOf(lane),
        method,
        args: args.map(toRecorded),
        object: name,
      });
      const returned = (value: unknown): unknown => {
        log.end(call, { kind: 'returned', value: toRecorded(value) });
        lanes.leave(lane);
        return unwrap(value);
      };
      const rejected = (error: unknown): void => {
        log.end(call, outcomeOfError(error, classify(error)));
        lanes.leave(lane);
      };
      let result: unknown;
      try {
        result = real.apply(object, args as unknown[]);
      } catch (error) {
        rejected(error);
        throw error;
      }
      if (!(result instanceof Promise)) return returned(result);
      return result.then(returned, (error: unknown) => {
        rejected(error);
        throw error;
      });
    };
  };

  return new Proxy(object, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function') return value;
      const isRecorded =
        typeof key === 'string' &&
        ((options.methods as readonly string[] | undefined)?.includes(key) ?? true);
      if (!isRecorded) return (value as AnyFunction).bind(target);
      const known = recorded.get(key) ?? recordMethod(key, value as AnyFunction);
      recorded.set(key, known);
      return known;
    },
  });
}

/**
 * Process names for overlapping calls of one caller: `A`, `A.2`, `A.3` … A process has one call at
 * a time.
 */
class ProcessLanes {
  readonly #name: string;
  readonly #isBusy: boolean[] = [];

  constructor(name: string) {
    this.#name = name;
  }

  /** Occupies the first free lane. */
  enter(): number {
    const free = this.#isBusy.indexOf(false);
    const lane = free < 0 ? this.#isBusy.length : free;
    this.#isBusy[lane] = true;
    return lane;
  }

  leave(lane: number): void {
    this.#isBusy[lane] = false;
  }

  nameOf(lane: number): string {
    return lane === 0 ? this.#name : `${this.#name}.${lane + 1}`;
  }
}

/**
 * A wrapper that makes equal values distinct, so that a history identifies each of them.
 *
 *   P. A. Abdulla, S. Grahn, B. Jonsson, S. Krishna, O. R. Mishra. Efficient linearizability monitoring.
 *   PLDI 2025, section 3.1.4.
 *
 * For objects that do not inspect their values this hides no violation and may reveal more. The
 * object receives the wrapper, the caller receives the value. It requires an object that passes
 * values on unchanged, within one process.
 */

class UniqueValue {
  readonly value: unknown;
  /** The text in the history. */
  readonly text: string;

  constructor(value: unknown, number: number) {
    this.value = value;
    this.text = `${show(value)}#${number}`;
  }
}

/** All recorders of the process share it: several of them may record one object. */
let uniqueValues = 0;

/** Replaces the first argument by a unique value. */
function wrapFirst(args: readonly unknown[]): readonly unknown[] {
  return args.length === 0 ? args : [new UniqueValue(args[0], ++uniqueValues), ...args.slice(1)];
}

/** Replaces unique values by their text, for the history. */
const toRecorded = (value: unknown): unknown => mapUnique(value, (unique) => unique.text);
/** Replaces unique values by their value, for the caller. */
const unwrap = (value: unknown): unknown => mapUnique(value, (unique) => unique.value);

function mapUnique(value: unknown, convert: (unique: UniqueValue) => unknown): unknown {
  if (value instanceof UniqueValue) return convert(value);
  return Array.isArray(value) && value.some((item) => item instanceof UniqueValue)
    ? value.map((item) => mapUnique(item, convert))
    : value;
}
