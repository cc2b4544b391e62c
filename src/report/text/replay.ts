/** The report of a replay on a terminal. */
import { printable, printableSource } from '../../base/values/show.js';
import type { FailureStep } from '../../explore/backend.js';
import type { ReplayResult } from '../../explore/failure/failure.js';
import type { Because, CoveredSize } from '../../root-cause/patches/guard-tests.js';
import type { Patch, RejectedPatch } from '../../root-cause/patches/patches.js';
import type { PatchReport, ReplayReport } from '../common/report-types.js';
import { COMMAND, count } from '../common/verdict-words.js';
import { failureLines } from './exploration.js';
import { type Style, wrapWords } from './style.js';

export function replayText(
  { file, scenario, path, replayed, trace, sourceOf, explained, explainFault, patching }: ReplayReport,
  style: Style,
): string {
  const name = style.faint(`${printable(file)}${style.strokes.line === '-' ? ', ' : ' · '}${scenario.name}`);
  switch (replayed.kind) {
    case 'reproduced':
      return [
        patching?.isApplied
          ? `${style.good(`${style.yes} patched`)}  ${name}`
          : `${style.bad(`${style.no} reproduced`)}  ${name}`,
        '',
        ...failureLines(
          replayed.result,
          trace,
          { exploration: { scenario }, sourceOf, explained, explainFault },
          style,
        ),
        ...(patching ? patchLines(patching, file, scenario.spec !== undefined, style) : []),
      ].join('\n');
    case 'passes':
      return `${style.good(`${style.yes} passes now`)}  ${name}`;
    case 'diverged':
      return [
        `${style.strong(`${style.unsure} undecided: the code no longer follows the saved schedule`)}  ${name}`,
        '',
        ...divergedTexts(replayed, path).flatMap((text) =>
          wrapWords(text, style.width - 2).map((line) => `  ${line}`),
        ),
      ].join('\n');
  }
}

/** How the run diverged. That does not show whether the failure is repaired. `path`: the scenario. */
export function divergedTexts(
  { step, before, now }: Extract<ReplayResult, { kind: 'diverged' }>,
  path = 'the scenario',
): string[] {
  const was = before ? ` It was: ${stepText(before)}.` : '';
  return [
    `The schedule no longer leads to the failure: the code behaves differently at step ${step + 1}.${was} ${now ? `Now it is: ${stepText(now)}.` : 'Now the run ends before it.'}`,
    `The failure may be repaired, or another schedule may still lead to it. To find out, run: ${COMMAND} explore ${printable(path)}`,
  ];
}

function stepText(step: FailureStep): string {
  return printable(`${String.fromCharCode(65 + step.thread)} ${step.access} (${step.place})`);
}

/** The first patch with its evidence, the others by name, and the edits that are none. */
export function patchLines(
  { search, saved, isApplied, testCommand }: PatchReport,
  file: string,
  hasSpec: boolean,
  style: Style,
): string[] {
  const wrapped = (text: string): string[] => wrapWords(text, style.width - 2).map((line) => `  ${line}`);
  const { patches, unrefuted, rejected } = search;
  const [first, ...others] = patches;
  const title = (i: number): string => `Patch ${i} of ${patches.length}: ${patches[i - 1].title}.`;
  const lines = first
    ? [
        ...wrapped(title(1)),
        '',
        ...diffLines(first.diff, style),
        '',
        ...wrapped(evidenceText(first, hasSpec, testCommand)),
        ...wrapped([speedText(first), ...patchNotes(first)].join(' ')),
        ...(saved[0] ? wrapped(`Saved as ${printable(saved[0])}.`) : []),
        ...others.flatMap((patch, i) => [
          '',
          ...wrapped(
            [
              title(i + 2),
              speedText(patch),
              ...patchNotes(patch),
              ...(saved[i + 1] ? [`Saved as ${printable(saved[i + 1])}.`] : []),
            ].join(' '),
          ),
        ]),
      ]
    : [];
  const applied = isApplied
    ? `Applied patch 1 to ${printable(patches[0].file)}. No schedule of the failing test fails any more.`
    : patches.length > 0
      ? `To apply patch 1, run: ${COMMAND} explain ${printable(file)} --apply`
      : `Patch: none found. ${rejected.length + unrefuted.length === 0 ? 'No known kind of edit fits the code' : `${count(rejected.length + unrefuted.length, 'edit')} ${rejected.length + unrefuted.length === 1 ? 'was' : 'were'} explored`}.`;
  return [
    '',
    ...lines,
    ...(first ? [''] : []),
    ...wrapped(applied),
    ...(unrefuted.length > 0 ? wrapped(unrefutedText(unrefuted)) : []),
    ...(rejected.length > 0 ? wrapped(rejectedText(rejected)) : []),
    ...rejected.flatMap(({ because, title, text }) => {
      if (because !== 'command' || text === undefined) return [];
      const [sentence, ...output] = text.split('\n');
      return [...wrapped(`Rejected: ${title}, because ${sentence}`), ...output];
    }),
  ];
}

function diffLines(diff: string, style: Style): string[] {
  return diff
    .trimEnd()
    .split('\n')
    .map((line) => {
      const text = `  ${printableSource(line.replace(/\r$/, ''))}`;
      if (/^\+(?!\+\+ )/.test(line)) return style.good(text);
      return /^-(?!-- )/.test(line) ? style.bad(text) : text;
    });
}

const REASONS: Readonly<Record<Because, string>> = {
  violation: 'a call returns an unexpected result',
  deadlock: 'a call waits forever',
  sequential: 'sequential calls behave differently',
  failure: 'work is lost or done twice if an await fails or takes long',
  unfinished: 'a run does not end',
  syntax: 'the patched code cannot be loaded',
  types: 'the patched code does not compile',
  command: 'the test command fails',
  budget: 'the step budget was too small',
  bug: 'straightedge failed',
};

/** Why edits were rejected, and how many. */
export function rejectedText(rejected: readonly RejectedPatch[]): string {
  const reasons = [...new Set(rejected.map(({ because }) => because))].map((because) => {
    const number = rejected.filter((one) => one.because === because).length;
    return rejected.length === 1 ? REASONS[because] : `${REASONS[because]} (${number})`;
  });
  return `Rejected: ${count(rejected.length, 'edit')}. ${reasons.length === 1 ? 'Reason' : 'Reasons'}: ${reasons.join(', ')}.`;
}

/** Edits that nothing refutes, though not everything was explored. An exception of our own is no verdict about an edit. */
export function unrefutedText(unrefuted: readonly RejectedPatch[]): string {
  const nameOf = ({ family, title }: RejectedPatch): string => `${family} (${title})`;
  const left = unrefuted.filter(({ because }) => because !== 'bug');
  const faults = unrefuted.filter(({ because }) => because === 'bug');
  return [
    ...(left.length > 0
      ? [
          `Not refuted, but not all required tests were explored within the budget: ${left.map(nameOf).join('; ')}.`,
        ]
      : []),
    ...faults.map(
      (one) =>
        `Not judged, because of a bug in straightedge; please report this line: ${nameOf(one)}: ${printable((one.text ?? '').split('\n', 1)[0])}.`,
    ),
  ].join(' ');
}

/* What shows that a patch holds, and what it costs. */

const FAILURES_NOT_EXPLORED =
  'The failure of an await was not explored: after one, runs of the original exceed the step budget.';
const ROLES =
  'In these tests, each thread makes only calls that one thread of the failing test makes. No edit was found that also holds if several threads make the same call.';
const OWN_TEST =
  "In these tests, the threads make their first calls of the scenario's test. Other calls at the same time were not explored.";
const OWN_FAILURES =
  'If an await fails, overlapping calls return what sequential calls of the patched class return then.';
const TYPES: Readonly<Record<Patch['evidence']['types'], string>> = {
  checked: 'It compiles.',
  'not checked':
    'It parses; types were not checked: the file is not TypeScript, or the project has none installed.',
  'no compiler API':
    "It parses. Not type-checked: the project's TypeScript has no compiler API (TypeScript 7 has none).",
};

/** What shows that a patch holds. */
export function evidenceText({ evidence }: Patch, hasSpec: boolean, testCommand: string | undefined): string {
  const { sizes, failures, types, keepsRoles, keepsTest } = evidence;
  const ofKit = sizes.find(({ choice }) => choice === 'kit');
  const whole = sizes.filter(({ choice }) => choice === 'all');
  const pairs = whole.filter(({ threads }) => threads === 2);
  const tests = pairs.reduce((sum, size) => sum + size.tests, 0);
  const explored = [
    'the failing test',
    ...(ofKit ? [`all ${count(ofKit.tests, 'test')} of the kit`] : []),
    ...(pairs.length > 0 ? [`${count(tests, 'test')} of ${pairs.map(sizeText).join(' or ')}`] : []),
    ...whole.filter(({ threads }) => threads > 2).map((size) => `${size.tests} of ${sizeText(size)}`),
    ...sizes
      .filter(({ choice }) => choice === 'random')
      .map((size) => `${count(size.tests, 'random test')} of ${sizeText(size)}`),
  ];
  const last = explored.pop();
  return [
    `Verified by exploring: all schedules of ${explored.join(', ')} and ${last} pass with the patch.`,
    ...(keepsRoles ? [ROLES] : []),
    ...(keepsTest ? [OWN_TEST] : []),
    ...(ofKit
      ? []
      : [
          `The results ${hasSpec ? 'that the spec allows' : 'of the original in sequential runs'} are expected.`,
          sequencesText(evidence),
        ]),
    ...(failures === 'not explored' ? [FAILURES_NOT_EXPLORED] : []),
    ...(failures === 'own' ? [OWN_FAILURES] : []),
    ...(failures === 'concurrent' ? ['Overlapping calls were explored with failing awaits too.'] : []),
    TYPES[types],
    ...(testCommand === undefined ? [] : ['The test command passes on a copy.']),
  ].join(' ');
}

const sizeText = ({ threads, callsPerThread }: CoveredSize): string => `${threads}×${callsPerThread}`;

const sequencesText = ({ sequential, sequentialCalls, failures, corrected }: Patch['evidence']): string => {
  const behave = sequential === 1 ? 'behaves' : 'behave';
  const also = failures === 'sequential' || failures === 'concurrent' ? ', also if an await fails' : '';
  const rest = corrected
    ? ` In ${corrected} more, the original violates the spec; the patched class does not.`
    : '';
  return `${count(sequential, 'sequence')} of ${count(sequentialCalls, 'call')} ${behave} as before${also}.${rest}`;
};

/** The time that overlapping calls take. */
export function speedText({ makespan, changedLines }: Patch): string {
  const lines = `${count(changedLines, 'changed line')}.`;
  if (makespan === undefined) return lines;
  const { before, after } = makespan;
  if (before === after) return `${lines} Four overlapping calls take ${after} ms of virtual time, as before.`;
  return `${lines} Four overlapping calls take ${after} ms of virtual time; before, ${before} ms.`;
}

export const patchNotes = ({ warnings }: Patch): string[] => warnings.map((warning) => `Note: ${warning}.`);
