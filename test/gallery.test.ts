/**
 * Whole reports as files: test/gallery/*.txt. `npx vitest run test/gallery.test.ts -u`
 * writes them anew; look at the diff as a reader would.
 */
import { expect, test } from 'vitest';
import { check } from '../src/index.js';
import { styleOf, textReport } from '../src/report/index.js';
import { PICTURES } from './support/pictures.js';

test.each(PICTURES)(
  '$name looks as it did',
  async ({ name, algorithm, history, spec, ascii = false, width = 100, steps, witness = false }) => {
    const verdict = check(history, () => spec, { algorithm, steps });
    const result = { file: `${name}.jsonl`, spec: spec.name, history, verdict, ms: { read: 0, check: 0 } };
    await expect(`${textReport(result, styleOf({ ascii, width }), { witness })}\n`).toMatchFileSnapshot(
      `gallery/${name}.txt`,
    );
  },
);
