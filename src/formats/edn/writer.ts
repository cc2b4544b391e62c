/**
 * EDN text of a value, so that reading it gives the same value.
 *
 * The reader makes one value of what EDN tells apart (`:a` and "a", 5 and 5N, a
 * map by keywords and one by texts), so a few values of JavaScript have no text
 * of their own, and are refused rather than changed:
 *
 *   undefined, functions, typed arrays, instances of classes
 *   5n                                a bigint that a number holds: 5N is read as 5
 *   new Map([['a', 1]]), new Map()    a Map by texts alone: it is read as an object
 *
 * Texts are escaped as in JSON, whose escapes EDN has too.
 */
import { show } from '../../base/values/show.js';

/** What can be written as a keyword without a doubt. */
const KEYWORD = /^[A-Za-z_][\w.*+!?<>=-]*$/;

/** EDN text of a value; for what has none, a TypeError. */
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
      throw noForm(`${value}n`);
    case 'object':
      return value === null ? 'nil' : writeObject(value);
  }
  throw noForm(show(value));
}

/** A keyword where the text can be one, else the text; both are read as the same. */
export const writeWord = (text: string): string => (KEYWORD.test(text) ? `:${text}` : JSON.stringify(text));

function writeNumber(value: number): string {
  if (Number.isNaN(value)) return '##NaN';
  if (!Number.isFinite(value)) return value > 0 ? '##Inf' : '##-Inf';
  // with an exponent, a large one stays a number
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? value.toExponential() : String(value);
}

function writeObject(value: object): string {
  if (Array.isArray(value)) return `[${Array.from(value, writeEdn).join(' ')}]`;
  if (value instanceof Set) return `#{${Array.from(value, writeEdn).join(' ')}}`;
  if (value instanceof Map && [...value.keys()].some((key) => typeof key !== 'string'))
    return `{${Array.from(value, ([key, own]) => `${writeEdn(key)} ${writeEdn(own)}`).join(', ')}}`;
  if (value instanceof Date && /^\d{4}-/.test(timeOf(value))) return `#inst ${JSON.stringify(timeOf(value))}`;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw noForm(show(value));
  return `{${Object.entries(value)
    .map(([name, own]) => `${writeWord(name)} ${writeEdn(own)}`)
    .join(', ')}}`;
}

const timeOf = (date: Date): string => (Number.isNaN(date.getTime()) ? '' : date.toISOString());

const noForm = (shown: string): TypeError => new TypeError(`${shown} has no form in EDN`);
