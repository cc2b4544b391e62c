/**
 * Where a file of this package stands, by its name in package.json: one that it exports
 * (`straightedge/objects`), or one of its `imports` (`#worker`), which other threads begin with.
 *
 * What is built has fewer files than the source, in other places: a path relative to the file that
 * asks would be right in one of them only.
 */
import { createRequire } from 'node:module';

export function ownFile(name: string): string {
  return createRequire(import.meta.url).resolve(name);
}
