/**
 * Loads a module of the user's, and what it imports; it, and the files that some globs name, are
 * transformed on their way.
 *
 * jiti reads TypeScript and JavaScript on every Node that we run on. In its synchronous way
 * it hands us each file that it compiles, from node_modules as well; CommonJS files it leaves to
 * Node, where we stand in for the loader while it works.
 */
import './runtime/runtime.js';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { rewriteAsCoroutines } from './coroutines/rewrite.js';
import { tools } from './syntax/tools.js';

/* Globs of files: `*` within a name, `**` over folders, `?` one character, `{a,b}` either. */

/** What full paths, with slashes, match a glob. */
export function globPattern(glob: string, from: string): RegExp {
  const path = resolve(from, glob).replaceAll('\\', '/');
  let depth = 0;
  const text = path.replaceAll(/\*\*\/|\*\*|\*|\?|[{},]|[.+^$()|[\]\\]/g, (part) => {
    switch (part) {
      case '**/':
        return '(?:.*/)?';
      case '**':
        return '.*';
      case '*':
        return '[^/]*';
      case '?':
        return '[^/]';
      case '{':
        depth++;
        return '(?:';
      case '}':
        depth--;
        return ')';
      case ',':
        return depth > 0 ? '|' : ',';
      default:
        return `\\${part}`;
    }
  });
  return new RegExp(`^${text}$`);
}

/** Names of packages that globs go into. */
export function packagesIn(globs: readonly string[]): string[] {
  return globs.flatMap((glob) => /node_modules\/((?:@[^/*]+\/)?[^/*]+)/.exec(glob)?.[1] ?? []);
}

export interface LoadOptions {
  /** Files to transform, as globs; relative ones to the folder `from`. If not given, all that are in no package. */
  readonly globs?: readonly string[] | undefined;
  readonly from?: string;
  /** What becomes of the text of a file, if it is not to be explored as coroutines. */
  readonly rewrite?: (file: string, text: string) => string;
  /** Modules that are there already, by their specifiers. */
  readonly modules?: Readonly<Record<string, unknown>>;
}

/** The exports of a module. It, and what it imports, can not wait at its top level. */
export function loadInstrumented(
  entry: string,
  {
    globs,
    from = process.cwd(),
    modules = {},
    rewrite = (path, text) => rewriteAsCoroutines(path, text).code,
  }: LoadOptions,
): unknown {
  const file = resolve(from, entry);
  const patterns = globs?.map((glob) => globPattern(glob, from)) ?? [IN_NO_PACKAGE];
  const isNamed = (path: string): boolean =>
    path === file || patterns.some((pattern) => pattern.test(path.replaceAll('\\', '/')));
  // no proxies around what modules export: a function is known by itself
  const options = {
    moduleCache: false,
    fsCache: false,
    interopDefault: false,
    virtualModules: { ...modules },
  };
  const { createJiti } = tools();
  const plain = createJiti(import.meta.url, options);
  // what compiles is loaded before anything is transformed: no glob means it
  plain.transform({ source: '' });
  const jiti = createJiti(import.meta.url, {
    ...options,
    // packages that are named are not left to Node
    transformModules: packagesIn(globs ?? []),
    transform: (compiled) => {
      const { filename = '', source } = compiled;
      const text = isNamed(filename) ? rewrite(filename, source) : source;
      return { code: plain.transform({ ...compiled, source: text, interopDefault: true }) };
    },
  });
  return withCommonJs(isNamed, rewrite, () => jiti(file));
}

const IN_NO_PACKAGE = /^(?!.*\/node_modules\/)/;

type Compiles = (module: { _compile(code: string, file: string): void }, file: string) => void;

/** While `load` runs, CommonJS files that are named are compiled from their transformed text. */
function withCommonJs<T>(
  isNamed: (file: string) => boolean,
  rewrite: (file: string, text: string) => string,
  load: () => T,
): T {
  const require = createRequire(import.meta.url);
  const extensions = require.extensions as unknown as Record<string, Compiles>;
  const compile = extensions['.js'];
  for (const file of Object.keys(require.cache)) if (isNamed(file)) delete require.cache[file];
  extensions['.js'] = (module, file) => {
    if (isNamed(file)) module._compile(rewrite(file, readFileSync(file, 'utf8')), file);
    else compile(module, file);
  };
  try {
    return load();
  } finally {
    extensions['.js'] = compile;
  }
}
