/**
 * Writes values as EDN that is read back as the same value.
 *
 * The reader does not distinguish some EDN values (`:a` and "a", 5 and 5N, maps with keywords and
 * with strings). A few JavaScript values therefore have no EDN form and are rejected:
 *
 *   undefined, functions, typed arrays, instances of classes
 *   5n                                a bigint that a double represents: 5N is read as 5
 *   new Map([['a', 1]]), new Map()    a Map with only string keys: it is read as an object
 *
 * Strings are escaped as in JSON, whose escapes are valid in EDN.
 */
import { show } from '../../base/values/show.js';

/** Strings that are unambiguous as keywords. */
const KEYWORD = /^[A-Za-z_][\w.*+!?<>=-]*$/;

/** Writes a value as EDN; throws a TypeError if it has no EDN form. */
export function writeEdn(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'boolean':
      return String(value);
    case 'number':
      return writeNumber(value);
    case 'bigint':
      if (value < Number.MIN_SAFE_INTEGER || value > Number.MAX_SAFE_INTEGER) return `${value}N`;
      throw noEdnForm(`${value}n`);
    case 'object':
      return value === null ? 'nil' : writeObject(value);
  }
  throw noEdnForm(show(value));
}

/** Writes a keyword if possible, otherwise a string; both are read as the same value. */
export const writeWord = (text: string): string => (KEYWORD.test(text) ? `:${text}` : JSON.stringify(text));

function writeNumber(value: number): string {
  if (Number.isNaN(value)) return '##NaN';
  if (!Number.isFinite(value)) return value > 0 ? '##Inf' : '##-Inf';
  // an exponent keeps a large number a double
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? value.toExponential() : String(value);
}

function writeObject(value: object): string {
  if (Array.isArray(value)) return `[${Array.from(value, writeEdn).join(' ')}]`;
  if (value instanceof Set) return `#{${Array.from(value, writeEdn).join(' ')}}`;
  if (value instanceof Map && [...value.keys()].some((key) => typeof key !== 'string'))
    return `{${Array.from(value, ([key, own]) => `${writeEdn(key)} ${writeEdn(own)}`).join(', ')}}`;
  if (value instanceof Date && /^\d{4}-/.test(timeOf(value))) return `#inst ${JSON.stringify(timeOf(value))}`;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw noEdnForm(show(value));
  return `{${Object.entries(value)
    .map(([name, own]) => `${writeWord(name)} ${writeEdn(own)}`)
    .join(', ')}}`;
}

const timeOf = (date: Date): string => (Number.isNaN(date.getTime()) ? '' : date.toISOString());

const noEdnForm = (shown: string): TypeError => new TypeError(`${shown} has no EDN form`);
