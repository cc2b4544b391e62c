import { statSync } from 'node:fs';

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

const TIME_UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;
const SIZE_UNITS = { kb: 2 ** 10, mb: 2 ** 20, gb: 2 ** 30 } as const;

/** `500ms`, `60s`, `5m`, in milliseconds. */
export const parseTime = (text: string): number =>
  quantity(text, TIME_UNITS, 'a time such as 500ms, 60s or 5m');

/** `512mb`, `4gb`, in bytes. */
export const parseSize = (text: string): number =>
  quantity(text.toLowerCase(), SIZE_UNITS, 'a size such as 512mb or 4gb');

function quantity(text: string, units: Readonly<Record<string, number>>, expected: string): number {
  const found = /^(\d+(?:\.\d+)?)([a-z]+)$/.exec(text);
  const unit = found && Object.hasOwn(units, found[2]) ? units[found[2]] : undefined;
  if (!found || unit === undefined || Number(found[1]) === 0)
    throw new UsageError(`${JSON.stringify(text)} is no ${expected.split(' ')[1]}; expected ${expected}`);
  return Number(found[1]) * unit;
}
