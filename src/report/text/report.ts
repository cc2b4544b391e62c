/** The report of a check on a terminal: verdict, drawing and explanation. */
import { printable } from '../../base/values/show.js';
import { isRendezvousCause } from '../../check/model/causes.js';
import type { Verdict, Witness } from '../../check/model/verdict.js';
import type { History } from '../../history/history.js';
import {
  chooseOperations,
  layOutRendezvous,
  meanwhileText,
  reportedRendezvous,
} from '../common/choose-operations.js';
import { Labels } from '../common/label.js';
import { type CheckedHistory, described } from '../common/report-types.js';
import { count, explainedBy, sourceName, violationTitle, WIDENED } from '../common/verdict-words.js';
import { consistencyLines, consistencyTitle } from '../sentences/consistency.js';
import { isOfProgress } from '../sentences/rendezvous.js';
import { declinedInWords, doubtInWords, othersInWords } from '../sentences/undecided.js';
import { painted, type Style, styleOf, wrapWords } from './style.js';
import { drawTimeline, reasonLines } from './timeline.js';

const LONG_NAME = 60;
/** A witness with more operations is not drawn. */
const MOST_DRAWN = 12;
const TOPIC_WIDTH = 14;

/**
 * Converts a checked history to text: verdict, drawing and reason.
 *
 * @example
 * const result: CheckedHistory = {
 *   file: 'orders.jsonl',
 *   spec: 'queue',
 *   history,
 *   verdict: check(history, queue()),
 *   ms: { read: 0, check: 0 },
 * };
 * console.log(textReport(result));
 */
export function textReport(
  checked: CheckedHistory,
  style: Style = styleOf({}),
  { witness = false }: { witness?: boolean } = {},
): string {
  const result = described(checked);
  const { verdict, history } = result;
  switch (verdict.kind) {
    case 'linearizable':
      return [
        headline(result, style, style.good(`${style.yes} ${explainedBy(verdict.witness)}`)),
        ...declinedLines(verdict, style),
        ...(history.length === 0 ? ['', '  The history is empty.'] : []),
        ...(witness && history.length > 0 ? ['', ...witnessLines(history, verdict.witness, style)] : []),
      ].join('\n');
    case 'violation':
      return [...violation(result, verdict, style), ...consistencyBlock(result, style)].join('\n');
    case 'undecided':
      return [...undecided(result, verdict, style), ...consistencyBlock(result, style)].join('\n');
  }
}

function headline(
  { file, spec, history }: CheckedHistory,
  style: Style,
  verdict: string,
  more: readonly string[] = [],
): string {
  const facts = [
    sourceName(file),
    spec,
    count(history.length, 'operation'),
    count(history.processes.length, 'process', 'processes'),
    ...more,
  ];
  return `${verdict}  ${style.faint(facts.map(printable).join(style.strokes.line === '-' ? ', ' : ' · '))}`;
}

function violation(
  result: CheckedHistory,
  verdict: Extract<Verdict, { kind: 'violation' }>,
  style: Style,
): string[] {
  const { history } = result;
  const { counterexample } = verdict;
  const { cause } = counterexample;
  const isBlocked = isRendezvousCause(cause) && isOfProgress(cause);
  const shown = chooseOperations(counterexample, history, result.specOf);
  const meanwhile = meanwhileText(shown, history);
  const rendezvous = reportedRendezvous(result.verdict)
    .filter(({ isMissed }) => !isMissed)
    .map(({ members }) => members);
  const more = [
    ...(counterexample.part === '' ? [] : [`part ${shortened(counterexample.part, style)}`]),
    ...(shown.length < history.length ? [`${count(shown.length, 'operation')} shown`] : []),
  ];
  return [
    headline(
      result,
      style,
      style.bad(`${style.no} ${violationTitle(isRendezvousCause(cause), isBlocked)}`),
      more,
    ),
    '',
    ...drawTimeline(shown, counterexample.cause.operation, style, layOutRendezvous(shown, rendezvous)).map(
      indent,
    ),
    '',
    ...(history.tables.isWidened ? [indent(style.faint(WIDENED))] : []),
    ...(meanwhile === undefined ? [] : [indent(meanwhile)]),
    ...reasonLines(counterexample, history, style).map(indent),
    ...othersInWords(result, style.ellipsis).map((line) => indent(style.faint(line))),
    ...declinedLines(result.verdict, style),
  ];
}

/** How far the history is from linearizable: a topic in front of each sentence. */
function consistencyBlock({ consistency, history, all }: CheckedHistory, style: Style): string[] {
  if (consistency === undefined) return [];
  const signs = { gives: style.strokes.gives, ellipsis: style.ellipsis };
  const lines = consistencyLines(consistency, history, signs, { all: all === true });
  if (lines.length === 0) return [];
  return [
    '',
    indent(consistencyTitle(consistency)),
    ...lines.flatMap(({ topic, sentence }) =>
      wrapWords(painted(sentence, style), style.width - TOPIC_WIDTH - 4).map(
        (line, i) => `    ${style.faint((i === 0 ? topic : '').padEnd(TOPIC_WIDTH))}${line}`,
      ),
    ),
  ];
}

/** Why a search decided although the object has a monitor. */
function declinedLines(verdict: Verdict, style: Style): string[] {
  const sentence = declinedInWords(verdict);
  if (sentence === undefined) return [];
  return wrapWords(sentence, style.width - 2).map((line) => style.faint(indent(line)));
}

/** The name of a part; a part of many keys has a long one. */
const shortened = (part: string, { ellipsis }: Style): string =>
  part.length > LONG_NAME ? `${part.slice(0, LONG_NAME)}${ellipsis}` : part;

function undecided(
  result: CheckedHistory,
  verdict: Extract<Verdict, { kind: 'undecided' }>,
  style: Style,
): string[] {
  const { advice, parts } = doubtInWords(verdict);
  return [
    headline(result, style, style.strong(`${style.unsure} undecided`)),
    '',
    ...wrapWords(advice, style.width - 2).map(indent),
    ...parts.map(indent),
    ...declinedLines(verdict, style),
  ];
}

/** The linearization, with its points drawn in the intervals where there is room. */
function witnessLines(history: History, { order, rendezvous = [] }: Witness, style: Style): string[] {
  const labels = new Labels(history, style.strokes.gives);
  const position = history.positionsById();
  const line = (id: number) =>
    `${labels.operation(position[id])}  ${style.faint(printable(history.at(position[id]).process))}`;
  const link = style.strokes.line === '-' ? '  <->  ' : '  ⇄  ';
  const alone = Array.from(order, (id) => [id]);
  const points = [
    ...layOutRendezvous(history, alone),
    ...layOutRendezvous(
      history,
      rendezvous.map((own) => [...own]),
    ),
  ];
  return [
    ...(order.length === 0 && rendezvous.length > 0 ? [] : ['  Linearization (operation, call, process):']),
    ...Array.from(order, (id) => `  ${String(id).padStart(6)}  ${line(id)}`),
    ...(rendezvous.length === 0 ? [] : ['  Rendezvous (operations, calls and processes):']),
    ...rendezvous.map(
      (members) => `  ${`[${members.join(', ')}]`.padStart(6)}  ${Array.from(members, line).join(link)}`,
    ),
    ...(history.length > MOST_DRAWN
      ? []
      : ['', ...drawTimeline(history, undefined, style, points).map(indent)]),
  ];
}

const indent = (line: string): string => `  ${line}`;
