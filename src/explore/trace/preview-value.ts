/**
 * A value that a step has read or stored, as people read it: itself where it is simple, one level of it
 * where it is an object.
 *
 * Nothing of the user's is called, as `toString` would be: while an execution runs that would be a step of it.
 */
import { printable, show } from '../../base/values/show.js';

const MOST = 6;

export function glimpse(value: unknown): string {
  if (value === null || typeof value !== 'object') return show(value);
  const { name } = (Object.getPrototypeOf(value) as object | null)?.constructor ?? Object;
  if (Array.isArray(value)) return `[${listed(value.map(brief))}]`;
  const fields = Object.entries(Object.getOwnPropertyDescriptors(value))
    .filter(([, field]) => 'value' in field && field.enumerable)
    .map(([field, { value: held }]) => `${printable(field)}: ${brief(held)}`);
  const told = `{${listed(fields)}}`;
  if (name === 'Object') return told;
  return fields.length > 0 ? `${printable(name)} ${told}` : printable(name);
}

function brief(value: unknown): string {
  if (value === null || typeof value !== 'object') return show(value);
  return Array.isArray(value) ? '[…]' : '{…}';
}

const listed = (parts: readonly string[]): string =>
  parts.length > MOST ? `${parts.slice(0, MOST).join(', ')}, …` : parts.join(', ');
