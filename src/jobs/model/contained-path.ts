/**
 * The files that a task or a failure file may name: those below the working folder, without packages.
 *
 * Tasks and failure files name modules to load, and both may come from elsewhere. So a path is followed to its real file,
 * through all symbolic links, before anything is read.
 */
import { realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import { UsageError } from '../../config/usage-error.js';

const PACKAGES = /(^|\/)node_modules(\/|$)/i;
/** A URL, or a path with encoded dots or slashes, which another reader may decode. */
const ENCODED = /^[a-z][a-z+.-]+:|%(2e|2f|5c|00)|\0/i;

/** Why a module must not be loaded for someone else; undefined if it may. A missing file may: loading reports it. */
export function refusalOf(path: string): string | undefined {
  if (ENCODED.test(path)) return 'is not a plain path';
  const inside = relativeTo(resolve('.'), resolve(path));
  if (inside === undefined) return 'is outside of this folder';
  if (PACKAGES.test(inside)) return 'is in node_modules';
  const real = realPath(path);
  const realInside = real === undefined ? inside : relativeTo(realpathSync('.'), real);
  if (realInside === undefined) return 'leads out of this folder by a symbolic link';
  return PACKAGES.test(realInside) ? 'leads into node_modules by a symbolic link' : undefined;
}

/** The same for paths in tasks, which are relative, so that they mean the same on every machine. */
export const taskRefusalOf = (path: string): string | undefined =>
  isAbsolute(path) ? 'is outside of this folder' : refusalOf(path);

/** The path relative to this folder, with slashes, for a task. */
export function pathFromHere(path: string): string {
  const inside = relativeTo(resolve('.'), resolve(path));
  const refusal = refusalOf(path);
  if (inside !== undefined && refusal === undefined) return inside;
  throw new UsageError(
    `${path} ${refusal}; Redis workers use only files below it, without node_modules. Start coordinator and workers in a parent folder`,
  );
}

/** With slashes; undefined if the path leads out of the folder. */
function relativeTo(folder: string, path: string): string | undefined {
  const inside = relative(folder, path).replaceAll('\\', '/');
  return isAbsolute(inside) || inside === '..' || inside.startsWith('../') ? undefined : inside;
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}
