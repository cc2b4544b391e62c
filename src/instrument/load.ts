/**
 * Loads a module of the user and what it imports. The module, and the files that globs name, are instrumented on the way.
 *
 * jiti loads TypeScript and JavaScript on every supported version of Node. In its synchronous mode it passes each file that it compiles
 * through our function, from node_modules too. It leaves CommonJS files to Node, whose loader is replaced in the meantime.
 * In vitest, a plugin does the same.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import type { Jiti, JitiOptions, TransformOptions } from 'jiti';
import type { AnyFunction } from '../base/any-function.js';
import { packageFile } from '../base/package-file.js';
import { nearestAbove } from '../base/system-files.js';
import { inlineMapOf, rememberMaps } from '../execution/callers.js';
import { ScenarioError } from '../execution/memory/program-error.js';
import { compileForLoader } from './compile.js';
import { rewriteAsCoroutines } from './coroutines/rewrite.js';
import { runtime } from './runtime/runtime.js';

/** A pattern for full paths with slashes: `*` within a name, `**` over folders, `?` one character, `{a,b}` either. */
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

/** Names of the packages that globs reach into. */
export function packagesIn(globs: readonly string[]): string[] {
  return globs.flatMap((glob) => /node_modules\/((?:@[^/*]+\/)?[^/*]+)/.exec(glob)?.[1] ?? []);
}

export interface LoadOptions {
  /** Files to instrument, as globs, relative to the folder `from`. Default: all files outside of packages. */
  readonly globs?: readonly string[] | undefined;
  readonly from?: string;
  /** The rewriter; its result may have a map back to the text. Default: to coroutines. */
  readonly rewrite?: (file: string, text: string) => string | { readonly code: string; readonly map: object };
  /** Texts that replace those of files, by full path. */
  readonly overlay?: ReadonlyMap<string, string> | undefined;
  /** Modules that are loaded already, by their specifiers. */
  readonly modules?: Readonly<Record<string, unknown>>;
}

/**
 * Loads a module and returns its exports. The module and its imports must not use top-level await.
 *
 * @example
 * const load = (path: string) => loadInstrumented(path, { globs: ['src/*.ts'] });
 */
export function loadInstrumented(
  entry: string,
  { globs, from = process.cwd(), modules = {}, overlay, rewrite = rewriteAsCoroutines }: LoadOptions,
): unknown {
  const file = resolve(from, entry);
  const patterns = globs?.map((glob) => globPattern(glob, from)) ?? [IN_NO_PACKAGE];
  const isNamed = (path: string): boolean =>
    path === file || patterns.some((pattern) => pattern.test(path.replaceAll('\\', '/')));
  const options = jitiOptions(file, modules);
  const plain = newJiti(options);
  const jiti = newJiti({
    ...options,
    // packages that are named are not left to Node
    transformModules: packagesIn(globs ?? []),
    transform: (compiled) => {
      const { filename = '' } = compiled;
      const source = overlay?.get(filename) ?? compiled.source;
      if (!isNamed(filename)) return { code: compiledOnce(plain, compiled, source) };
      const { code, map } = parts(rewrite(filename, source));
      const withMap = {
        ...compiled,
        source: code,
        babel: { sourceMaps: 'inline', sourceFileName: filename },
      };
      rememberMaps(filename, () => [inlineMapOf(plain.transform(withMap)), ...map]);
      return { code: compiledOnce(plain, compiled, code) };
    },
  });
  // the code of a module belongs to no thread
  const module: unknown = runtime.aside(() =>
    runtime.loads.together(() => withCommonJs(isNamed, rewrite, overlay, () => loadSync(() => jiti(file)))),
  );
  const loadAgain = plainLoader([file], { modules, overlay });
  rememberPlain(module, () => loadAgain()[0]);
  return module;
}

/** What the compiler made of a text, by file and text; the oldest first. Each patch that is tried loads all files again. */
const COMPILED = new Map<string, string>();
const MOST_COMPILED = 100;

function compiledOnce(plain: Jiti, given: TransformOptions, text: string): string {
  const { filename = '' } = given;
  const key = `${filename}\0${text}`;
  const known = COMPILED.get(key);
  if (known !== undefined) return known;
  const source = filename === '' ? text : compileForLoader(filename, text);
  const code = plain.transform({ ...given, source, interopDefault: true });
  const [oldest] = COMPILED.keys();
  if (COMPILED.size === MOST_COMPILED) COMPILED.delete(oldest);
  COMPILED.set(key, code);
  return code;
}

const jitiOptions = (file: string, modules: NonNullable<LoadOptions['modules']>) => ({
  // no proxies around what modules export: a function is known by itself
  moduleCache: false,
  fsCache: false,
  interopDefault: false,
  virtualModules: { ...modules },
  jsx: true,
  tsconfigPaths: nearestAbove(file, 'tsconfig.json') ?? false,
});

function newJiti(options: JitiOptions): Jiti {
  // loaded here, because it takes long
  const { createJiti } = createRequire(import.meta.url)('jiti') as typeof import('jiti');
  const jiti = createJiti(import.meta.url, options);
  // loads the compiler first, so that no glob instruments it
  if (options.transform === undefined && COMPILED.size === 0) jiti.transform({ source: '' });
  return jiti;
}

/** Returns a function that loads modules and their imports anew each time, without instrumentation. */
export function plainLoader(
  files: readonly string[],
  { modules = {}, overlay }: Pick<LoadOptions, 'modules' | 'overlay'>,
): () => readonly unknown[] {
  const [first = ''] = files;
  const together = {
    source: `module.exports=[${files.map((file) => `require(${JSON.stringify(file)})`).join()}]`,
    filename: `${dirname(first)}/plain.cjs`,
  };
  let jiti: Jiti | undefined;
  return () => {
    if (jiti === undefined) {
      const options = jitiOptions(first, modules);
      const plain = newJiti(options);
      const transform = (given: TransformOptions) => {
        const { filename = '', source } = given;
        return { code: compiledOnce(plain, given, overlay?.get(filename) ?? source) };
      };
      jiti = newJiti({ ...options, transform });
    }
    const load = jiti;
    const { cache } = createRequire(import.meta.url);
    const before = { ...cache };
    try {
      const isOfUser = (path: string): boolean => IN_NO_PACKAGE.test(path.replaceAll('\\', '/'));
      return withCommonJs(isOfUser, undefined, overlay, () =>
        loadSync(() => load.evalModule(together.source, { ...together, async: false })),
      ) as unknown[];
    } finally {
      // instrumented code keeps its own modules
      for (const path of Object.keys(cache)) if (!(path in before)) delete cache[path];
      Object.assign(cache, before);
    }
  };
}

/** The functions in a value, and where they are; getters are not called. */
function* functionsIn(value: unknown, depth: number): Generator<readonly [AnyFunction, readonly string[]]> {
  if (typeof value === 'function') yield [value as AnyFunction, []];
  if (value === null || typeof value !== 'object' || depth === 0) return;
  for (const [name, { value: part }] of Object.entries(Object.getOwnPropertyDescriptors(value)))
    for (const [called, path] of functionsIn(part, depth - 1)) yield [called, [name, ...path]];
}

/** Function of a loaded module to the modules without instrumentation, and where in them the same function is. */
const PLACES = new WeakMap<AnyFunction, { readonly load: () => unknown; readonly path: readonly string[] }>();
/** Scenarios, and their methods. */
const DEPTH = 2;

/** Remembers of what a module exports how to load the same without instrumentation. */
export function rememberPlain(module: unknown, load: () => unknown): void {
  // exports are getters, or not
  for (const [name, exported] of Object.entries(Object(module)))
    for (const [called, path] of functionsIn(exported, DEPTH))
      if (!PLACES.has(called)) PLACES.set(called, { load, path: [name, ...path] });
}

/** Loads what exports a function, without instrumentation, and returns how to find the same functions in there; undefined if nothing is known of it. */
export function loadPlain(called: AnyFunction): ((one: AnyFunction) => AnyFunction | undefined) | undefined {
  const { load } = PLACES.get(called) ?? {};
  if (load === undefined) return undefined;
  const module = load();
  return (one) => {
    const place = PLACES.get(one);
    if (place === undefined || place.load !== load) return undefined;
    let found: unknown = module;
    for (const name of place.path) found = (found as Record<string, unknown> | undefined)?.[name];
    return typeof found === 'function' ? (found as AnyFunction) : undefined;
  };
}

/** Names the place of a top-level await. Lines of the compiled text are those of the file. */
function loadSync(load: () => unknown): unknown {
  try {
    return load();
  } catch (error) {
    const { message, stack } = error as Partial<Error>;
    if (!message?.startsWith('await is only valid in')) throw error;
    const [place] = (stack ?? '').split('\n', 1);
    throw new ScenarioError(
      `${place}: a top-level await, for which a synchronous load cannot wait; move it into a function`,
    );
  }
}

const IN_NO_PACKAGE = /^(?!.*\/node_modules\/)/;

/** The code of a rewritten file, and the text of its map if it has one. */
const parts = (file: ReturnType<NonNullable<LoadOptions['rewrite']>>): { code: string; map: string[] } =>
  typeof file === 'string' ? { code: file, map: [] } : { code: file.code, map: [String(file.map)] };

type Compiles = (module: { _compile(code: string, file: string): void }, file: string) => void;

/** While `load` runs, Node compiles named CommonJS files from their instrumented text. */
function withCommonJs<T>(
  isNamed: (file: string) => boolean,
  rewrite: LoadOptions['rewrite'],
  overlay: ReadonlyMap<string, string> | undefined,
  load: () => T,
): T {
  const require = createRequire(import.meta.url);
  const extensions = require.extensions as unknown as Record<string, Compiles>;
  const compile = extensions['.js'];
  for (const file of Object.keys(require.cache)) if (isNamed(file)) delete require.cache[file];
  extensions['.js'] = (module, file) => {
    if (!isNamed(file)) {
      compile(module, file);
      return;
    }
    const text = overlay?.get(file) ?? readFileSync(file, 'utf8');
    const { code, map } = parts(rewrite?.(file, text) ?? text);
    rememberMaps(file, () => map);
    module._compile(code, file);
  };
  try {
    return load();
  } finally {
    extensions['.js'] = compile;
  }
}

export interface InstrumentOptions {
  /** Globs of files to instrument, relative to the root of the project. */
  readonly globs: readonly string[];
}

/** The part of Vite's plugin interface that this plugin implements. */
export interface InstrumentPlugin {
  readonly name: string;
  readonly enforce: 'pre';
  config(): object;
  configResolved(config: { readonly root: string }): void;
  transform(code: string, id: string): { code: string; map: string } | undefined;
}

/**
 * A Vite plugin that instruments the files that match the globs, for explorations in vitest.
 *
 * It runs before all other plugins, so that positions are those of the source files. Packages that a glob reaches into are inlined,
 * because vitest leaves packages to Node otherwise.
 *
 * @example
 * const config = { plugins: [instrument({ globs: ['src/*.ts'] })] };
 */
export function instrument({ globs }: InstrumentOptions): InstrumentPlugin {
  let patterns: readonly RegExp[] = [];
  return {
    name: 'straightedge',
    enforce: 'pre',
    config: () => ({ test: { server: { deps: { inline: packagesIn(globs) } } } }),
    configResolved({ root }) {
      patterns = globs.map((glob) => globPattern(glob, root));
    },
    transform(code, id) {
      const file = id.replace(/[?#].*$/, '');
      if (!/\.[cm]?[jt]sx?$/.test(file) || !patterns.some((pattern) => pattern.test(file))) return undefined;
      const result = rewriteAsCoroutines(file, code, { runtime: packageFile('#runtime') });
      return { code: result.code, map: result.map.toString() };
    },
  };
}
