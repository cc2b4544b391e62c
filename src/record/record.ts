/**
 * An object that writes down what is called: the same type, the same behaviour, across awaits.
 *
 * Only calls from outside are recorded: inside of its methods the object is itself. Fields are passed through.
 */
import { type Classify, rejection } from './classify.js';
import { Lanes } from './lanes.js';
import type { Log } from './log.js';
import { shown, Tags, untagged } from './tags.js';

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

type AnyFunction = (...args: unknown[]) => unknown;

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
