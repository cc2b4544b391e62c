/**
 * All results of threads over a plain model, without any code of the explorer: a call is a generator over the model that
 * yields before each of its accesses, and every interleaving of these accesses is run.
 */
import { Outcomes } from '../../../src/execution/outcomes.js';
import type { ProgramResult } from './brute-force.js';

export type ModelCall<M> = (model: M) => Generator<void, unknown>;

export function interleavings<M>(
  create: () => M,
  threads: readonly (readonly ModelCall<M>[])[],
): readonly ProgramResult[] {
  const calls = threads.flatMap((list, thread) => list.map((call) => ({ thread, call })));
  const firstOf = threads.map((_, thread) => calls.findIndex((call) => call.thread === thread));
  const results = new Map<string, ProgramResult>();
  /** Runs a schedule; gives the threads that can continue after it. */
  const run = (schedule: readonly number[]): number[] => {
    const model = create();
    const outcomes = new Outcomes();
    const texts = calls.map(() => '');
    const after = calls.map(() => 0);
    let returned = 0;
    const next = [...firstOf];
    const running: (Generator<void, unknown> | undefined)[] = threads.map(() => undefined);
    const has = (thread: number) => calls[next[thread]]?.thread === thread;
    for (const thread of schedule) {
      const k = next[thread];
      let outcome = -1;
      try {
        let started = running[thread];
        let isDone = false;
        let value: unknown;
        if (started === undefined) {
          after[k] = returned;
          started = calls[k].call(model);
          running[thread] = started;
          const begun = started.next();
          isDone = begun.done === true;
          value = begun.value;
        }
        if (!isDone) {
          const stepped = started.next();
          isDone = stepped.done === true;
          value = stepped.value;
        }
        if (isDone) outcome = outcomes.returned(value);
      } catch (error) {
        outcome = outcomes.threw(error);
      }
      if (outcome < 0) continue;
      texts[k] = JSON.stringify(outcomes.at(outcome));
      returned |= 1 << k;
      running[thread] = undefined;
      next[thread]++;
    }
    const open = threads.map((_, thread) => thread).filter(has);
    if (open.length === 0) {
      const result = { outcomes: texts, pending: 0, after };
      results.set(JSON.stringify(result), result);
    }
    return open;
  };
  const explore = (schedule: readonly number[]): void => {
    for (const thread of run(schedule)) explore([...schedule, thread]);
  };
  explore([]);
  return [...results.values()];
}
