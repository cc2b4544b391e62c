/**
 * Encodes values that JSON cannot represent: `{"$":"undefined"}`, `{"$":"bigint","value":"5"}` …
 *
 * Plain JSON is unchanged. An object with a field named `$` is wrapped, so that every value is read
 * back as it was written.
 *
 *   undefined, NaN, Infinity, -Infinity     {"$":"undefined"} …
 *   bigint, Date, Map, Set, typed arrays    {"$":"bigint","value":"5"} …
 *   references to results                   {"$":"result","value":"take"}
 *   bigints above 2^53                      plain digits: the reader keeps them
 *   numbers above 2^53                      1e+60, with an exponent, so that they stay numbers
 *   -0                                      0, which it equals
 */
import { isPrimitive } from './canonical.js';
import { ResultReference } from './result-reference.js';
import { show } from './show.js';

const CONSTANTS = new Map<unknown, unknown>([
  ['undefined', undefined],
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
]);

/** The typed-array classes. */
export const TYPED_ARRAYS: readonly (new (...args: never[]) => object)[] = [
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
];

/** Encodes a value as JSON text; throws a TypeError for values without an encoding, such as functions. */
export function stringify(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return JSON.stringify(value);
  if (typeof value === 'number') return stringifyNumber(value);
  if (typeof value === 'bigint') {
    const short = value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER;
    return short ? tag('bigint', `"${value}"`) : String(value);
  }
  if (value === undefined) return tag('undefined');
  if (typeof value === 'object') return stringifyObject(value);
  throw new TypeError(`cannot write a ${typeof value} as JSON`);
}

function stringifyNumber(value: number): string {
  if (!Number.isFinite(value)) return tag(String(value));
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? value.toExponential() : String(value);
}

function stringifyObject(value: object): string {
  if (Array.isArray(value)) return list(value);
  if (value instanceof Map) return tag('Map', list(Array.from(value, (entry) => [...entry])));
  if (value instanceof Set) return tag('Set', list([...value]));
  if (value instanceof Date) return tag('Date', stringify(value.getTime()));
  if (value instanceof ResultReference) return tag('result', JSON.stringify(value.method));
  const typed = TYPED_ARRAYS.find((kind) => value instanceof kind);
  if (typed) return tag(typed.name, list(Array.from(value as Iterable<unknown>)));
  const fields = Object.entries(value).map(([name, field]) => `${JSON.stringify(name)}:${stringify(field)}`);
  const text = `{${fields.join(',')}}`;
  return Object.hasOwn(value, '$') ? tag('object', text) : text;
}

const list = (items: readonly unknown[]): string => `[${Array.from(items, stringify).join(',')}]`;

const tag = (name: string, value?: string): string =>
  value === undefined ? `{"$":"${name}"}` : `{"$":"${name}","value":${value}}`;

/** Decodes parsed JSON; throws a RangeError if a tag is unknown or its value is invalid. */
export function untag(json: unknown): unknown {
  if (isPrimitive(json)) return json;
  if (Array.isArray(json)) return json.map(untag);
  const object = json as Record<string, unknown>;
  if (!Object.hasOwn(object, '$')) return mapFields(object);
  const { $: name, ...rest } = object;
  const fields = Object.keys(rest);
  if (CONSTANTS.has(name) && fields.length === 0) return CONSTANTS.get(name);
  const read = typeof name === 'string' && Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined;
  if (!read) throw new RangeError(`unknown tag {"$":${show(name)}}`);
  const value = fields.length === 1 && fields[0] === 'value' ? read(rest.value) : undefined;
  if (value === undefined) throw new RangeError(`invalid value of {"$":"${name}"}`);
  return value;
}

/** Tag to the decoder of its value; undefined for an invalid value. */
const DECODERS: Readonly<Record<string, (value: unknown) => unknown>> = {
  bigint: (value) => (typeof value === 'string' && /^-?\d+$/.test(value) ? BigInt(value) : undefined),
  Date: (value) => {
    const time = untag(value);
    return typeof time === 'number' ? new Date(time) : undefined;
  },
  Map: (value) => {
    const entries = untag(value);
    const isPair = (entry: unknown) => Array.isArray(entry) && entry.length === 2;
    return Array.isArray(entries) && entries.every(isPair)
      ? new Map(entries as [unknown, unknown][])
      : undefined;
  },
  Set: (value) => (Array.isArray(value) ? new Set(value.map(untag)) : undefined),
  result: (value) => (typeof value === 'string' ? new ResultReference(value) : undefined),
  object: (value) =>
    isPrimitive(value) || Array.isArray(value) ? undefined : mapFields(value as Record<string, unknown>),
  ...Object.fromEntries(TYPED_ARRAYS.map((kind) => [kind.name, (value: unknown) => typedArray(kind, value)])),
};

function typedArray(kind: (typeof TYPED_ARRAYS)[number], value: unknown): unknown {
  const items = untag(value);
  const type = /^Big/.test(kind.name) ? 'bigint' : 'number';
  if (!Array.isArray(items) || !items.every((item) => typeof item === type)) return undefined;
  return Reflect.construct(kind, [items]);
}

const mapFields = (object: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(object).map(([name, field]) => [name, untag(field)]));
