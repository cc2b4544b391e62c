/**
 * JSON without loss: `JSON.parse` does the work wherever it loses nothing.
 *
 * A text in which it may have rounded an integer, or that it refuses, is read
 * again by the exact reader, which keeps large integers as bigints and says
 * where a text goes wrong.
 */
import { JsonReader } from './json-reader.js';

/** Fewer than the levels that a value may have. */
const MANY_BRACKETS = 900;

/** The value of a text; a JsonError where it is no JSON. */
export function parseJson(text: string, exactly: (text: string) => unknown = parseExactly): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return exactly(text);
  }
  return mayBeDeep(text) || hasRounded(value) ? exactly(text) : value;
}

const parseExactly = (text: string): unknown => new JsonReader(text).document();

/** Is there an integer, at any depth, that `JSON.parse` has rounded? */
function hasRounded(value: unknown): boolean {
  if (typeof value === 'number')
    return !Number.isSafeInteger(value) && (Number.isInteger(value) || !Number.isFinite(value));
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) if (hasRounded(value[i])) return true;
    return false;
  }
  const fields = value as Record<string, unknown>;
  for (const name in fields) if (typeof fields[name] !== 'string' && hasRounded(fields[name])) return true;
  return false;
}

/** `JSON.parse` reads values of any depth; only the exact reader says where one is too deep. */
const mayBeDeep = (text: string): boolean =>
  text.length > 2 * MANY_BRACKETS && text.split(/[[{]/, MANY_BRACKETS + 1).length > MANY_BRACKETS;
