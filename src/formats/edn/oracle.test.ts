/**
 * The EDN reader on random texts, against the package edn-data; and no invalid text crashes it.
 *
 * edn-data is not exact: it rounds large integers, reads neither ratios nor `##Inf` nor characters that are brackets,
 * and joins words around a comment. The texts contain only what it reads; reader.test.ts tests the rest.
 */
import { parseEDNString } from 'edn-data';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { share } from '../../../test/support/share.js';
import { EdnReader } from './reader.js';
import { EdnError } from './scanner.js';

/** Converts what edn-data read to our form: maps whose keys are all texts are plain objects. */
function asOurs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asOurs);
  if (value instanceof Set) return new Set(Array.from(value, asOurs));
  if (!(value instanceof Map)) return value;
  const entries = Array.from(value, ([key, item]) => [asOurs(key), asOurs(item)] as const);
  return entries.every(([key]) => typeof key === 'string')
    ? Object.fromEntries(entries as [string, unknown][])
    : new Map(entries);
}

const oracle = (text: string): unknown =>
  asOurs(
    parseEDNString(text, {
      mapAs: 'map',
      setAs: 'set',
      listAs: 'array',
      keywordAs: 'string',
      symbolAs: 'string',
      charAs: 'string',
      tagHandlers: { uuid: (value) => value, 'jepsen.independent.Tuple': (value) => value },
    }),
  );

const word = fc.stringMatching(/^[a-z][a-z0-9.*+!_?$%&=<>-]{0,14}(\/[a-z]{1,4})?$/);
const atom = fc.oneof(
  fc.constantFrom('nil', 'true', 'false', '\\newline', '\\a', '\\u00e4', '-', '1.5M', '+7'),
  fc.constantFrom('#inst "2024-01-31T12:30:00Z"', '#uuid "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"'),
  word,
  word.map((name) => `:${name}`),
  fc.integer().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number.toExponential()),
  fc.string({ unit: 'grapheme' }).map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`),
  fc.string().map((text) => JSON.stringify(text)),
);
const space = fc.constantFrom(' ', ', ', '\n', '\t', ' ; comment "[\n ', ' #_ (discarded {:a 1}) ');

const { value } = fc.letrec<{ value: string }>((tie) => {
  const joined = fc
    .array(fc.tuple(tie('value'), space), { maxLength: 6 })
    .map((items) => items.flat().join(''));
  const pairs = fc
    .uniqueArray(fc.tuple(fc.oneof(atom, fc.constant('[1 :x]')), space, tie('value'), space), {
      selector: ([key]) => JSON.stringify(oracle(key)),
      maxLength: 5,
    })
    .map((items) => items.flat().join(''));
  const distinct = fc.uniqueArray(fc.integer(), { maxLength: 5 }).map((items) => items.join(' '));
  return {
    value: fc.oneof(
      { depthSize: 'small' },
      atom,
      joined.map((items) => `[${items}]`),
      joined.map((items) => `(${items})`),
      pairs.map((items) => `{${items}}`),
      distinct.map((items) => `#{${items}}`),
      tie('value').map((item) => `#jepsen.independent.Tuple [${item} nil]`),
    ),
  };
});

test('the reader gives the values of edn-data', () => {
  fc.assert(
    fc.property(value, (text) => {
      expect(new EdnReader(text).document()).toEqual(oracle(text));
    }),
    { seed: 7, numRuns: share(2_000, 300) },
  );
});

test('a changed text gives a value, or an EdnError with a position inside the text', () => {
  const scrap = fc.oneof(
    fc.constantFrom(...'()[]{}"\\#_;:,^@`~/+-.N\n\0', '##', '#{', '#_', '\\u12', '1/', '::', '__proto__'),
    fc.string({ unit: 'binary', maxLength: 3 }),
  );
  const change = fc.tuple(fc.nat(), fc.nat({ max: 3 }), scrap);
  const changed = fc.tuple(value, fc.array(change, { maxLength: 4 })).map(([text, changes]) =>
    changes.reduce((now, [at, length, put]) => {
      const start = at % (now.length + 1);
      return now.slice(0, start) + put + now.slice(start + length);
    }, text),
  );
  let refused = 0;
  const numRuns = share(5_000, 300);
  fc.assert(
    fc.property(changed, (text) => {
      try {
        new EdnReader(text).document();
      } catch (error) {
        if (!(error instanceof EdnError)) throw error;
        expect(error.position).toBeGreaterThanOrEqual(0);
        expect(error.position).toBeLessThanOrEqual(text.length);
        refused++;
      }
    }),
    { seed: 8, numRuns },
  );
  expect(refused).toBeGreaterThan(numRuns * 0.2);
  expect(refused).toBeLessThan(numRuns * 0.9);
});
