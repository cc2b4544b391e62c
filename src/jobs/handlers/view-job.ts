/** A history drawn, in the worker: read it, write the page. */
import { writeFileSync } from 'node:fs';
import { htmlHistory } from '../../report/html/page.js';
import type { Message, Viewed, ViewJob } from '../model/job.js';
import { readJob } from './read-job.js';

export async function viewJob(job: ViewJob, post: (message: Message) => void): Promise<Viewed> {
  const history = await readJob(job, undefined, post);
  writeFileSync(job.report, htmlHistory(job.file, history));
  return { kind: 'viewed' };
}
