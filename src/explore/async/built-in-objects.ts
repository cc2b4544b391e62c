/**
 * Objects of the language that every execution shares. States name them by numbers and do not contain their fields, so a
 * search must decline where code changes them.
 */
import { StubFailure } from '../../event-loop/stubs.js';
import { tracer } from '../../instrument/tracing/tracer.js';

const NAMES =
  'Function Number String Boolean BigInt Symbol Math JSON Reflect Atomics console parseInt parseFloat queueMicrotask structuredClone setTimeout setInterval setImmediate clearTimeout clearInterval clearImmediate';
/** Classes whose objects have no state but fields and what heap-state.ts reads. */
const CLASSES =
  'Object Array Map Set Promise RegExp Date ArrayBuffer SharedArrayBuffer DataView Error TypeError RangeError SyntaxError ReferenceError EvalError URIError AggregateError Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array Float32Array Float64Array BigInt64Array BigUint64Array';

const numbers = new Map<unknown, number>();
const readable = new Set<unknown>([null]);

export const numberOfBuiltIn = (value: unknown): number | undefined => numbers.get(value);

/** Is it the prototype of a class whose objects can be read? */
export const isReadable = (prototype: object | null): boolean => readable.has(prototype);

/** Finds the objects once, and looks for code of the user's among them. Returns whether there is some. */
export function collectBuiltIns(): boolean {
  if (numbers.size === 0) collect();
  return [...readable].some(
    (prototype) =>
      prototype !== null &&
      functionsIn(prototype as object).some(
        (one) => typeof one === 'function' && tracer.isKnown(one as never),
      ),
  );
}

const functionsIn = (object: object): unknown[] =>
  Reflect.ownKeys(object).flatMap((key) => {
    const { value, get, set } = Object.getOwnPropertyDescriptor(object, key)!;
    return [value as unknown, get, set];
  });

function collect(): void {
  const globals = globalThis as unknown as Record<string, { readonly prototype: object }>;
  for (const name of CLASSES.split(' ')) {
    const { prototype } = globals[name];
    add(globals[name], 2);
    readable.add(prototype);
    readable.add(Object.getPrototypeOf(prototype));
  }
  for (const name of NAMES.split(' ')) add(globals[name], 2);
  for (const made of [async () => {}, function* () {}, async function* () {}])
    add(Object.getPrototypeOf(made), 1);
  add(globalThis, 0);
  add(StubFailure.prototype, 0);
  readable.add(StubFailure.prototype);
}

function add(value: unknown, depth: number): void {
  if (Object(value) !== value || numbers.has(value)) return;
  numbers.set(value, numbers.size);
  if (depth === 0) return;
  for (const inner of functionsIn(value as object)) add(inner, depth - 1);
  add(Object.getPrototypeOf(value), depth);
}
