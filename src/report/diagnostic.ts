/** What came of one file, as reporters for other tools need it: short, and with places in the file. */
import { isMeetingCause } from '../check/model/rendezvous-causes.js';
import type { Verdict } from '../check/model/verdict.js';
import type { History } from '../history/history.js';
import type { Result } from './common/checked-history.js';
import { reasons } from './sentences/reasons.js';
import { operationsIn } from './sentences/sentence.js';
import { doubtInWords } from './sentences/undecided.js';
import { SIGNS } from './sentences/words.js';
import { textReport } from './text/report.js';
import { styleOf } from './text/style.js';

/** Lines of a file. */
interface Lines {
  readonly file: string;
  readonly line: number;
  readonly endLine: number;
}

/** A step on the way to a violation. */
export interface FlowStep {
  readonly process: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly text: string;
}

export interface Finding {
  readonly file: string;
  readonly outcome: Verdict['kind'] | 'error';
  /** Is it of calls that meet? */
  readonly meets?: boolean | undefined;
  /** In a few sentences. */
  readonly summary: string;
  /** The whole report, without colours. */
  readonly text: string;
  readonly seconds: number;
  /** Where the operation at fault stands, or what can not be read. */
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  /** The last line to blame, and others that are to blame with these. */
  readonly endLine?: number | undefined;
  readonly also?: readonly Lines[] | undefined;
  /** What was done, one after another, where it is known. */
  readonly flow?: readonly FlowStep[] | undefined;
  /** Where the other operations stand that the summary speaks of. */
  readonly related: readonly number[];
}

export function findingOf(result: Result): Finding {
  const { file, history, verdict, ms } = result;
  return {
    file,
    outcome: verdict.kind,
    text: textReport(result, styleOf({})),
    seconds: (ms.read + ms.check) / 1_000,
    ...summaryOf(verdict, history),
  };
}

function summaryOf(
  verdict: Verdict,
  history: History,
): Pick<Finding, 'summary' | 'meets' | 'line' | 'related'> {
  if (verdict.kind === 'linearizable') {
    const what = verdict.witness.meetings
      ? 'There are meetings that explain it.'
      : 'There is an order that explains it.';
    return { summary: what, related: [] };
  }
  if (verdict.kind === 'undecided') return { summary: doubtInWords(verdict).advice, related: [] };
  const { counterexample } = verdict;
  const told = reasons(counterexample, history, SIGNS);
  const { lines } = history.tables;
  const { operation } = counterexample.cause;
  const others = new Set(told.flatMap(({ sentence }) => operationsIn(sentence)));
  others.delete(operation);
  return {
    meets: isMeetingCause(counterexample.cause),
    summary: told
      .map(({ sentence, steps = [] }) =>
        [sentence, ...steps]
          .map((own) => own.map(({ text }) => text).join(''))
          .join(steps.length > 0 ? ' ' : ''),
      )
      .join(' '),
    line: lines?.[operation],
    related: lines ? Array.from(others, (id) => lines[id]) : [],
  };
}
