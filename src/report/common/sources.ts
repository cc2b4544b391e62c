/** The lines of source that steps stand on, read when they are asked for. */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { runtime } from '../../instrument/runtime/runtime.js';
import type { SourceOf } from './report-types.js';

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
