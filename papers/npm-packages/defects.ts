/** A defect of a package: a draft report, with a plain program that shows it. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const DEFECTS = 'papers/npm-packages/defects';

export interface Defect {
  /** `async-rwlock 1.1.1` */
  readonly package: string;
  /** What the package promises, in its own words. */
  readonly promise: string;
  /** What stored public issues say about it. */
  readonly known: string;
  readonly program: string;
  /** What the program prints. */
  readonly prints: string;
}

/** The names of all drafts. */
export const definedIn = (folder: string): string[] =>
  readdirSync(folder).map((file) => file.replace(/\.md$/, ''));

/** Reads the parts of a draft; throws if one is missing. */
export function readDefect(folder: string, name: string): Defect {
  const text = readFileSync(join(folder, `${name}.md`), 'utf8');
  const part = (what: string, pattern: RegExp): string => {
    const found = pattern.exec(text)?.[1]?.trim();
    if (found === undefined || found === '') throw new Error(`${name}.md: no ${what}`);
    return found;
  };
  return {
    package: part('package, as Package: `name 1.2.3`', /^Package: `(.+)`$/m),
    promise: part('promise, as `Promise: …`', /^Promise: ([\s\S]+?)\n\n/m),
    known: part('answer whether it is known, as `Known: …`', /^Known: ([\s\S]+?)\n\n/m),
    program: part('program, as a block `js`', /^```js\n([\s\S]+?)^```$/m),
    prints: part('output, as a block `text`', /^```text\n([\s\S]+?)^```$/m),
  };
}

/** Milliseconds that a program may take. */
const LIMIT = 20_000;

/** Does the program, run where its package is installed, print what the draft says? */
export function isShown({ program, prints }: Defect, installed: string, name: string): boolean {
  const file = `${name}.defect.mjs`;
  writeFileSync(join(installed, file), program);
  const { stdout } = spawnSync(process.execPath, [file], {
    cwd: installed,
    encoding: 'utf8',
    timeout: LIMIT,
  });
  return stdout.trim() === prints;
}

/** Line breaks, and the marks of comments and of Markdown, do not count. */
const plain = (text: string): string => text.replaceAll(/[\s*`>/\\]+/g, ' ').toLowerCase();

/** Are the quotes of the promise in the files of the package? */
export function isPromised({ promise }: Defect, folder: string): boolean {
  const quotes = Array.from(promise.matchAll(/"([^"]+)"/g), ([, quote]) => plain(quote));
  const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(md|markdown|[cm]?[jt]s)$/i.test(file) && !file.includes('node_modules'))
    .map((file) => plain(readFileSync(join(folder, file), 'utf8')));
  return quotes.length > 0 && quotes.every((quote) => texts.some((text) => text.includes(quote)));
}
