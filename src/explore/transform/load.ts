/**
 * Loads a module of the user's, and what it imports, with the files that some globs name
 * transformed on their way.
 *
 * jiti reads TypeScript and JavaScript, ESM and CommonJS, from node_modules as well, on every
 * Node that we run on. It gets each file transformed, where a glob names it, and
 * makes of it what Node can load.
 */
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createJiti } from 'jiti';
import { globPattern } from './glob.js';
import { transform } from './transform.js';
import './runtime/runtime.js';

export interface LoadOptions {
  /** Files to transform, as globs; relative ones to the folder `from`. */
  readonly globs: readonly string[];
  readonly from?: string;
  /** Specifiers that mean other files. */
  readonly alias?: Readonly<Record<string, string>>;
}

/** The exports of a module. */
export async function loadTransformed(
  entry: string,
  { globs, from = process.cwd(), alias = {} }: LoadOptions,
): Promise<unknown> {
  const patterns = globs.map((glob) => globPattern(glob, from));
  const isNamed = (file: string): boolean =>
    patterns.some((pattern) => pattern.test(file.replaceAll('\\', '/')));
  const options = { moduleCache: false, fsCache: false, alias: { ...alias } } as const;
  const plain = createJiti(import.meta.url, options);
  const jiti = createJiti(import.meta.url, {
    ...options,
    // packages that are named are not left to Node
    transformModules: packagesIn(globs),
    transform: (file) => {
      const name = file.filename ?? '';
      const path = name.startsWith('file:') ? fileURLToPath(name) : name;
      if (!isNamed(path)) return { code: plain.transform(file) };
      return { code: plain.transform({ ...file, source: transform(path, file.source).code }) };
    },
  });
  return jiti.import(pathToFileURL(resolve(from, entry)).href);
}

/** Names of packages that globs go into. */
function packagesIn(globs: readonly string[]): string[] {
  return globs.flatMap((glob) => {
    const name = /node_modules\/((?:@[^/*]+\/)?[^/*]+)/.exec(glob);
    return name === null ? [] : [name[1]];
  });
}
