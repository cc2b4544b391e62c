/** A schedule gives the same again, or something is not under control, and nothing that was seen can be trusted. */
import { show } from '../base/index.js';
import type { Schedule } from './engine.js';
import type { Explored } from './explored.js';
import { ScenarioError } from './scenario-error.js';
import { trace } from './trace.js';
import type { Trace } from './traced.js';

/** Gives how it goes. */
export function checkControlled(program: Explored['program'], schedule: Schedule): Trace {
  const [one, other] = [trace(program, schedule), trace(program, schedule)];
  if (one.followed < schedule.length || eventsOf(one) !== eventsOf(other))
    throw new ScenarioError(
      'the same schedule has given other results when it was run again: something keeps state from one execution to the next, or depends on more than its arguments. Make it part of the object, or name its file in `transform`',
    );
  return one;
}

const eventsOf = ({ history }: Trace): string =>
  Array.from(history, ({ process, method, outcome }) => show([process, method, outcome])).join();
