/**
 * A schedule gives the same again, or something is not under control, and nothing that was seen can be trusted.
 *
 * Then it is told by which call it shows, and what ran there that was not transformed.
 */
import { show } from '../../base/values/show.js';
import { ScenarioError } from '../../execution/memory/program-error.js';
import type { Program } from '../../execution/program.js';
import type { History } from '../../history/history.js';
import { outcomeInWords } from '../../history/model/operation.js';
import { runtime } from '../../instrument/runtime/runtime.js';
import { placeText } from '../../instrument/syntax/problem.js';
import type { AsyncProgram } from '../async/program.js';
import type { Schedule } from '../model/engine.js';
import type { Trace } from '../model/trace-types.js';
import { trace } from './trace.js';

/** Gives how it goes. */
export function checkControlled(program: Program | AsyncProgram, schedule: Schedule): Trace {
  const [one, other] = [trace(program, schedule), trace(program, schedule)];
  const difference = differenceOf(one.history, other.history);
  if (one.followed === schedule.length && difference === undefined) return one;
  const foreign = Array.from(runtime.atomic.values(), (called) => `${called.name} (${placeText(called)})`);
  throw new ScenarioError(
    `the same schedule has given other results when it was run again${difference ? `: ${difference}` : ''}. Something keeps state from one execution to the next, or depends on more than its arguments${foreign.length > 0 ? `, maybe what is not transformed: ${foreign.join(', ')}` : ''}. Make it part of the object, or name its file in \`transform\``,
  );
}

/** The first call that is not as in the other. */
function differenceOf(one: History, other: History): string | undefined {
  const others = [...other];
  for (const [i, { process, method, outcome }] of [...one].entries()) {
    const again = others[i];
    if (again?.process !== process || again.method !== method)
      return `${method} by ${process} came elsewhere`;
    if (show(outcome) !== show(again.outcome))
      return `${method} by ${process} gave ${outcomeInWords(outcome)}, then ${outcomeInWords(again.outcome)}`;
  }
  return others.length > one.length ? `${others[one.length].method} was not called before` : undefined;
}
