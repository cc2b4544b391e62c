/**
 * Loads a TypeScript or JavaScript module of the user.
 *
 * Specs and scenarios are loaded in a worker, because user code may block or end its thread.
 */
import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createJiti } from 'jiti';
import { packageFile } from '../base/package-file.js';
import { expectWholeFile, UsageError } from './usage-error.js';

/** The entry points of this package: a user module that imports `straightedge` gets the running copy. */
const OURSELVES: Readonly<Record<string, string>> = Object.fromEntries(
  ['/objects', '/explore', '/formats', '/report', ''].map((entry) => [
    `straightedge${entry}`,
    packageFile(`straightedge${entry}`),
  ]),
);

/** The modules of this package that a scenario imports: the same instances that explore it. */
export async function ourselves(): Promise<Record<string, unknown>> {
  const modules: Record<string, unknown> = {};
  for (const [specifier, path] of Object.entries(OURSELVES))
    modules[specifier] = await import(pathToFileURL(path).href);
  return modules;
}

/** Returns the default export. `what` names the kind of module in messages. */
export async function loadModule(path: string, what: string): Promise<unknown> {
  if (!existsSync(resolve(path))) throw new UsageError(`${path}: no such file; expected a ${what}`);
  expectWholeFile(path);
  try {
    // jiti reads these characters in a path as parts of a URL, and would load another copy of this package
    const isOdd = /[#%?]/.test(OURSELVES.straightedge);
    const options = isOdd ? { virtualModules: await ourselves() } : { alias: { ...OURSELVES } };
    const module: { default?: unknown } = await createJiti(import.meta.url, options).import(resolve(path));
    return module.default;
  } catch (error) {
    const missing = missingImport(error);
    if (missing !== undefined) throw new UsageError(`cannot load ${path}: ${missing}`);
    // the second line of a syntax error is its position
    const reason = (error instanceof Error ? error.message : String(error))
      .split('\n')
      .slice(0, 2)
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .join(' ');
    throw new UsageError(`cannot load ${path}: ${reason}`);
  }
}

/** Names the file and its missing import. */
function missingImport(error: unknown): string | undefined {
  const { message, requireStack } = error as { message?: string; requireStack?: readonly string[] };
  const [, imported] = /^Cannot find module '(.+)'/.exec(message ?? '') ?? [];
  const importer = requireStack?.[0];
  if (imported === undefined || importer === undefined) return undefined;
  const isFile = /^[./]/.test(imported);
  return `${relative('.', importer)} imports '${imported}', ${isFile ? 'which does not exist' : 'a package that is not installed'}`;
}
