/**
 * Every code block of the README, of docs/ and of the pages of papers runs (test/support/processes/pages.ts).
 * `UPDATE=1 npx vitest run test/system/docs.test.ts` writes the output of commands anew.
 */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { copy, describePage, ROOT } from '../support/processes/pages.js';

/** Pages use the files of these examples by their names. */
const EXAMPLES = ['02-check-a-history', '03-custom-spec', '05-explore-threads', '06-monitor-a-stream'];

const pagesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`);

/** What pages use, without files that git ignores; git lists them once for all pages. */
const used = mkdtempSync(join(tmpdir(), 'straightedge-docs-'));
const FOLDERS = ['examples', 'papers'];
beforeAll(() => {
  for (const name of FOLDERS) copy(join(ROOT, name), join(used, name));
});
afterAll(() => rmSync(used, { recursive: true }));

/** The files of the examples by their names; and the folders that the page names. */
const filling =
  (page: string) =>
  (folder: string): void => {
    const text = readFileSync(join(ROOT, page), 'utf8');
    for (const name of EXAMPLES) cpSync(join(used, 'examples', name), folder, { recursive: true });
    for (const name of FOLDERS.filter((one) => text.includes(`${one}/`)))
      cpSync(join(used, name), join(folder, name), { recursive: true });
  };

/** Their programs need published packages: the survey runs them. */
const isDefect = (page: string): boolean => page.startsWith('papers/npm-packages/defects/');

for (const page of ['README.md', 'CONTRIBUTING.md', ...pagesIn('docs'), ...pagesIn('papers')])
  if (!isDefect(page)) describePage(page, { fill: filling(page) });
