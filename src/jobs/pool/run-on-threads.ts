/**
 * Tasks done by threads of this machine, as a fleet would do them: each slot takes the next one when it is done with its last.
 * What fails here is not tried again: a thread is not lost as a machine is.
 */
import type { Outcome, ScenarioTask, Work } from '../model/task.js';
import type { Slot } from './slot.js';

/** Milliseconds. */
const CLOCK_EVERY = 50;

/** Until all is done, or it is over. */
export async function workHere<T extends ScenarioTask>(
  work: Work<T>,
  slots: readonly Slot[],
  isOver: () => boolean,
): Promise<void> {
  const running = new Map<Slot, T>();
  const serve = async (slot: Slot): Promise<void> => {
    for (let task = work.next(); task !== undefined; task = work.next()) {
      running.set(slot, task);
      const outcome = await outcomeOf(slot, task);
      running.delete(slot);
      if (isOver()) return;
      work.take(outcome);
      for (const [other, own] of running) if (work.isVain?.(own)) void other.end();
    }
  };
  const endAll = () => Promise.all(slots.map((slot) => slot.end()));
  const clock = setInterval(() => {
    if (isOver()) void endAll();
  }, CLOCK_EVERY);
  try {
    await Promise.all(slots.map(serve));
  } finally {
    clearInterval(clock);
    await endAll();
  }
}

async function outcomeOf<T extends ScenarioTask>(slot: Slot, task: T): Promise<Outcome<T>> {
  try {
    return { task, answer: await slot.run(task) };
  } catch (error) {
    return { task, setAside: (error as Error).message };
  }
}
