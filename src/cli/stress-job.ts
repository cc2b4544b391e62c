/** A stress run, in the worker: load, run rounds, check them, save and draw what is wrong. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { ownFile } from '../base/index.js';
import { type Scenario, stress, ThreadRounds } from '../explore/index.js';
import { writeJsonLines } from '../formats/index.js';
import { stressDocument, stressText, styleOf } from '../report/index.js';
import { EXIT } from './exit-code.js';
import type { ExploredAnswer, Message, StressJob } from './job.js';
import { loadPlainScenario } from './load-scenario.js';

const FOLDER = '.straightedge';
const PROGRESS_EVERY = 100;

export async function stressJob(job: StressJob, post: (message: Message) => void): Promise<ExploredAnswer> {
  post({ kind: 'progress', text: `loading ${job.file}` });
  const scenario: Scenario = await loadPlainScenario(job.file);
  const threads = () => new Worker(ownFile('#stress-client'), { workerData: { file: job.file } });
  let last = 0;
  const stressed = await stress(
    scenario,
    {
      ...job.options,
      milliseconds: job.limits.milliseconds,
      interrupted: () => Atomics.load(job.stop, 0) !== 0,
      onProgress: (rounds, operations) => {
        if (performance.now() - last < PROGRESS_EVERY) return;
        last = performance.now();
        post({ kind: 'progress', text: `stress: ${rounds} rounds, ${operations} operations` });
      },
    },
    scenario.attach && ((still) => new ThreadRounds(threads, still)),
  );
  const saved = stressed.failure && save([...writeJsonLines(stressed.failure.history)].join(''));
  const report = { file: job.file, scenario, stressed, saved };
  const undecided = stressed.because === 'interrupted' ? EXIT.interrupted : EXIT.undecided;
  return {
    kind: 'explored',
    code: { holds: EXIT.holds, violation: EXIT.violation, undecided }[stressed.verdict],
    ...(job.json ? { document: stressDocument(report) } : { text: stressText(report, styleOf(job.style)) }),
  };
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
