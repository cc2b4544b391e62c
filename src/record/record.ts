/**
 * An object that writes down what is called: the same type, the same behaviour, across awaits.
 *
 * Only calls from outside are recorded: inside of its methods the object is itself. Fields are passed through.
 */
import type { AnyFunction } from '../base/any-function.js';
import { show } from '../base/values/show.js';
import { type Classify, type Log, rejection } from './log.js';

/** Names for calls of one caller that overlap: `A`, `A.2`, `A.3` … A process makes one call at a time. */
class Lanes {
  readonly #name: string;
  readonly #isBusy: boolean[] = [];

  constructor(name: string) {
    this.#name = name;
  }

  /** The first lane that is free. */
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

/*
 * Equal values made different, so that a history tells which was which.
 *
 *   P. A. Abdulla, S. Grahn, B. Jonsson, S. Krishna, O. R. Mishra. Efficient linearizability monitoring.
 *   PLDI 2025, section 3.1.4: a wrapper that makes all values differ. For objects that do not look at their values it
 *   hides no violation, and may show one more.
 *
 * What goes into the object is a tag; what comes out is its value again. So this is right only for objects that hand
 * values on as they are, and in the memory of one process.
 */

class Tag {
  readonly value: unknown;
  /** How the history shows it. */
  readonly text: string;

  constructor(value: unknown, number: number) {
    this.value = value;
    this.text = `${show(value)}#${number}`;
  }
}

class Tags {
  #made = 0;

  /** The first argument tagged. */
  tagged(args: readonly unknown[]): readonly unknown[] {
    return args.length === 0 ? args : [new Tag(args[0], ++this.#made), ...args.slice(1)];
  }
}

/** As the history shows it. */
const shown = (value: unknown): unknown => each(value, (tag) => tag.text);
/** As the caller gets it. */
const untagged = (value: unknown): unknown => each(value, (tag) => tag.value);

function each(value: unknown, of: (tag: Tag) => unknown): unknown {
  if (value instanceof Tag) return of(value);
  return Array.isArray(value) && value.some((item) => item instanceof Tag)
    ? value.map((item) => each(item, of))
    : value;
}

export interface RecordOptions<T> {
  readonly log: Log;
  /** Whose calls these are; those that overlap get lanes of it. */
  readonly process?: string;
  /** Which object this is, where a log has several. */
  readonly object?: string;
  /** Methods to record; all if not given. */
  readonly methods?: readonly (keyof T & string)[];
  /** Methods whose first argument is made different in every call. */
  readonly differentiate?: readonly (keyof T & string)[];
  /** What an error means: the object's answer if not given. */
  readonly outcome?: Classify;
}

export function record<T extends object>(object: T, options: RecordOptions<T>): T {
  const { log, object: name, outcome: classify = () => 'threw' as const } = options;
  const lanes = new Lanes(options.process ?? 'A');
  const tags = new Tags();
  const recorded = new Map<string, AnyFunction>();

  const called = (method: string, real: AnyFunction): AnyFunction => {
    const isTagged = (options.differentiate as readonly string[] | undefined)?.includes(method) ?? false;
    return (...given) => {
      const args = isTagged ? tags.tagged(given) : given;
      const lane = lanes.enter();
      const call = log.call({ process: lanes.nameOf(lane), method, args: args.map(shown), object: name });
      const returned = (value: unknown): unknown => {
        log.end(call, { kind: 'returned', value: shown(value) });
        lanes.leave(lane);
        return untagged(value);
      };
      const rejected = (error: unknown): void => {
        log.end(call, rejection(error, classify(error)));
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
      const known = recorded.get(key) ?? called(key, value as AnyFunction);
      recorded.set(key, known);
      return known;
    },
  });
}
