/**
 * A module of the user's, TypeScript or JavaScript, by its path: its default export.
 *
 * Runs in a worker: a module may do anything, and must not do it to the main thread.
 */
import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { createJiti } from 'jiti';
import { ownFile } from '../base/package-file.js';
import { expectFile, UsageError } from './usage-error.js';

/** A module imports `straightedge` from wherever it stands, and gets the one that runs. */
export const OURSELVES: Readonly<Record<string, string>> = Object.fromEntries(
  ['/objects', '/explore', '/formats', '/report', ''].map((entry) => [
    `straightedge${entry}`,
    ownFile(`straightedge${entry}`),
  ]),
);

/** `what` it should be, for messages. */
export async function loadModule(path: string, what: string): Promise<unknown> {
  if (!existsSync(resolve(path))) throw new UsageError(`no ${what} at ${path}`);
  expectFile(path);
  try {
    const module: { default?: unknown } = await createJiti(import.meta.url, {
      alias: { ...OURSELVES },
    }).import(resolve(path));
    return module.default;
  } catch (error) {
    const missing = missingImport(error);
    if (missing !== undefined) throw new UsageError(`${path} can not be loaded: ${missing}`);
    // the second line of a syntax error says where
    const why = (error instanceof Error ? error.message : String(error))
      .split('\n')
      .slice(0, 2)
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .join(' ');
    throw new UsageError(`${path} can not be loaded: ${why}`);
  }
}

/** Which file imports what is not there. */
function missingImport(error: unknown): string | undefined {
  const { message, requireStack } = error as { message?: string; requireStack?: readonly string[] };
  const [, imported] = /^Cannot find module '(.+)'/.exec(message ?? '') ?? [];
  const importer = requireStack?.[0];
  if (imported === undefined || importer === undefined) return undefined;
  const isFile = /^[./]/.test(imported);
  return `${relative('.', importer)} imports '${imported}', ${isFile ? 'and there is no such file' : 'a package that is not installed'}`;
}
