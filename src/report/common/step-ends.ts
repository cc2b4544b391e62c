/**
 * After which step of an execution each call has ended.
 *
 * An asynchronous call may end in a later step than its own last one: two calls that start in one synchronous turn both
 * start before the microtasks run that end them.
 */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Trace } from '../../explore/model/trace-types.js';
import { runtime } from '../../instrument/runtime/runtime.js';
import type { SourceOf } from './report-types.js';

/** Source lines of steps, read on demand. */

export function sources(): SourceOf {
  const lines = new Map<string, readonly string[]>();
  return (site) => {
    const place = runtime.sites.placeOf(site);
    if (place.line === 0) return undefined;
    if (!lines.has(place.file)) lines.set(place.file, readFileSync(place.file, 'utf8').split('\n'));
    const own = lines.get(place.file) ?? [];
    const text = own[place.line - 1] ?? '';
    const name = runtime.sites.names[site] ?? '';
    return { place: { ...place, file: relative(process.cwd(), place.file) }, text, name, lines: own };
  };
}

/** Per step, the operations that end after it, in order. An operation that never ends is listed after its last step. */
export function endsOfSteps({ steps, history, idOf, endOf }: Trace): number[][] {
  const position = history.positionsById();
  const returned = (operation: number) => history.columns.return[position[idOf[operation]]];
  const last = new Map(steps.map(({ operation }, i) => [operation, i]));
  const ends: number[][] = steps.map(() => []);
  for (const [operation, own] of last) ends[endOf[operation] ?? own].push(operation);
  // two operations that never end have no order: Infinity - Infinity is NaN
  for (const own of ends) own.sort((a, b) => returned(a) - returned(b) || 0);
  return ends;
}
