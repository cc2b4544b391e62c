/** Writes a failure to `.straightedge/failure-N.json`, where N is the first that is free or has it already; and as a token. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { failureOf, failureText } from '../../explore/failure/failure.js';
import { tokenOf } from '../../explore/failure/token.js';
import type { Explored } from '../../explore/result.js';

const FOLDER = '.straightedge';

export interface Saved {
  readonly path: string;
  readonly token: string;
}

/** Undefined where it can not be written down. */
export function saveFailure(scenario: string, explored: Explored): Saved | undefined {
  const failure = failureOf(relative(FOLDER, scenario).replaceAll('\\', '/'), explored);
  const text = failure && failureText(failure);
  if (failure === undefined || text === undefined) return undefined;
  mkdirSync(FOLDER, { recursive: true });
  for (let n = 1; ; n++) {
    const path = join(FOLDER, `failure-${n}.json`);
    if (!existsSync(path)) writeFileSync(path, text);
    else if (readFileSync(path, 'utf8') !== text) continue;
    return { path, token: tokenOf(failure) };
  }
}
