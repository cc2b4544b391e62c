/**
 * Faults of the rewriter, by kind: the code of a row is rewritten, and the fault is planted in the result, in one place at a time. Some row of
 * the matrix of races must show each kind. No announcement is of a kind without faults.
 */
import { describe, expect, test } from 'vitest';
import { loadScript } from '../../support/fixtures/instrumented.js';
import {
  aliasRows,
  builtinRows,
  cellRows,
  containerRows,
  loopRows,
  type Row,
} from '../../support/generators/constructs.js';
import { keptRows } from '../../support/generators/kept-values.js';
import { explored } from '../../support/oracles/constructs.js';
import { share } from '../../support/share.js';

const YIELD = '(yield $_rt.p)';
/** Between the call of the runtime and its announcement. */
const JOINT = /(?:<2\?\$_t\?\(|<2\?\(\$_t&&\(?|\?\$_t<2\?\(|\?\(+|&&\(?|<2\?\(\$_t&&)$/;

/** Where the parenthesis opens that the last character closes. */
function openingOf(text: string): number {
  let depth = 0;
  for (let i = text.length - 1; i >= 0; i--) {
    if (text[i] === ')') depth++;
    if (text[i] === '(' && --depth === 0) return i;
  }
  return -1;
}

/** The method of the runtime that asks for the announcement at a place. */
function kindAt(code: string, place: number): string {
  let before = code.slice(0, place);
  before = before.replace(JOINT, '');
  while (before.endsWith(')')) {
    const head = before.slice(0, openingOf(before));
    const name = /\$_rt\.(\w+)$/.exec(head)?.[1];
    if (name !== undefined) return name;
    before = before.slice(0, -1);
  }
  return `? ${before.slice(-40)}`;
}

/** All ways to plant a fault in a code. */
type Planter = (code: string) => string[];

const everyMatch =
  (pattern: RegExp, to: (match: RegExpMatchArray) => string | undefined): Planter =>
  (code) =>
    [...code.matchAll(pattern)].flatMap((match) => {
      const text = to(match);
      return text === undefined
        ? []
        : [code.slice(0, match.index) + text + code.slice(match.index + match[0].length)];
    });

const announcements = (kind: string, change: (code: string, place: number) => string | undefined): Planter =>
  function planted(code) {
    const all: string[] = [];
    for (let at = code.indexOf(YIELD); at >= 0; at = code.indexOf(YIELD, at + 1)) {
      const changed = kindAt(code, at) === kind ? change(code, at) : undefined;
      if (changed !== undefined) all.push(changed);
    }
    return all;
  };

/** The announcement is left out: other threads cannot run there. */
const leftOut = (kind: string): Planter =>
  announcements(kind, (code, at) => `${code.slice(0, at)}0${code.slice(at + YIELD.length)}`);

/** What is read is read before the announcement. */
const readEarly = (kind: string): Planter =>
  announcements(kind, (code, at) => {
    const rest = code.slice(at + YIELD.length);
    const start = ',$_rt.observe(';
    if (!rest.startsWith(start)) return undefined;
    const end = closingOf(rest, start.length - 1);
    const read = rest.slice(start.length, end);
    return `${code.slice(0, at)}$_rt.observe([${read},${YIELD}][0])${rest.slice(end + 1)}`;
  });

/** What is written is written before the announcement too. */
const writtenEarly = (kind: string): Planter =>
  announcements(kind, (code, at) => {
    const rest = code.slice(at + YIELD.length);
    const written = /^(?:,\$_rt\.adding\([^()]*\))?\)?,?\)?,?((?:[\w$.#]|\[[^\]]*\])+=\$_\d+)\)/.exec(rest);
    if (written === null) return undefined;
    return `${code.slice(0, at)}((${written[1]}),${YIELD})${rest}`;
  });

function closingOf(text: string, opening: number): number {
  let depth = 0;
  for (let i = opening; i < text.length; i++) {
    if (text[i] === '(') depth++;
    if (text[i] === ')' && --depth === 0) return i;
  }
  return -1;
}

/** The methods of the runtime that ask for an announcement. */
const KINDS = ['read', 'write', 'call', 'get', 'set', 'has', 'remove', 'assign'];

const FAULTS: Readonly<Record<string, Planter>> = {
  ...Object.fromEntries(KINDS.map((kind) => [`no announcement: ${kind}`, leftOut(kind)])),
  ...Object.fromEntries(
    ['read', 'get', 'has'].map((kind) => [`before the announcement: ${kind}`, readEarly(kind)]),
  ),
  ...Object.fromEntries(
    ['write', 'set'].map((kind) => [`before the announcement: ${kind}`, writtenEarly(kind)]),
  ),
  'a value that is read is not observed': everyMatch(/\$_rt\.observe\(/g, () => '('),
  'a variable of a loop is not saved': everyMatch(/(\$_rt\.again\([^;]*?),([\w$]+)\);/g, ([, before]) =>
    /again\(\S*,\$_s\+\d+/.test(before) ? `${before});` : undefined,
  ),
  'no variable of a loop is saved': everyMatch(
    /(\$_rt\.again\(\$_\d+,\$_s\+\d+),[^;]*;/g,
    ([, before]) => `${before});`,
  ),
  'a live variable is not reported': everyMatch(/(\$_rt\.live\([^;]*?),[\w$]+\);/g, ([, before]) =>
    /live\(\S*,\$_s\+\d+/.test(before) ? `${before});` : undefined,
  ),
  'a new member does not change its object': everyMatch(/,\$_rt\.adding\([^()]*\)/g, () => ''),
  'a closure holds no variables': everyMatch(
    /(?<=,)i=>i===0\?[^;{}]*?\$_rt\.no(?=,\$_s)/g,
    () => 'i=>$_rt.no',
  ),
  'conversions are not announced': everyMatch(/\$_rt\.isPrimitive\(/g, () => '(()=>true)('),
  'iterations are not announced': everyMatch(/\$_rt\.isOwn\(/g, () => '(()=>true)('),
};

const rows: readonly Row[] = [
  ...loopRows(),
  ...cellRows(share(1, 89)),
  ...aliasRows(),
  ...containerRows(),
  ...builtinRows(),
  ...keptRows().filter((_, i) => i % share(1, 9) === 0),
];

/** The code of a row, rewritten, with numbers that do not depend on the files before it. */
function rewritten(row: Row): string {
  let text = '';
  loadScript(row.code, (code) => {
    text = code;
    return code;
  });
  return text;
}

const codes = rows.map(rewritten);

test('each announcement is of a kind that has faults', () => {
  const kinds = new Set<string>();
  for (const code of codes)
    for (let at = code.indexOf(YIELD); at >= 0; at = code.indexOf(YIELD, at + 1)) kinds.add(kindAt(code, at));
  expect([...kinds].sort()).toEqual(KINDS.toSorted());
});

const isWrong = (row: Row, make?: () => object): boolean => explored(row, make).join().includes('wrong');

describe('a row shows', () => {
  test.each(Object.keys(FAULTS))('%s', (fault) => {
    let tried = 0;
    for (const [i, row] of rows.entries()) {
      const planted = FAULTS[fault](codes[i]);
      for (const [k] of planted.entries()) {
        tried++;
        const make = loadScript(row.code, (code) => FAULTS[fault](code)[k]);
        if (isWrong(row, make) && !isWrong(row)) return;
      }
    }
    expect.fail(`${tried} places`);
  });
});
