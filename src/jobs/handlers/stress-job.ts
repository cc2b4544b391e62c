/** A stress run, in the worker: load, run rounds, check them, save and draw what is wrong. */

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Scenario } from '../../explore/scenario/scenario.js';
import { writeJsonLines } from '../../formats/json-lines/writer.js';
import { htmlStress } from '../../report/html/page.js';
import { stressDocument, stressText } from '../../report/text/stress.js';
import { styleOf } from '../../report/text/style.js';
import { type StressResult, stressWith } from '../../stress/stress.js';
import { loadPlainScenario } from '../load/load-scenario.js';
import { codeOf, pathFromHere } from '../model/code-mismatch.js';
import type { ExploreReply, Message, StressJob } from '../model/job.js';
import { Slot, workHere } from '../pool/slot.js';
import { threadRounds } from '../pool/thread-rounds.js';
import { coordinate } from '../redis/coordinator.js';
import { StressedRounds } from '../redis/stressed-rounds.js';

/* A stress run whose rounds several threads run, or the workers of a fleet. */

async function stressTogether(
  scenario: Scenario,
  job: StressJob,
  until: number,
  post: (message: Message) => void,
): Promise<StressResult> {
  const { file, redis, jobs, limits, stop } = job;
  const interrupted = () => Atomics.load(stop, 0) !== 0;
  const place = redis ? { file: pathFromHere(file), code: codeOf([file]) } : { file, code: '' };
  const rounds = new StressedRounds(scenario, job, place);
  if (redis) {
    const onNews = (text: string) => post({ kind: 'news', text });
    await coordinate(redis.url, rounds, { resume: redis.resume, until, interrupted, onNews });
  } else {
    const slots = Array.from({ length: jobs }, () => new Slot(limits.maxMemory / jobs));
    await workHere(rounds, slots, () => interrupted() || performance.now() >= until);
  }
  return rounds.stressed(interrupted());
}

const FOLDER = '.straightedge';
const PROGRESS_EVERY = 100;

export async function stressJob(job: StressJob, post: (message: Message) => void): Promise<ExploreReply> {
  const until = performance.now() + job.limits.timeout;
  post({ kind: 'progress', text: `loading ${job.file}` });
  const scenario: Scenario = await loadPlainScenario(job.file);
  const stressed = await (job.redis || job.jobs > 1
    ? stressTogether(scenario, job, until, post)
    : stressAlone(scenario, job, until, post));
  const saved = stressed.failure && save([...writeJsonLines(stressed.failure.history)].join(''));
  const report = { file: job.file, scenario, stressed, saved };
  const answer: ExploreReply = {
    kind: 'explored',
    verdict: stressed.verdict,
    reason: stressed.reason,
    ...(job.json ? { document: stressDocument(report) } : { text: stressText(report, styleOf(job.style)) }),
  };
  if (job.html === undefined) return answer;
  post({ kind: 'known', answer });
  writeFileSync(job.html, htmlStress(report));
  return { ...answer, isWritten: true };
}

function stressAlone(
  scenario: Scenario,
  { file, options, stop }: StressJob,
  until: number,
  post: (message: Message) => void,
): Promise<StressResult> {
  let last = 0;
  const onProgress = (rounds: number, operations: number) => {
    if (performance.now() - last < PROGRESS_EVERY) return;
    last = performance.now();
    post({ kind: 'progress', text: `stress: ${rounds} rounds, ${operations} operations` });
  };
  const timeout = until - performance.now();
  const shouldStop = () => Atomics.load(stop, 0) !== 0;
  const rounds = threadRounds(scenario, file);
  return stressWith(scenario, { ...options, timeout, shouldStop, onProgress }, rounds);
}

function save(text: string): string {
  mkdirSync(FOLDER, { recursive: true });
  for (let n = 1; ; n++) {
    const path = join(FOLDER, `stress-${n}.jsonl`);
    if (existsSync(path)) continue;
    writeFileSync(path, text);
    return path;
  }
}
