/** A history drawn, in the worker: read it, write the page. */
import { writeFileSync } from 'node:fs';
import { htmlHistory } from '../report/index.js';
import type { Message, Viewed, ViewJob } from './job.js';
import { readJob } from './read-job.js';

export async function viewJob(job: ViewJob, post: (message: Message) => void): Promise<Viewed> {
  const history = await readJob(job, undefined, post);
  writeFileSync(job.report, htmlHistory(job.file, history));
  return { kind: 'viewed' };
}
