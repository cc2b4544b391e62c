/** What shows that a patch holds, and what it costs. */

import type { CoveredSize } from '../../root-cause/patches/guard-tests.js';
import type { Patch } from '../../root-cause/patches/patches.js';
import { count } from '../common/verdict-words.js';

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
    `Verified by exploring: every schedule of ${explored.join(', ')} and ${last} passes with the patch.`,
    ...(keepsRoles ? [ROLES] : []),
    ...(keepsTest ? [OWN_TEST] : []),
    ...(ofKit
      ? []
      : [
          `Expected are the results of ${hasSpec ? 'the spec' : 'the original in sequential runs'}.`,
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
