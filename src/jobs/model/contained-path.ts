/**
 * What a task names has to stand in the folder that a worker was started in: whoever can write to Redis has no say beyond
 * it. So the coordinator names nothing else.
 */
import { isAbsolute, relative, resolve } from 'node:path';
import { UsageError } from '../../config/usage-error.js';

/** The way from here, in the manner of all systems; undefined where that leaves the folder. */
function wayTo(path: string): string | undefined {
  const way = relative('.', resolve(path)).replaceAll('\\', '/');
  return isAbsolute(way) || way === '..' || way.startsWith('../') ? undefined : way;
}

export const isInsideHere = (path: string): boolean => !isAbsolute(path) && wayTo(path) !== undefined;

export function pathFromHere(path: string): string {
  const way = wayTo(path);
  if (way !== undefined) return way;
  throw new UsageError(
    `${path} is outside of this folder; a fleet works on what is in it. Start coordinator and workers further up`,
  );
}
