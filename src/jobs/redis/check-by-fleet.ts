/** Several histories checked by the workers of a fleet: what each ends in, in the order of the files. Fewer where it was interrupted. */
import { printable } from '../../base/values/show.js';
import { UsageError } from '../../config/usage-error.js';
import { abandonedResult, type CommandResult, toCommandResult } from '../model/command-result.js';
import type { CheckJob, RedisOptions } from '../model/job.js';
import type { CheckTask, Outcome } from '../model/task.js';
import { checkTaskOf } from './check-task.js';
import { coordinate } from './coordinator.js';

export async function checkByFleet(
  jobs: readonly CheckJob[],
  { url, resume }: RedisOptions,
  interrupted: () => boolean,
  onNews: (text: string) => void,
): Promise<CommandResult[]> {
  const known = jobs.map(taskOrEnding);
  const endings = new Map<CheckTask | CommandResult, CommandResult>();
  for (const one of known) if (!isTask(one)) endings.set(one, one);
  const coming = known.filter(isTask).values();
  await coordinate(
    url,
    {
      next: (): CheckTask | undefined => coming.next().value,
      take: (outcome) => endings.set(outcome.task, endingOfTask(jobs[known.indexOf(outcome.task)], outcome)),
    },
    { resume, until: Number.POSITIVE_INFINITY, interrupted, onNews },
  );
  return known.flatMap((one) => endings.get(one) ?? []);
}

const isTask = (one: CheckTask | CommandResult): one is CheckTask => 'kind' in one;

/** What can not be read here ends here. */
function taskOrEnding(job: CheckJob): CheckTask | CommandResult {
  if (job.file === '-') throw new UsageError('standard input can not be sent to a fleet; name a file');
  try {
    return checkTaskOf(job);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return toCommandResult(job, {
      kind: 'refused',
      message: code === 'ENOENT' ? 'no such file' : printable(message),
    });
  }
}

function endingOfTask(job: CheckJob, outcome: Outcome<CheckTask>): CommandResult {
  if ('setAside' in outcome) return abandonedResult(job, outcome.setAside);
  return outcome.answer.kind === 'done' ? outcome.answer.result : toCommandResult(job, outcome.answer);
}
