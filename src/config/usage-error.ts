import { statSync } from 'node:fs';
import {
  parseSize as readSize,
  parseTime as readTime,
  SIZE_EXAMPLE,
  TIME_EXAMPLE,
} from '../base/quantities.js';

/** A command that can not be carried out as it was typed: exit code 2, and what to type instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/* Who reads one file says so before it begins: what the system says of a folder names none. */

export function expectFile(path: string): void {
  if (path !== '-' && statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`${path} is a folder; expected a file`);
}

/* What a setting says, as `read` has it; what that refuses is told with the names of the file and of the setting. */

export function readSetting<T>(file: string, name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(`${file}: ${name}: ${error.message}`) : error;
  }
}

/* Times and sizes, as people write them. Each refusal says what would do. */

/** `500ms`, `60s`, `5m`, in milliseconds. */
export const parseTime = (text: string): number => quantity(text, readTime, TIME_EXAMPLE);

/** `512mb`, `4gb`, in bytes. */
export const parseSize = (text: string): number => quantity(text, readSize, SIZE_EXAMPLE);

function quantity(text: string, read: (text: string) => number | undefined, expected: string): number {
  const amount = read(text);
  if (amount !== undefined) return amount;
  throw new UsageError(`${JSON.stringify(text)} is no ${expected.split(' ')[1]}; expected ${expected}`);
}
