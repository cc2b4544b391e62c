/** What came of a scenario or of a failure that was run again, for other tools: at the lines to blame, with the steps that led there. */
import { VERBS } from '../execution/memory/access.js';
import type { Trace } from '../explore/model/trace-types.js';
import { relativePath } from './common/relative-path.js';
import type { Explained, SourceOf } from './common/report-types.js';
import type { Finding, FlowStep } from './diagnostic.js';
import { causeText } from './sentences/root-cause.js';

export interface ExploredOutcome {
  readonly file: string;
  readonly outcome: 'linearizable' | 'violation' | 'undecided';
  /** The whole report, without colours. */
  readonly text: string;
  readonly seconds: number;
  /** Is it of calls that meet? */
  readonly meets: boolean;
  readonly trace: Trace | undefined;
  readonly sourceOf: SourceOf;
  readonly explained?: Explained | undefined;
}

export function exploredFinding(told: ExploredOutcome): Finding {
  const { file, outcome, text, seconds, trace, explained } = told;
  // without its mark
  const headline = text.split('\n', 1)[0].replace(/^\S+ /, '');
  const blocks = (explained?.explanation.repairs[0]?.repair ?? []).map(({ file: own, start, end }) => ({
    file: relativePath(own),
    line: start.line,
    endLine: end.line,
  }));
  return {
    file: blocks[0]?.file ?? file,
    line: blocks[0]?.line,
    endLine: blocks[0]?.endLine,
    outcome,
    meets: told.meets,
    summary: explained ? causeText(explained) : headline,
    text,
    seconds,
    related: [],
    also: blocks.slice(1),
    flow: outcome === 'violation' && trace ? flowOf(trace, told.sourceOf) : [],
  };
}

function flowOf({ steps, history, idOf }: Trace, sourceOf: SourceOf): FlowStep[] {
  const position = history.positionsById();
  return steps.flatMap(({ operation, kind, site, value, task }) => {
    const source = sourceOf(site);
    if (source === undefined) return [];
    const { file, line, column } = source.place;
    const { process, method } = history.at(position[idOf[operation]]);
    const name = source.name === '' ? '' : ` ${source.name}`;
    const did = task ? `: ${task.does}` : ` ${VERBS[kind]}`;
    const text = `${method} by ${process}${did}${name}${value === undefined ? '' : `: ${value}`}`;
    return [{ process, file, line, column, text }];
  });
}
