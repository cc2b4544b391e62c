/**
 * A repair tried: its blocks are run in one step, and everything is explored again.
 *
 *   confirmed   no violation in any schedule of the tests
 *   refuted     a test still goes wrong, and how
 *   stuck       whoever is in a block waits there for ever: it can not be run in one step
 *   undecided   time was over before all schedules were tried
 */
import { lineUp } from '../explore/line-up.js';
import type { Patience } from '../explore/model/deadline.js';
import type { Explored, LineUpOptions } from '../explore/result.js';
import type { Matrix } from '../explore/scenario/matrix.js';
import type { Scenario } from '../explore/scenario/scenario.js';
import { trace } from '../explore/trace/trace.js';
import type { AccessTrace } from './repairs/access-trace.js';
import type { Repair } from './repairs/repair.js';
import { accessTrace } from './traced.js';

export type Verification =
  | { readonly kind: 'confirmed'; readonly tests: number }
  | { readonly kind: 'refuted'; readonly matrix: Matrix; readonly trace: AccessTrace | undefined }
  | { readonly kind: 'stuck' | 'undecided'; readonly tests: number };

export function verify(
  scenario: Scenario,
  tests: readonly Matrix[],
  repair: Repair,
  options: LineUpOptions,
  patience: Patience,
): Verification {
  let confirmed = 0;
  for (const [i, matrix] of tests.entries()) {
    if (patience.isOver()) return { kind: 'undecided', tests: confirmed };
    const part = patience.part(1 / (tests.length - i));
    const explored = lineUp(scenario, matrix, { ...options, blocks: repair }, part);
    if (explored.violation) return { kind: 'refuted', matrix, trace: violationTrace(explored) };
    if (!explored.coverage.some(({ kind }) => kind === 'all'))
      return {
        kind: part.isOver() || explored.unfinished > 0 ? 'undecided' : 'stuck',
        tests: confirmed,
      };
    confirmed++;
  }
  return { kind: 'confirmed', tests: confirmed };
}

/** How a test went wrong; undefined where no schedule tells. */
export function violationTrace({ violation, program }: Explored): AccessTrace | undefined {
  if (violation === undefined || violation.kind === 'nondeterminism') return undefined;
  return accessTrace(trace(program, violation.schedule), true);
}
