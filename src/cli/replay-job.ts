/** A replay, in the worker: read the failure, load its scenario, run it again. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isToken, parseFailure, parseToken, replayFailure, trace } from '../explore/index.js';
import { replayDocument, replayText, styleOf } from '../report/index.js';
import { EXIT } from './exit-code.js';
import type { ExploredAnswer, ReplayJob } from './job.js';
import { loadScenario } from './load-scenario.js';
import { sources } from './sources.js';
import { UsageError } from './usage-error.js';

export async function replayJob({ file, scenario: path, json, style }: ReplayJob): Promise<ExploredAnswer> {
  const failure = isToken(file) ? parseToken(file) : parseFailure(readFileSync(file, 'utf8'));
  const found = 'scenario' in failure ? join(dirname(file), failure.scenario) : path;
  if (found === undefined)
    throw new UsageError('a token does not say of which scenario it is; add --scenario <path>');
  const scenario = await loadScenario(found);
  const replayed = replayFailure(scenario, failure);
  const again = replayed.kind === 'diverged' ? undefined : trace(replayed.explored.program, failure.schedule);
  const report = { file, scenario, replayed, trace: again, sourceOf: sources() };
  return {
    kind: 'explored',
    code: { reproduced: EXIT.violation, passes: EXIT.holds, diverged: EXIT.undecided }[replayed.kind],
    ...(json ? { document: replayDocument(report) } : { text: replayText(report, styleOf(style)) }),
  };
}
