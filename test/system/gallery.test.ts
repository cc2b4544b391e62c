/**
 * Whole reports as golden files: test/system/gallery/*.txt. `npm run gallery` rewrites them and prints all sentences; read the
 * diff as a user would. It also writes the HTML pages to .gallery/; they are too large to commit.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { check } from '../../src/check/check.js';
import type { CheckedHistory } from '../../src/report/common/report-types.js';
import { htmlReport } from '../../src/report/html/page.js';
import { textReport } from '../../src/report/text/report.js';
import { styleOf } from '../../src/report/text/style.js';
import { PICTURES } from '../support/fixtures/pictures.js';

const REPORTS = PICTURES.map((picture) => {
  const { name, history, spec, algorithm, steps } = picture;
  const verdict = check(history, () => spec, { algorithm, maxSteps: steps });
  const result: CheckedHistory = {
    file: `${name}.jsonl`,
    spec: spec.name,
    history,
    verdict,
    ms: { read: 0, check: 0 },
    specOf: () => spec,
  };
  return { ...picture, result };
});

test.each(REPORTS)(
  '$name looks as it did',
  async ({ name, result, spec, ascii = false, width = 100, witness = false }) => {
    await expect(`${textReport(result, styleOf({ ascii, width }), { witness })}\n`).toMatchFileSnapshot(
      `gallery/${name}.txt`,
    );
    const { GALLERY } = process.env;
    if (GALLERY === undefined) return;
    mkdirSync(GALLERY, { recursive: true });
    writeFileSync(
      join(GALLERY, `${name}.html`),
      htmlReport(result, () => spec),
    );
  },
);

test.each([60, 80, 120])('nothing but the headline is wider than %i columns', (width) => {
  const wide = REPORTS.flatMap(({ name, result }) =>
    textReport(result, styleOf({ width, ascii: true }), { witness: true })
      .split('\n')
      .slice(1)
      .filter((line) => [...line].length > width)
      .map((line) => `${name}: ${line}`),
  );
  expect(wide).toEqual([]);
});
