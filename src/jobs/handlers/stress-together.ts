/** A stress run whose rounds several threads run, or the workers of a fleet. */
import type { Scenario } from '../../explore/scenario/scenario.js';
import type { Stressed } from '../../stress/stress.js';
import { codeOf } from '../model/code-hash.js';
import { pathFromHere } from '../model/contained-path.js';
import type { Message, StressJob } from '../model/job.js';
import { workHere } from '../pool/run-on-threads.js';
import { Slot } from '../pool/slot.js';
import { coordinate } from '../redis/coordinator.js';
import { StressedRounds } from '../redis/stressed-rounds.js';

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
