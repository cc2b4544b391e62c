/** A stress run whose rounds several threads run, or the workers of a fleet. */
import type { Scenario, Stressed } from '../explore/index.js';
import { codeOf } from './code-of.js';
import { coordinate } from './fleet/coordinator.js';
import { pathFromHere } from './fleet/inside-here.js';
import { Slot } from './fleet/slot.js';
import { StressedRounds } from './fleet/stressed-rounds.js';
import { workHere } from './fleet/work-here.js';
import type { Message, StressJob } from './job.js';

export async function stressTogether(
  scenario: Scenario,
  job: StressJob,
  until: number,
  post: (message: Message) => void,
): Promise<Stressed> {
  const { file, fleet, jobs, limits, stop } = job;
  const interrupted = () => Atomics.load(stop, 0) !== 0;
  const place = fleet ? { file: pathFromHere(file), code: codeOf([file]) } : { file, code: '' };
  const rounds = new StressedRounds(scenario, job, place);
  if (fleet) {
    const onNews = (text: string) => post({ kind: 'news', text });
    await coordinate(fleet.engine, rounds, { resume: fleet.resume, until, interrupted, onNews });
  } else {
    const slots = Array.from({ length: jobs }, () => new Slot(limits.bytes / jobs));
    await workHere(rounds, slots, () => interrupted() || performance.now() >= until);
  }
  return rounds.stressed(interrupted());
}
