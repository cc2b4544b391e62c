/**
 * What a token of EDN stands for: a number, a word, a character, a tagged text.
 * Each gives undefined for what is none.
 *
 *   5, 5N, 5M, 10/2     5. Clojure calls these equal, and so do we
 *   beyond 2^53         bigints
 *   1/3                 "1/3": no number holds it
 *   1.50M               1.5; beyond 15 digits, which a number may round, the text as it is written
 *   ##Inf, ##NaN        Infinity, NaN
 */
const INTEGER = /^[+-]?(?:0|[1-9]\d*)N?$/;
const RATIO = /^([+-]?\d+)\/(\d+)$/;
const DECIMAL = /^[+-]?(?:0|[1-9]\d*)(?:\.\d*)?(?:[eE][+-]?\d+)?(M?)$/;
/** So many digits a number holds exactly. */
const EXACT_DIGITS = 15;

export function numberOf(token: string): number | bigint | string | undefined {
  if (INTEGER.test(token)) return integer(BigInt(token.replace(/^\+|N$/g, '')));
  const decimal = DECIMAL.exec(token);
  if (decimal) {
    const number = Number(decimal[1] ? token.slice(0, -1) : token);
    if (!decimal[1]) return Number.isFinite(number) ? number : undefined;
    const digits = token.replace(/[eE].*|\D/g, '').replace(/^0+/, '').length;
    return digits > EXACT_DIGITS || !Number.isFinite(number) ? token : number;
  }
  const ratio = RATIO.exec(token);
  return ratio ? reduced(BigInt(ratio[1]), BigInt(ratio[2])) : undefined;
}

const integer = (exact: bigint): number | bigint =>
  Number.isSafeInteger(Number(exact)) ? Number(exact) : exact;

function reduced(above: bigint, below: bigint): number | bigint | string | undefined {
  if (below === 0n) return undefined;
  let [a, b] = [above < 0n ? -above : above, below];
  while (b !== 0n) [a, b] = [b, a % b];
  return a === below ? integer(above / below) : `${above / a}/${below / a}`;
}

const WORDS = new Map<string, unknown>([
  ['nil', null],
  ['true', true],
  ['false', false],
]);

/** A symbol is its text. */
export const wordOf = (token: string): unknown => (WORDS.has(token) ? WORDS.get(token) : token);

const SYMBOLIC = new Map<string, number>([
  ['##Inf', Number.POSITIVE_INFINITY],
  ['##-Inf', Number.NEGATIVE_INFINITY],
  ['##NaN', Number.NaN],
]);

export const symbolicOf = (token: string): number | undefined => SYMBOLIC.get(token);

const NAMED = new Map<string, string>([
  ['newline', '\n'],
  ['space', ' '],
  ['tab', '\t'],
  ['return', '\r'],
  ['formfeed', '\f'],
  ['backspace', '\b'],
]);

/** A character by what follows its backslash. */
export function characterOf(name: string): string | undefined {
  if (name.length === 1 || (name.length === 2 && name.codePointAt(0)! > 0xffff)) return name;
  const coded = /^(?:u([\da-fA-F]{4})|o([0-3]?[0-7]{1,2}))$/.exec(name);
  if (!coded) return NAMED.get(name);
  return String.fromCharCode(coded[1] ? Number.parseInt(coded[1], 16) : Number.parseInt(coded[2], 8));
}

const INSTANT = /^\d{4}(?:-\d\d(?:-\d\d(?:T\d\d(?::\d\d(?::\d\d(?:\.\d{1,9})?)?)?(?:Z|[+-]\d\d:\d\d)?)?)?)?$/;

/** A time of `#inst`: "2024-01-31T12:30:00.000-00:00", or a part of that from its start. */
export function dateOf(text: unknown): Date | undefined {
  if (typeof text !== 'string' || !INSTANT.test(text)) return undefined;
  // what is not told is zero, in UTC
  const withMinutes = text.replace(/T(\d\d)(?!:|\d)/, 'T$1:00');
  const date = new Date(
    /T.*(?:Z|[+-]\d\d:\d\d)$/.test(text) || !text.includes('T') ? withMinutes : `${withMinutes}Z`,
  );
  return Number.isNaN(date.getTime()) ? undefined : date;
}
