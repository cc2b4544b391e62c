/**
 * A module of the user's, TypeScript or JavaScript, by its path: its default export.
 *
 * Runs in a worker: a module may do anything, and must not do it to the main thread.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { createJiti } from 'jiti';
import { ownFile } from '../base/index.js';
import { UsageError } from './usage-error.js';

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
  try {
    const module: { default?: unknown } = await createJiti(import.meta.url, {
      alias: { ...OURSELVES },
    }).import(resolve(path));
    return module.default;
  } catch (error) {
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
