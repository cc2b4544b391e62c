/** An exploration, in the worker: load, explore, write the report. */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { explore, type Place, runtime, trace } from '../explore/index.js';
import { explorationText, styleOf } from '../report/index.js';
import type { Explored, ExploreJob } from './job.js';
import { loadScenario } from './load-scenario.js';

const PROGRESS_EVERY = 100;

export async function exploreJob(job: ExploreJob, tell: (text: string) => void): Promise<Explored> {
  const begin = performance.now();
  tell(`loading ${job.file}`);
  const scenario = await loadScenario(job.file);
  let last = 0;
  const exploration = explore(scenario, {
    ...job.options,
    milliseconds: job.limits.milliseconds - (performance.now() - begin),
    interrupted: () => Atomics.load(job.stop, 0) !== 0,
    onProgress: (done, of) => {
      const now = performance.now();
      if (now - last < PROGRESS_EVERY) return;
      last = now;
      tell(`exploring: ${done} of ${of} tests, ${Math.round((now - begin) / 1_000)} s`);
    },
  });
  const explored = exploration.explored.at(-1);
  const violation = explored?.violation;
  const failure =
    explored && violation
      ? {
          explored,
          trace:
            violation.kind === 'nondeterminism' ? undefined : trace(explored.program, violation.schedule),
        }
      : undefined;
  return {
    kind: 'explored',
    verdict: exploration.verdict,
    isInterrupted: exploration.because === 'interrupted',
    text: explorationText(
      { file: job.file, exploration, failure, sourceOf: sourceOf(new Map()) },
      styleOf(job.style),
    ),
  };
}

/** The lines of source that steps stand on. */
function sourceOf(lines: Map<string, readonly string[]>) {
  return (site: number): { place: Place; text: string } | undefined => {
    const place = runtime.sites.placeOf(site);
    if (place.line === 0) return undefined;
    if (!lines.has(place.file)) lines.set(place.file, readFileSync(place.file, 'utf8').split('\n'));
    const text = lines.get(place.file)?.[place.line - 1] ?? '';
    return { place: { ...place, file: relative(process.cwd(), place.file) }, text };
  };
}
