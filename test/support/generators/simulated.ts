/**
 * Simulates concurrent histories of any length.
 *
 * Each call takes effect between call and return, with the result of the spec; a call that the spec blocks is tried again
 * later. Some calls are pending, whether they took effect or not. So the history is linearizable.
 */
import type { Random } from '../../../src/base/random.js';
import { HistoryBuilder } from '../../../src/history/builder/builder.js';
import type { History } from '../../../src/history/history.js';
import type { Outcome } from '../../../src/history/model/operation.js';
import type { Spec } from '../../../src/spec/spec.js';
import { choices } from '../oracles/oracle.js';

export interface Run {
  readonly spec: Spec;
  /** The next call of a process. */
  readonly draw: (random: Random, process: string) => readonly [method: string, ...args: unknown[]];
  readonly operations: number;
  readonly processes: number;
  /** Pending calls per 1,000 calls. */
  readonly crashes?: number;
}

export function simulate(run: Run, random: Random): History {
  const { spec, draw, operations, processes, crashes = 0 } = run;
  const builder = new HistoryBuilder();
  const running: ({ id: number; method: string; args: unknown[]; outcome?: Outcome } | undefined)[] = [];
  const names = Array.from({ length: processes }, (_, p) => `p${p}`);
  let state = spec.initial;
  for (
    let called = 0, open = 0, tries = 0;
    (called < operations || open > 0) && tries < 50 * operations;
    tries++
  ) {
    const p = random.below(processes);
    const own = running[p];
    if (!own) {
      if (called === operations) continue;
      const [method, ...args] = draw(random, names[p]);
      running[p] = { id: builder.call({ process: names[p], method, args }), method, args };
      called++;
      open++;
    } else if (own.outcome) {
      builder.end(own.id, own.outcome);
      running[p] = undefined;
      open--;
    } else {
      const isLost = random.below(1000) < crashes;
      const [choice] = isLost && random.withProbability(50) ? [] : choices(spec, state, own);
      if (choice) state = choice.next;
      if (choice) own.outcome = choice.outcome;
      if (!isLost) continue;
      running[p] = undefined;
      names[p] += "'";
      open--;
    }
  }
  return builder.finish();
}

/** A copy of a history in which one operation has the result of another call of its method, or is removed. */
export function withCorruptedResult(history: History, random: Random): History {
  const returned = [...history].filter(({ outcome }) => outcome.kind === 'returned');
  const one = random.pick(returned);
  const other = random.pick(returned.filter(({ method }) => method === one.method));
  const k = history.positionsById()[one.id];
  return random.withProbability(50)
    ? history.withOutcome(k, other.outcome)
    : history.select((position) => position !== k);
}
