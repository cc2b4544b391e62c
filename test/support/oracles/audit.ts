/**
 * Audit of the engines: each runs to its end on one program, and all must agree with brute force, which reduces nothing.
 *
 *   results   partial-order reduction and stateful search have all results, and no others
 *   verdicts  partial-order reduction, stateful search, states up to names, both in turns, and a rising preemption bound
 *   evidence  the schedule of each violation has one of the results of brute force, and no sequential witness
 */
import { untilValid } from '../../../src/execution/memory/program-error.js';
import type { Program } from '../../../src/execution/program.js';
import type { Coverage, ScheduleViolation } from '../../../src/explore/model/engine.js';
import {
  allResults,
  hasSequentialWitness,
  maximalOrders,
  type ProgramResult,
  resultOf,
  sequentialHistories,
} from './brute-force.js';
import {
  resultsByDpor,
  resultsByStates,
  violationsBy,
  violationsByAlternation,
  violationsByBound,
} from './engines.js';

/** What an engine has found, and covered. */
interface Search {
  readonly violations: readonly ScheduleViolation[];
  readonly coverage?: Coverage | undefined;
}

/** The disagreements; undefined if there are more executions than `most`. Without states if objects are opaque. */
export function audit(program: Program, most: number): readonly string[] | undefined {
  const results = untilValid(() => allResults(program, most));
  if (results === undefined) return undefined;
  const expected = maximalOrders(results).join();
  const sequential = untilValid(() => sequentialHistories(program));
  const isWrong = (result: ProgramResult): boolean => !hasSequentialWitness(result, sequential);
  const isViolation = results.some(isWrong);
  const byStates = untilValid(() => resultsByStates(program));
  const found: string[] = [];
  if (maximalOrders(untilValid(() => resultsByDpor(program))).join() !== expected)
    found.push('results by classes');
  if (byStates && maximalOrders(byStates).join() !== expected) found.push('results by states');

  const withStates: Record<string, () => Search> = {
    stateful: () => ({ violations: violationsBy(program, 'stateful') }),
    symmetric: () => ({ violations: violationsBy(program, 'symmetric') }),
  };
  const searches: Record<string, () => Search> = {
    dpor: () => ({ violations: violationsBy(program, 'dpor') }),
    'in turns': () => violationsByAlternation(program),
    bounded: () => violationsByBound(program),
    ...(byStates && withStates),
  };
  const known = new Set(results.map(({ outcomes, pending }) => JSON.stringify([outcomes, pending])));
  for (const [name, search] of Object.entries(searches)) {
    const { violations, coverage } = untilValid(search);
    if (violations.length > 0 !== isViolation) found.push(`verdict, ${name}`);
    if (coverage !== undefined && coverage.kind !== 'all') found.push(`coverage, ${name}: ${coverage.kind}`);
    for (const { schedule } of violations) {
      const result = untilValid(() => resultOf(program, schedule));
      const text = JSON.stringify([result.outcomes, result.pending]);
      if (!known.has(text) || !isWrong(result)) found.push(`evidence, ${name}`);
    }
  }
  return found;
}
