/** The report of a replay on a terminal. */
import { printable } from '../../base/values/show.js';
import type { FailureStep } from '../../explore/backend.js';
import type { ReplayResult } from '../../explore/failure/failure.js';
import type { PatchReport, ReplayReport } from '../common/report-types.js';
import { COMMAND, count } from '../common/verdict-words.js';
import { evidenceText, patchNotes, rejectedText, speedText, unrefutedText } from '../sentences/root-cause.js';
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

/** Patches that are printed. */
const MOST_PATCHES = 3;

/** The patches with their evidence, and the edits that are none. */
function patchLines(
  { search, saved, isApplied, testCommand }: PatchReport,
  file: string,
  hasSpec: boolean,
  style: Style,
): string[] {
  const wrapped = (text: string): string[] => wrapWords(text, style.width - 2).map((line) => `  ${line}`);
  const { patches, unrefuted, rejected } = search;
  const shown = patches.slice(0, MOST_PATCHES);
  const lines = shown.flatMap((patch, i) => [
    '',
    ...wrapped(`Patch ${i + 1} of ${patches.length}: ${patch.title}.`),
    '',
    ...diffLines(patch.diff, style),
    '',
    ...wrapped(evidenceText(patch, hasSpec, testCommand)),
    ...wrapped([speedText(patch), ...patchNotes(patch)].join(' ')),
    ...(saved[i] ? wrapped(`Saved as ${printable(saved[i])}.`) : []),
  ]);
  const applied = isApplied
    ? `Applied patch 1 to ${printable(patches[0].file)}. No schedule of the failing test fails any more.`
    : patches.length > 0
      ? `To apply patch 1: ${COMMAND} explain ${printable(file)} --apply`
      : `Patch: none found. ${rejected.length + unrefuted.length === 0 ? 'No known kind of edit fits the code' : `${count(rejected.length + unrefuted.length, 'edit')} ${rejected.length + unrefuted.length === 1 ? 'was' : 'were'} explored`}.`;
  return [
    ...lines,
    '',
    ...wrapped(applied),
    ...(unrefuted.length > 0 ? wrapped(unrefutedText(unrefuted)) : []),
    ...(rejected.length > 0 ? wrapped(rejectedText(rejected)) : []),
  ];
}

function diffLines(diff: string, style: Style): string[] {
  return diff
    .trimEnd()
    .split('\n')
    .map((line) => {
      const text = `  ${printable(line.replace(/\r$/, ''))}`;
      if (/^\+(?!\+\+ )/.test(line)) return style.good(text);
      return /^-(?!-- )/.test(line) ? style.bad(text) : text;
    });
}
