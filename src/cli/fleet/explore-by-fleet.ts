/** An exploration whose tests the workers of a fleet explore. */
import { resolve } from 'node:path';
import {
  type Exploration,
  exploreSpread,
  type RangeAnswer,
  type RangeResult,
  type RunRanges,
  type Scenario,
  ScenarioError,
  type SpreadOptions,
  type TestRange,
} from '../../explore/index.js';
import type { ExploreJob, FleetFlags, Message } from '../job.js';
import { Coordinator } from './coordinator.js';
import { pathFromHere } from './inside-here.js';
import { type ExploreTask, runOf } from './task.js';

/** A worker may be silent for this share of the time that there is, within limits. */
const SILENT = 0.1;
const SILENCE = { least: 1_000, most: 30_000 } as const;

export async function exploreByFleet(
  job: ExploreJob,
  { engine, resume, keepGoing }: FleetFlags,
  { scenario, code }: { readonly scenario: Scenario; readonly code: string },
  watched: Pick<SpreadOptions, 'onProgress'> & {
    readonly milliseconds: number;
    readonly interrupted: () => boolean;
  },
  post: (message: Message) => void,
): Promise<Exploration> {
  const { milliseconds, interrupted, onProgress } = watched;
  const { seed = 1, ...others } = job.options;
  const options = { ...others, seed };
  const coordinator = await Coordinator.open(engine, {
    resume,
    until: performance.now() + milliseconds,
    interrupted,
    onNews: (text) => post({ kind: 'news', text }),
  });
  const file = pathFromHere(job.file);
  const silence = Math.min(SILENCE.most, Math.max(SILENCE.least, SILENT * job.limits.milliseconds));
  const common = {
    kind: 'explore',
    run: runOf('explore', file, code, options),
    file,
    code,
    options,
    silence,
  } as const;
  const run: RunRanges = async function* (ranges) {
    for await (const outcome of coordinator.run(tasksOf(common, ranges))) {
      const { range } = outcome.task;
      if ('setAside' in outcome) yield { ...range, setAside: outcome.setAside };
      else if (outcome.answer.kind === 'refused') throw new ScenarioError(outcome.answer.message);
      else yield { ...range, ...here(outcome.answer.result) } satisfies RangeAnswer;
    }
  };
  try {
    return await exploreSpread(
      scenario,
      { ...options, keepGoing, interrupted, ...(onProgress && { onProgress }) },
      run,
    );
  } finally {
    await coordinator.close();
  }
}

function* tasksOf(
  common: Omit<ExploreTask, 'name' | 'range'>,
  ranges: Iterable<TestRange>,
): Generator<ExploreTask> {
  for (const range of ranges) yield { ...common, name: `${range.batch}-${range.from}-${range.to}`, range };
}

/** Paths as they are here. */
function here(result: RangeResult): RangeResult {
  const moved = (list: RangeResult['atomic']) =>
    list.map((called) => ({ ...called, file: resolve(called.file) }));
  return { ...result, atomic: moved(result.atomic), controlled: moved(result.controlled) };
}
