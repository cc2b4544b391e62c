/** Times and sizes, as people write them. Each refusal says what would do. */
import { UsageError } from './usage-error.js';

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
