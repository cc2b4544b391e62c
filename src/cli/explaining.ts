/** A failure explained, in the worker: with what the report needs to show of it. */
import { readFileSync } from 'node:fs';
import { accessTrace, explain } from '../explain/index.js';
import {
  type Explored,
  type LineUpOptions,
  type Patience,
  runtime,
  type Scenario,
  trace,
} from '../explore/index.js';
import type { Explained, Unexplained } from '../report/index.js';

/** Undefined where no schedule makes the failure. */
export function explained(
  scenario: Scenario,
  { matrix, program, violation }: Explored,
  options: LineUpOptions,
  patience: Patience,
): Explained | Unexplained | undefined {
  if (violation === undefined || violation.kind === 'nondeterminism') return undefined;
  if ('isOpaque' in program && program.isOpaque) return 'threads';
  const shown = accessTrace(trace(program, violation.schedule), true);
  const backend = 'backend' in program ? program.backend : 'transform';
  const lines = new Map<string, readonly string[]>();
  return {
    explanation: explain({ ...scenario, backend }, matrix, shown, options, patience),
    placeOf: (site) => runtime.sites.placeOf(site),
    linesOf: (file) => {
      if (!lines.has(file)) lines.set(file, readFileSync(file, 'utf8').split('\n'));
      return lines.get(file)!;
    },
  };
}
