/**
 * Loads a TypeScript or JavaScript module of the user.
 *
 * Specs and scenarios are loaded in a worker, because user code may block or end its thread. A configuration is loaded
 * synchronously: a test runner that requires modules cannot wait for it.
 */

import { createRequire } from 'node:module';
import { join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Jiti, JitiOptions } from 'jiti';
import { thrownText } from '../base/errors.js';
import { packageFile } from '../base/package-file.js';
import { nearestAbove } from '../base/system-files.js';
import { compileForLoader, compilerKey } from '../instrument/compile.js';
import { expectExisting, UsageError } from './usage-error.js';

/** The entry points of this package: a user module that imports `straightedge` gets the running copy. */
const entryPoints = (): Record<string, string> =>
  Object.fromEntries(
    ['/objects', '/explore', '/kits', '/formats', '/report', ''].map((entry) => [
      `straightedge${entry}`,
      packageFile(`straightedge${entry}`),
    ]),
  );

/** The modules of this package that a scenario imports: the same instances that explore it. */
export async function ourselves(): Promise<Record<string, unknown>> {
  const modules: Record<string, unknown> = {};
  for (const [specifier, path] of Object.entries(entryPoints()))
    modules[specifier] = await import(pathToFileURL(path).href);
  return modules;
}

/**
 * Loads a module; returns its default export. `what` names the kind of module in messages. `modules`: what it may import
 * from this package besides.
 */
export async function loadModule(
  path: string,
  what: string,
  modules?: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  expectModule(path, what);
  try {
    const alias = entryPoints();
    // jiti reads these characters in a path as parts of a URL, and would load another copy of this package
    const isOdd = /[#%?]/.test(alias.straightedge);
    const options = isOdd || modules ? { virtualModules: { ...(await ourselves()), ...modules } } : { alias };
    const module: { default?: unknown } = await jiti(path, options).import(resolve(path));
    return module.default;
  } catch (error) {
    throw loadError(path, error);
  }
}

/** The same for a module without top-level await. `modules`: those that it may import from this package. */
export function loadModuleSync(
  path: string,
  what: string,
  modules: Readonly<Record<string, unknown>>,
): unknown {
  expectModule(path, what);
  try {
    return (jiti(path, { virtualModules: { ...modules } })(resolve(path)) as { default?: unknown }).default;
  } catch (error) {
    throw loadError(path, error);
  }
}

/** Loaded with the first module, because it takes long. */
function jiti(path: string, options: JitiOptions): Jiti {
  const { createJiti } = createRequire(import.meta.url)('jiti') as typeof import('jiti');
  const file = resolve(path);
  const tsconfigPaths = nearestAbove(file, 'tsconfig.json') ?? false;
  // what is kept between runs depends on the compiler of the project
  const modules = nearestAbove(file, 'node_modules');
  const fsCache = modules !== undefined && join(modules, '.cache', `straightedge-${compilerKey(file)}`);
  const all = { ...options, fsCache, jsx: true, tsconfigPaths };
  const plain = createJiti(import.meta.url, { ...all, fsCache: false });
  return createJiti(import.meta.url, {
    ...all,
    transform: (compiled) => {
      const { filename, source } = compiled;
      const text = filename === undefined ? source : compileForLoader(filename, source);
      return { code: plain.transform({ ...compiled, source: text }) };
    },
  });
}

function expectModule(path: string, what: string): void {
  expectExisting(path, what);
}

function loadError(path: string, error: unknown): UsageError {
  const missing = missingImport(error);
  if (missing !== undefined) return new UsageError(`cannot load ${path}: ${missing}`);
  const message = thrownText(error);
  if (message.startsWith('await is only valid in'))
    return new UsageError(`cannot load ${path}: it has a top-level await, and a configuration cannot wait`);
  // the second line of a syntax error is its position
  const reason = message
    .split('\n')
    .slice(0, 2)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');
  return new UsageError(`cannot load ${path}: ${reason}`);
}

/** Names the file and its missing import. */
function missingImport(error: unknown): string | undefined {
  const { message, requireStack } = error as { message?: string; requireStack?: readonly string[] };
  const [, imported] = /^Cannot find module '(.+)'/.exec(message ?? '') ?? [];
  const importer = requireStack?.[0];
  if (imported === undefined || importer === undefined) return undefined;
  return `${relative('.', importer)} imports '${imported}', ${whyMissing(imported)}`;
}

function whyMissing(imported: string): string {
  if (/^[./]/.test(imported)) return 'which does not exist';
  // no package has such a name
  return /^(?:[~#$]|@\/)/.test(imported)
    ? 'an alias that `paths` of the nearest tsconfig.json does not resolve'
    : 'a package that is not installed';
}
