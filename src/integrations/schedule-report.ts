/** The texts of `everySchedule`: a failing schedule with one column for each part, and what a passing test covered. */
import { relative } from 'node:path';
import { printable } from '../base/values/show.js';
import { errorText } from '../execution/comparable.js';
import type { FailedSchedule } from '../explore/async/trace.js';
import type { BodyExploreOptions, BodyResult } from '../explore/every-schedule.js';
import { bodyFailure, tokenOf } from '../explore/failure/failure.js';
import { count, grouped, inputNotes } from '../report/common/verdict-words.js';
import { styleOf, wrapWords } from '../report/text/style.js';
import type { CallSite } from './run-scenario.js';

/** What a report names of a test. */
export interface ReportedTest {
  readonly name: string;
  readonly callSite: CallSite;
  /** The command that runs a test file, if there is one. */
  readonly command?: string;
}

const LONGEST_TOKEN = 2_000;
const STYLE = styleOf({});

const wrapped = (text: string): string =>
  wrapWords(text, STYLE.width - 2)
    .map((line) => `  ${line}`)
    .join('\n');

/** A failing schedule: what failed, one column for each part, and how to run it again. */
export function failureReport(
  { name, command, callSite }: ReportedTest,
  failed: FailedSchedule,
  notes: readonly string[],
): string {
  const token = tokenOf(bodyFailure(name, failed));
  const run = command === undefined ? '' : ` ${command} ${relative('.', callSite.file)}`;
  return [
    titleOf(failed),
    ['', ...columns(failed).map((line) => `  ${line}`)].join('\n'),
    ...(failed.failure.kind === 'deadlock' ? [waitingText(failed)] : []),
    [
      '',
      ...notes.map(wrapped),
      ...(token.length <= LONGEST_TOKEN ? [`  Replay:  STRAIGHTEDGE_REPLAY=${token}${run}`] : []),
    ].join('\n'),
  ].join('\n');
}

function titleOf({ failure: { kind }, parts, waiting, isRepeating }: FailedSchedule): string {
  const names = waiting.filter(({ part }) => part > 0).map(({ part }) => parts[part]);
  switch (kind) {
    case 'rejected':
      return 'The test fails under this schedule:';
    case 'deadlock':
      return isRepeating
        ? 'Deadlock: only repeating timers are left. They fired 10 times, and the test has not ended.'
        : 'Deadlock: no macrotask is left, and the test has not ended.';
    case 'thrown':
      return 'A callback threw, and nothing catches its error:';
    case 'unhandled':
      return 'A rejection is not handled:';
    case 'pending':
      return `The test has ended, but ${names.map(printable).join(' and ')} ${names.length === 1 ? 'has' : 'have'} not:`;
  }
}

function waitingText(failed: FailedSchedule): string {
  const { waiting, parts } = failed;
  const width = Math.max(...waiting.map(({ part }) => parts[part].length)) + 2;
  const lines = waiting.map(
    ({ part, place }) => `  ${printable(parts[part]).padEnd(width)}${waitsAt(place)}`,
  );
  const outside = outsideText(failed);
  return ['', ...lines, ...(outside === undefined ? [] : ['', wrapped(outside)])].join('\n');
}

const waitsAt = (place: string): string => `waits${place === '' ? '' : ` at ${place}`}`;

/** Of a deadlock: what the test may wait for outside of it. */
function outsideText({ foreign }: FailedSchedule): string | undefined {
  if (!foreign) return undefined;
  return `The test also created something outside of the virtual event loop: ${foreign.type}${foreign.place === '' ? '' : ` at ${foreign.place}`}. If it waits for that, use a stub: real files, sockets and timers are not waited for.`;
}

/** What failed, in sentences. */
export function failureTexts(failed: FailedSchedule): string[] {
  const { failure, waiting, parts } = failed;
  const outside = outsideText(failed);
  return [
    // the error of the test says it all
    ...(failure.kind === 'rejected' && failure.error !== undefined ? [] : [titleOf(failed)]),
    ...(failure.error === undefined
      ? []
      : [
          errorText(failure.error)
            .trim()
            .replaceAll(/\s*\n\s*/g, ' '),
        ]),
    ...(failure.kind === 'deadlock'
      ? waiting.map(({ part, place }) => `${parts[part]} ${waitsAt(place)}.`)
      : []),
    ...(outside === undefined ? [] : [outside]),
  ].map(printable);
}

/** One column for each part, with its macrotasks from top to bottom. */
function columns({ parts, rows }: FailedSchedule): string[] {
  const used = parts.map((_, part) => part).filter((part) => rows.some((row) => row.part === part));
  const texts = rows.map(({ kind, text, place }) => {
    if (kind === 'start') return text;
    if (kind === 'task') return `  ${printable(`${text}  ${place}`.trim())}`;
    const [line] = text.split('\n');
    if (text.startsWith('! ')) return `  ${printable(line)}`;
    return text === 'undefined' ? '  returns' : `  ${STYLE.strokes.gives} ${printable(line)}`;
  });
  const width = columnWidth(
    texts.filter((_, i) => rows[i].kind !== 'end'),
    used.map((part) => parts[part]),
  );
  const most = STYLE.width - 2;
  return [
    used.map((part) => fitted(printable(parts[part]), width - 1).padEnd(width)).join(''),
    // a text may be wider than its column: the others are empty in its row
    ...texts.map((text, i) => {
      const indent = width * used.indexOf(rows[i].part);
      const fit = rows[i].kind === 'task' ? fittedTask : fitted;
      return ' '.repeat(indent) + fit(text, Math.max(width - 1, most - indent));
    }),
  ].map((line) => line.trimEnd());
}

function columnWidth(texts: readonly string[], names: readonly string[]): number {
  const widest = Math.max(0, ...[...texts, ...names].map((text) => text.length));
  return Math.max(8, Math.min(widest + 3, Math.floor((STYLE.width - 2) / names.length)));
}

const fitted = (text: string, width: number): string =>
  text.length <= width ? text : `${text.slice(0, width - 1)}${STYLE.ellipsis}`;

/** What happens, and where it was set. Of a text that is too long, the end is kept, with the number of the line. */
function fittedTask(text: string, width: number): string {
  const start = text.lastIndexOf('  ') + 2;
  if (text.length <= width || start <= 2) return fitted(text, width);
  const end = Math.max(width - start - 1, Math.min(text.length - start, Math.floor(width / 2)));
  return `${text.slice(0, width - 1 - end)}${STYLE.ellipsis}${text.slice(-end)}`;
}

/** What a test that passes has covered. */
export function coverageReport(
  result: BodyResult,
  { seed, maxMicrotaskStarts: most }: BodyExploreOptions,
): string {
  const { pending, replaced, executions } = result;
  return [
    result.isWhole
      ? `Covered: every schedule${result.isExhaustive ? '' : ', under the assumptions below'}. ${count(executions, 'execution')}.`
      : sampleText(result, seed),
    ...(pending.length > 0
      ? [
          `Not ended when the test ended, in some schedule: ${pending.map(printable).join(', ')}. With \`strict\`, this is a failure.`,
        ]
      : []),
    `Assumes: a part starts in a macrotask of its own, ${most > 0 ? `together with another part, or, at most ${count(most, 'time')} in an execution, any number of microtasks after a part has started or ended` : 'or together with another part'}. Timers may be late.`,
    ...inputNotes(
      replaced,
      'If it fires 10 times alone and the test still waits, the test is called deadlocked.',
    ),
  ].join('\n');
}

/** What was covered of a test with too many schedules. */
function sampleText({ coverage, executions, unfinished, limit }: BodyResult, seed: number): string {
  const bound = Math.max(-1, ...coverage.map((one) => (one.kind === 'bound' ? one.preemptions : -1)));
  const random = coverage.reduce((sum, one) => sum + (one.kind === 'samples' ? one.count : 0), 0);
  const which = [
    ...(bound === 0 ? ["Node's own order"] : []),
    ...(bound > 0 ? [`every one with up to ${count(bound, 'deviation')} from Node's own order`] : []),
    ...(random > 0 ? [`${grouped(random)} random ones (seed ${seed})`] : []),
  ];
  const why =
    unfinished > 0
      ? `${count(unfinished, 'execution')} did not end and ${unfinished === 1 ? 'was' : 'were'} abandoned; does the test clear its intervals?`
      : limit === 'time'
        ? 'The time limit was reached; raise timeout, or start fewer parts.'
        : 'To cover all of them, raise maxExecutions, or start fewer parts.';
  return `Covered: ${grouped(executions)} schedules, and there are more${which.length > 0 ? `: ${which.join(', ')}` : ''}. ${why}`;
}

/** A test that cannot show a concurrency bug tests nothing. */
export const VACUOUS = `Nothing in this test can run in another order, so it cannot show a concurrency bug.

  Start the parts that run concurrently with \`spawn\`:
    await Promise.all([spawn('A', () => pool.take()), spawn('B', () => pool.take())]);`;
