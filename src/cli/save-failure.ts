/** Writes a failure to `.straightedge/failure-N.json`, where N is the first that is free. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type Explored, failureText } from '../explore/index.js';

const FOLDER = '.straightedge';

/** Gives its path; undefined where it can not be written down. */
export function saveFailure(scenario: string, explored: Explored): string | undefined {
  const text = failureText(relative(FOLDER, scenario).replaceAll('\\', '/'), explored);
  if (text === undefined) return undefined;
  mkdirSync(FOLDER, { recursive: true });
  for (let n = 1; ; n++) {
    const path = join(FOLDER, `failure-${n}.json`);
    if (existsSync(path)) continue;
    writeFileSync(path, text);
    return path;
  }
}
