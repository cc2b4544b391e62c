/** The root cause of a failure, with the source lines that the report shows. */
import { readFileSync } from 'node:fs';
import type { LineUpOptions } from '../../explore/backend.js';
import type { Deadline } from '../../explore/model/deadline.js';
import type { TestResult } from '../../explore/result.js';
import type { Scenario } from '../../explore/scenario/scenario.js';
import { runtime } from '../../instrument/runtime/runtime.js';
import type { Explained } from '../../report/common/report-types.js';
import { explainSync } from '../../root-cause/explain.js';
import { accessTrace } from '../../root-cause/repairs/access-trace.js';

/** Undefined if no schedule reproduces the failure. */
export function explained(
  scenario: Scenario,
  { test, backend, violation }: TestResult,
  options: LineUpOptions,
  patience: Deadline,
): Explained | undefined {
  if (violation === undefined || violation.kind === 'nondeterminism') return undefined;
  const shown = accessTrace(backend.trace(violation.schedule), true);
  const lines = new Map<string, readonly string[]>();
  return {
    explanation: explainSync({ ...scenario, backend: backend.name }, test, shown, options, patience),
    placeOf: (site) => runtime.sites.placeOf(site),
    linesOf: (file) => {
      if (!lines.has(file)) lines.set(file, readFileSync(file, 'utf8').split('\n'));
      return lines.get(file)!;
    },
  };
}
