/**
 * The path of a file of this package by its name in package.json: an export
 * (`straightedge/objects`) or an import (`#worker`), which is the entry of a thread.
 *
 * The build bundles the source into fewer files, so a relative path would be correct in only one of
 * the two layouts.
 */
import { createRequire } from 'node:module';

export function packageFile(name: string): string {
  return createRequire(import.meta.url).resolve(name);
}
