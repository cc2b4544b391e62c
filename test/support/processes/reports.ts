/** Writes HTML reports of checks to files, for browsers. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Algorithm } from '../../../src/check/algorithms.js';
import { check } from '../../../src/check/check.js';
import type { History } from '../../../src/history/history.js';
import { htmlReport } from '../../../src/report/html/page.js';
import type { AnySpec } from '../../../src/spec/rendezvous/sync-spec.js';

export const folder: string = mkdtempSync(join(tmpdir(), 'straightedge-pages-'));

/** Checks a history and writes the page; returns its path. */
export function reportOf(
  name: string,
  history: History,
  spec: AnySpec,
  algorithm: Algorithm = 'auto',
  steps?: number,
): string {
  const verdict = check(history, () => spec, { algorithm, maxSteps: steps });
  const result = { file: name, spec: spec.name, history, verdict, ms: { read: 0, check: 0 } };
  const path = join(folder, `${name.replace(/\W/g, '-')}.html`);
  writeFileSync(
    path,
    htmlReport(result, () => spec),
  );
  return path;
}
