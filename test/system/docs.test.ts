/**
 * Every code block of the README, of docs/ and of the pages of papers runs (test/support/processes/pages.ts).
 * `UPDATE=1 npx vitest run test/system/docs.test.ts` writes the output of commands anew.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { copy, describePage, ROOT } from '../support/processes/pages.js';

/** Pages use the files of these examples by their names; and examples/ and papers/ as folders. */
const EXAMPLES = ['02-check-a-history', '03-custom-spec', '05-explore-threads', '06-monitor-a-stream'];

const pagesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`);

function fill(folder: string): void {
  for (const name of EXAMPLES) copy(join(ROOT, 'examples', name), folder);
  for (const name of ['examples', 'papers']) copy(join(ROOT, name), join(folder, name));
}

for (const page of ['README.md', 'CONTRIBUTING.md', ...pagesIn('docs'), ...pagesIn('papers')])
  describePage(page, { fill });
