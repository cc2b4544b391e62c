/** Times and sizes as users write them: a number, or a text with a unit. */

const TIME_UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;
const SIZE_UNITS = { kb: 2 ** 10, mb: 2 ** 20, gb: 2 ** 30 } as const;

export const TIME_EXAMPLE = 'a time such as 500ms, 60s or 5m';
export const SIZE_EXAMPLE = 'a size such as 512mb or 4gb';

/** `500ms`, `60s`, `5m` in milliseconds; undefined for any other text. */
export const parseTime = (text: string): number | undefined => parse(text, TIME_UNITS);

/** `512mb`, `4gb` in bytes; undefined for any other text. */
export const parseSize = (text: string): number | undefined => parse(text.toLowerCase(), SIZE_UNITS);

function parse(text: string, units: Readonly<Record<string, number>>): number | undefined {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)([a-z]+)$/.exec(text) ?? [];
  if (unit === undefined || !Object.hasOwn(units, unit) || Number(amount) === 0) return undefined;
  return Number(amount) * units[unit];
}
