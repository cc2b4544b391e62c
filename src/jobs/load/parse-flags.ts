/** Flags with a meaning: numbers, JSON values, lists of pairs. Each refusal says what would do. */
import { UsageError } from '../../config/usage-error.js';

/** What `--max-memory` is, for help. */
export const MEMORY = "how much memory it may take: 512mb, 4gb; half of the machine's if not given";

/** A whole number. */
export function parseCount(text: string): number {
  if (!/^\d+$/.test(text)) throw new UsageError(`${JSON.stringify(text)} is no whole number`);
  return Number(text);
}

/** A whole number from 1. */
export function parsePositive(text: string): number {
  const count = parseCount(text);
  if (count === 0) throw new UsageError('0 is too few; expected a whole number from 1');
  return count;
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(
      `${text} is no JSON value; texts need double quotes inside the shell's own: '"EMPTY"'`,
    );
  }
}

/** `a=x,b=y` as pairs. */
export function parsePairs(text: string): [string, string][] {
  return text.split(',').map((pair) => {
    const found = /^([^=]+)=([^=]+)$/.exec(pair.trim());
    if (!found) throw new UsageError(`${JSON.stringify(pair)} is no pair name=value`);
    return [found[1], found[2]];
  });
}

/** `enqueue=add,dequeue=poll`: a method may have several names in the history, but a name means one method. */
export function parseRenames(text: string): [string, string][] {
  const pairs = parsePairs(text);
  const names = pairs.map(([, name]) => name);
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice === undefined) return pairs;
  throw new UsageError(
    `${JSON.stringify(twice)} of the history would be two methods of the spec; expected each name once after "="`,
  );
}
