/** The rooms of the house: who may import whom, and what only some of them may do. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const ROOMS =
  'base history formats spec objects check record explore explain report config runners cli'.split(' ');
const ASYNC = /^(formats\/read-history\.ts|check\/crew\/member\.ts|(record|explore|config|runners|cli)\/)/;
const SRC = fileURLToPath(new URL('../src', import.meta.url));

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path));
/** File to its text, without comments. */
const textOf = new Map(files.map((file) => [file, withoutComments(readFileSync(join(SRC, file), 'utf8'))]));

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|(?<=^|[\s;{}(),])\/\/.*$/gm, '');
}

/** The files inside src that a file imports or exports from. */
function importsOf(file: string): string[] {
  // what stands in a template is text for others
  const pattern = /\b(?:from|import)\s*\(?\s*['"](\.[^'"$]+)['"]/g;
  return Array.from(textOf.get(file)?.matchAll(pattern) ?? [], ([, path]) =>
    relative(SRC, join(SRC, dirname(file), path.replace(/\.js$/, '.ts'))).replaceAll('\\', '/'),
  );
}

const roomOf = (file: string): string => (file.includes('/') ? file.slice(0, file.indexOf('/')) : '');
const edges = files.flatMap((file) => importsOf(file).map((target) => [file, target] as const));

test('every file is in a room, but for the front door', () => {
  expect(files.filter((file) => !ROOMS.includes(roomOf(file)))).toEqual(['index.ts']);
});

test('imports are found', () => {
  expect(edges.length).toBeGreaterThan(files.length);
  expect(edges.filter(([, target]) => !files.includes(target))).toEqual([]);
});

test('a room imports only rooms to its left, and the front door any', () => {
  const wrong = edges.filter(
    ([file, target]) => roomOf(file) !== '' && ROOMS.indexOf(roomOf(target)) > ROOMS.indexOf(roomOf(file)),
  );
  expect(wrong).toEqual([]);
});

test('a room is entered through its index only', () => {
  const wrong = edges.filter(
    ([file, target]) => roomOf(file) !== roomOf(target) && target !== `${roomOf(target)}/index.ts`,
  );
  expect(wrong).toEqual([]);
});

test('no file of a room imports itself by way of others', () => {
  const done = new Set<string>();
  const cyclesFrom = (file: string, path: readonly string[]): string[][] => {
    if (path.includes(file)) return [[...path.slice(path.indexOf(file)), file]];
    if (done.has(file)) return [];
    const cycles = importsOf(file).flatMap((target) => cyclesFrom(target, [...path, file]));
    done.add(file);
    return cycles;
  };
  expect(files.flatMap((file) => cyclesFrom(file, []))).toEqual([]);
});

describe('only some rooms', () => {
  const filesWith = (pattern: RegExp) => files.filter((file) => pattern.test(textOf.get(file) ?? ''));

  test('wait: promises are for reading files, other threads, recording, exploring, the configuration, runners and the command line', () => {
    const waiting = filesWith(/\basync\s*[\w(*]|\bawait\b|\bnew Promise\b|\bPromise[.<]|\.then\(/);
    expect(waiting.filter((file) => !ASYNC.test(file))).toEqual([]);
  });

  test('speak to the console: the command line', () => {
    expect(filesWith(/\bconsole\./).filter((file) => roomOf(file) !== 'cli')).toEqual([]);
  });
});

test('no file is found relative to the one that asks: what is built has others', () => {
  const relativeTo = files.filter((file) => /new URL\([^)]*import\.meta\.url/.test(textOf.get(file) ?? ''));
  expect(relativeTo).toEqual([]);
});
