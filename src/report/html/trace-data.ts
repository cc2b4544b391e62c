/** An execution for a page: its steps, with what each read or stored and where it stands. */
import { NOTHING, VERBS } from '../../execution/memory/access.js';
import type { Trace } from '../../explore/model/trace-types.js';
import type { SourceOf } from '../common/report-types.js';
import { endsOfSteps } from '../common/step-ends.js';
import type { StepData } from './page-types.js';
import type { SourceFiles } from './source-files.js';

export function stepsData(trace: Trace, sourceOf: SourceOf, files: SourceFiles): StepData[] {
  const { steps, idOf } = trace;
  const ends = endsOfSteps(trace);
  return steps.map(({ operation, kind, site, value, task }, i): StepData => {
    const source = task ? undefined : sourceOf(site);
    return {
      operation: idOf[operation],
      access: task ? task.does : kind === NOTHING && !source ? '' : VERBS[kind],
      name: task ? task.place : (source?.name ?? ''),
      value: value ?? null,
      file: source ? files.add(source.place.file, source.lines, source.place.line) : null,
      line: source?.place.line ?? 0,
      ends: ends[i].map((ended) => idOf[ended]),
    };
  });
}
