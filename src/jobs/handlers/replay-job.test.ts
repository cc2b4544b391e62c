/** Which files and tokens `replay` refuses. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { tokenOf } from '../../explore/failure/failure.js';
import type { ReplayJob } from '../model/job.js';
import { replayJob } from './replay-job.js';

const ROOT = mkdtempSync(join(tmpdir(), 'replay-'));
afterAll(() => rmSync(ROOT, { recursive: true, force: true }));

const failure = {
  version: 1,
  scenario: '',
  matrix: { threads: [], before: [], after: [] },
  body: 'two orders',
  schedule: [0],
  steps: [],
} as const;
const saved = join(ROOT, 'failure-1.json');
writeFileSync(saved, JSON.stringify(failure));

const replay = (job: Pick<ReplayJob, 'file' | 'scenario'>) => replayJob(job as ReplayJob, () => undefined);

test.each([
  ['a file', saved, undefined],
  ['a file with a scenario', saved, 'queue.scenario.ts'],
  ['a token', tokenOf(failure), undefined],
])('%s of an everySchedule test names the test, which is to be run again', async (_, file, scenario) => {
  await expect(replay({ file, scenario })).rejects.toThrow(
    'a failure of the everySchedule test two orders, not of a scenario; run that test again',
  );
});

test('a token of a scenario asks for it', async () => {
  const file = tokenOf({ ...failure, body: undefined });
  await expect(replay({ file, scenario: undefined })).rejects.toThrow(
    'a token does not name its scenario; add --scenario <path>',
  );
});
