/** The verdict of one file for reporters of other tools: short, and with positions in the file. */
import { relativePath } from '../base/system-files.js';
import { isRendezvousCause } from '../check/model/causes.js';
import type { Verdict } from '../check/model/verdict.js';
import { VERBS } from '../execution/memory/access.js';
import type { Trace } from '../explore/model/trace-types.js';
import type { History } from '../history/history.js';
import { changedLines } from '../root-cause/patches/model/draft.js';
import type { Patch } from '../root-cause/patches/patches.js';
import {
  type CheckedHistory,
  described,
  type Explained,
  type PatchReport,
  type SourceOf,
} from './common/report-types.js';
import { explainedBy } from './common/verdict-words.js';
import { reasons } from './sentences/reasons.js';
import { causeText } from './sentences/root-cause.js';
import { doubtInWords } from './sentences/undecided.js';
import { operationsIn, SIGNS } from './sentences/words.js';
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

/** A change of one file that repairs the failure: lines, from 1, that a text replaces. `endLine` is not replaced. */
export interface Fix {
  readonly description: string;
  readonly file: string;
  readonly replacements: readonly {
    readonly line: number;
    readonly endLine: number;
    readonly text: string;
  }[];
}

/** A verdict in the form that other tools show: file, line, summary and text. */
export interface Diagnostic {
  readonly file: string;
  readonly outcome: Verdict['kind'] | 'error';
  /** Whether the object is a rendezvous object. */
  readonly isRendezvous?: boolean | undefined;
  /** In a few sentences. */
  readonly summary: string;
  /** The whole report, without colours. */
  readonly text: string;
  readonly seconds: number;
  /** The position of the faulty operation, or of what cannot be read. */
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  /** The last line of the first block that must be atomic, and the other blocks. */
  readonly endLine?: number | undefined;
  readonly also?: readonly Lines[] | undefined;
  /** The steps in sequence, if they are known. */
  readonly flow?: readonly FlowStep[] | undefined;
  /** Patches that were explored, the best first. */
  readonly fixes?: readonly Fix[] | undefined;
  /** The positions of the other operations that the summary names. */
  readonly related: readonly number[];
}

/**
 * Converts a checked history to a diagnostic.
 *
 * @example
 * const result: CheckedHistory = {
 *   file: 'orders.jsonl',
 *   spec: 'queue',
 *   history,
 *   verdict: check(history, queue()),
 *   ms: { read: 0, check: 0 },
 * };
 * assert.equal(toDiagnostic(result).outcome, result.verdict.kind);
 */
export function toDiagnostic(result: CheckedHistory): Diagnostic {
  const { file, history, verdict, ms } = described(result);
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
): Pick<Diagnostic, 'summary' | 'isRendezvous' | 'line' | 'related'> & Partial<Pick<Diagnostic, 'file'>> {
  if (verdict.kind === 'linearizable') {
    return { summary: `The history is ${explainedBy(verdict.witness)}.`, related: [] };
  }
  if (verdict.kind === 'undecided') return { summary: doubtInWords(verdict).advice, related: [] };
  const { counterexample } = verdict;
  const sentences = reasons(counterexample, history, SIGNS);
  const { lines, files } = history.tables;
  const { operation } = counterexample.cause;
  const others = new Set(sentences.flatMap(({ sentence }) => operationsIn(sentence)));
  others.delete(operation);
  return {
    isRendezvous: isRendezvousCause(counterexample.cause),
    summary: sentences
      .map(({ sentence, steps = [] }) =>
        [sentence, ...steps]
          .map((own) => own.map(({ text }) => text).join(''))
          .join(steps.length > 0 ? ' ' : ''),
      )
      .join(' '),
    line: lines?.[operation],
    // a tool shows one file
    ...(files && { file: files.names[files.of[operation]] }),
    related: Array.from(others)
      .filter((id) => files?.of[id] === files?.of[operation])
      .flatMap((id) => lines?.[id] ?? []),
  };
}

/** The outcome of an exploration or a replay. */
export interface ExploredOutcome {
  readonly file: string;
  readonly outcome: 'linearizable' | 'violation' | 'undecided';
  /** The whole report, without colours. */
  readonly text: string;
  readonly seconds: number;
  /** Whether the object is a rendezvous object. */
  readonly isRendezvous: boolean;
  readonly trace: Trace | undefined;
  readonly sourceOf: SourceOf;
  readonly explained?: Explained | undefined;
  readonly patching?: PatchReport | undefined;
}

/** Converts it to a diagnostic at the lines that must be atomic, with the steps that lead to the failure. */
export function explorationDiagnostic(explored: ExploredOutcome): Diagnostic {
  const { file, outcome, text, seconds, trace, explained } = explored;
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
    isRendezvous: explored.isRendezvous,
    summary: explained ? causeText(explained) : headline,
    text,
    seconds,
    related: [],
    also: blocks.slice(1),
    flow: outcome === 'violation' && trace ? flowOf(trace, explored.sourceOf) : [],
    fixes: explored.patching?.isApplied ? [] : (explored.patching?.search.patches.map(fixOf) ?? []),
  };
}

const fixOf = ({ title, file, before, after }: Patch): Fix => ({
  description: `Patch: ${title}.`,
  file,
  replacements: changedLines(before, after).map(({ from, to, lines }) => ({
    line: from + 1,
    endLine: to + 1,
    text: lines.join(''),
  })),
});

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
