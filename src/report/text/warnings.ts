/** Warnings about a scenario and its learned runs, and the assumptions of an exploration that failed, with what to try. */
import { isMissed } from '../../base/source-position.js';
import { printable } from '../../base/values/show.js';
import type { Exploration } from '../../explore/explore.js';
import type { Assumption, TestResult } from '../../explore/result.js';
import { hasFixedTests, type Scenario } from '../../explore/scenario/scenario.js';
import { count, differenceNote, grouped, heldText, NO_RESULTS } from '../common/verdict-words.js';
import { missedNote, places } from './coverage.js';

/** Methods that threw in every sequential run, and calls that a sequential run blocks. */
export const sequentialTexts = ({
  alwaysThrew,
  blockedInSequence,
  neverEnded,
  hasNoResults,
  held,
  verdict,
  reason,
}: Exploration): string[] => [
  ...(hasNoResults && verdict !== 'violation' ? [NO_RESULTS] : []),
  ...(verdict === 'violation' ? [] : held.map((one) => printable(heldText(one)))),
  ...alwaysThrew.map(({ method, threw }) =>
    printable(
      `Warning: ${method} threw ${threw} in every run, also alone, so nothing else about it was tested.`,
    ),
  ),
  ...neverEnded.map((call) => {
    const blocked = blockedInSequence.find((one) => one.call === call);
    const where = blocked === undefined ? '' : `: it is blocked forever ${orderOf(blocked)}`;
    return printable(
      `Warning: ${call} ends in no learned run${where}. So a concurrent run that blocks it is not reported. Add the calls that complete it, or a \`spec\`.`,
    );
  }),
  ...blockedInSequence.flatMap((blocked) =>
    neverEnded.includes(blocked.call)
      ? []
      : printable(
          `Warning: ${blocked.call} is blocked forever ${orderOf(blocked)}. So a concurrent run that blocks it in that state is not reported.`,
        ),
  ),
  ...(reason === 'blocked'
    ? [
        'Nothing could be learned, because no call returned, even when one call ran at a time. Add the calls that let these return, or a `spec` that says when they may block.',
      ]
    : []),
];

/** The shortest run that blocks a call. */
const orderOf = ({ after }: Exploration['blockedInSequence'][number]): string =>
  after.length === 0 ? 'even if it is the only call' : `after ${after.join(', ')}, even in sequence`;

/** What atomicity checkers report about the same executions. Data races are listed below the assumptions. */
export function alsoTexts({ races, warnings }: Exploration): string[] {
  if (warnings === undefined) return [];
  const { executions, unserializable, pairs } = warnings;
  const which = pairs.length > 0 ? ` (${pairs.map(printable).join(', ')})` : '';
  const atomicity =
    unserializable > 0
      ? `Warning: ${grouped(unserializable)} of ${count(executions, 'execution')} not conflict-serializable${which}.`
      : `No execution of ${grouped(executions)} breaks conflict serializability.`;
  return [races.length > 0 ? atomicity : `${atomicity} No data race was found.`];
}

/** The assumptions that failed, each with its places and what to do. */
export const failedTexts = ({ assumptions, results, scenario }: Exploration): string[] =>
  assumptions
    .filter(({ status }) => status === 'failed')
    .map((failed) => failedText(failed, results, scenario));

const uncomparedReasons = (results: readonly TestResult[]): string[] => [
  ...new Set(results.flatMap(({ uncompared }) => uncompared ?? [])),
];

function failedText(
  { reason, places: at, limit = 0 }: Assumption,
  results: readonly TestResult[],
  scenario: Scenario,
): string {
  const isAsync = scenario.backend === 'async';
  switch (reason) {
    case 'executions':
      return 'Fewer executions were run than required, and not every schedule was covered. Require fewer, or explore larger tests.';
    case 'differs':
      return differenceNote(results).join(' ');
    case 'uncompared':
      return `The instrumented code was not compared with the code itself, run one call at a time: ${uncomparedReasons(results).join('; ')}. So "every schedule" is not established for the code itself.`;
    case 'unobserved':
      return [
        ...missedNote(at),
        ...(at.every(isMissed)
          ? []
          : [
              `These are not instrumented, so they ran atomically and their accesses are unknown: ${places(at.filter((one) => !isMissed(one)))}. There may be more schedules than were explored. Add their files to \`instrument\`.`,
            ]),
      ].join(' ');
    case 'tests':
      return 'There are too many tests of the size that has to be covered, so only random ones were explored. Try a smaller size (`--calls-per-thread 1`), fewer calls to choose from, or --random-tests 20.';
    case 'interrupted':
      return 'Interrupted before everything was explored.';
    case 'abandoned':
      return 'The result of abandoned tests is unknown. Look for an infinite loop in them.';
    case 'steps': {
      const runs = count(
        results.reduce((sum, { unfinished }) => sum + unfinished, 0),
        'run',
      );
      const where = at.length === 0 ? '' : `, ${isAsync ? 'the last of them set at' : 'at'} ${places(at)}`;
      return `${runs} reached the limit of ${grouped(limit)} ${isAsync ? 'macrotasks' : 'steps'}${where}. If a loop has no end, end it or let it block; if it is only long, try a larger --max-steps.`;
    }
    default:
      return `The time was not enough to cover everything. Try ${remediesFor(scenario)}.`;
  }
}

const remediesFor = (scenario: Scenario): string => {
  const remedies = [
    'a larger `timeout` (--timeout)',
    ...(hasFixedTests(scenario) ? [] : ['fewer `threads` or `callsPerThread`']),
    ...(Object.keys(scenario.stubs).length > 0 && scenario.failures > 1
      ? ['`failures: 1` (at most one call of a stub fails)']
      : []),
  ];
  return `${remedies.join(', ')}, or --max-preemptions 2`;
};
