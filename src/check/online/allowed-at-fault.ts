/**
 * What the operation at fault could have answered instead, where a fast monitor found the fault.
 *
 * Configurations run through all that happened since the state was known last, the log, and stop at the same end:
 * they know all outcomes that have an order there. Left out where there would be many.
 */
import type { Outcome } from '../../history/model/operation.js';
import { Configurations, unlessTooMany } from '../stream/configurations.js';
import type { OnlineOperation } from '../stream/operation.js';
import type { Steps } from '../stream/steps.js';

const FEW = { configurations: 2 ** 10, bytes: 2 ** 26 };

/** `log`: each operation at its call and again at its end, from a state on. */
export function allowedAtLast(
  log: readonly OnlineOperation[],
  steps: Steps,
  state: number,
): readonly Outcome[] | undefined {
  const configurations = new Configurations(steps, state, FEW);
  const called = new Set<OnlineOperation>();
  return unlessTooMany(() => {
    for (const operation of log) {
      const refusal = called.has(operation) ? configurations.end(operation) : undefined;
      if (refusal) return refusal.allowed;
      if (!called.has(operation)) configurations.call(operation);
      called.add(operation);
    }
    return undefined;
  });
}
