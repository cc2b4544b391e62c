/** The answer of an exploration for people: the verdict, what was covered, and how it goes wrong. */
import { basename } from 'node:path';
import { printable } from '../../base/values/show.js';
import type { SetAside } from '../../explore/agenda.js';
import type { RacePlaces } from '../../explore/classes/data-races.js';
import type { Exploration } from '../../explore/explore.js';
import type { Trace } from '../../explore/model/trace-types.js';
import type { Explored, Violation } from '../../explore/result.js';
import type { Scenario } from '../../explore/scenario/scenario.js';
import type { History } from '../../history/history.js';
import type { Called } from '../../instrument/runtime/calls.js';
import type { ExplorationReport } from '../common/report-types.js';
import { count, grouped, hasMeetings, relativePath, unexplainedBy } from '../common/verdict-words.js';
import { blame } from '../sentences/blame.js';
import { coverageText, partlyCovered } from './coverage.js';
import { explanationLines, markedBy } from './explanation.js';
import { interleaving } from './interleaving.js';
import { painted, reasonLines } from './reason-lines.js';
import { type Style, wrapWords } from './style.js';
import { drawTimeline } from './timeline.js';

const MOST_PLACES = 5;
const LONGEST_TOKEN = 400;
export const NONDETERMINISM = 'Where that is meant, --allow-nondeterminism takes both as right.';

export function explorationText(report: ExplorationReport, style: Style): string {
  const { exploration, failure } = report;
  const { verdict } = exploration;
  const part = partlyCovered(exploration, report.isSizeAsked ?? false, style);
  const mark = {
    holds: style.good(`${style.yes} no violation`) + style.strong(part?.mark ?? ''),
    violation: style.bad(
      `${style.no} ${violationInWords(failure?.explored.violation, exploration.scenario)}`,
    ),
    undecided: style.strong(`${style.unsure} undecided`),
  }[verdict];
  return [
    headline(report, style, mark),
    ...(failure ? ['', ...failureLines(failure.explored, failure.trace, report, style)] : []),
    ...againLines(report),
    '',
    ...(part ? wrapped(part.text, style) : []),
    ...wrapped(coverageText(exploration, style), style),
    ...throwTexts(exploration).flatMap((text) => wrapped(text, style)),
    ...alsoTexts(exploration).flatMap((text) => wrapped(text, style)),
    ...exploration.setAside.slice(0, MOST_PLACES).flatMap((one) => wrapped(setAsideText(one), style)),
    ...(verdict === 'undecided' ? wrapped(advice(exploration), style) : []),
    ...notesOf(exploration).flatMap((note) => wrapped(note, style).map(style.faint)),
  ].join('\n');
}

/** How to run it again; a token that is too long to be copied is left out. */
function againLines({ file, saved }: ExplorationReport): string[] {
  if (saved === undefined) return [];
  const path = `  To run it again: straightedge replay ${printable(saved.path)}`;
  if (saved.token.length > LONGEST_TOKEN) return ['', path];
  return ['', path, `  or: straightedge replay ${saved.token} --scenario ${printable(file)}`];
}

function headline({ file, exploration, failure }: ExplorationReport, style: Style, mark: string): string {
  const { scenario, explored } = exploration;
  const matrix = (failure?.explored ?? explored.at(-1))?.matrix;
  const facts = [
    file,
    scenario.name,
    scenario.spec?.name ?? 'learnt from serial runs',
    ...(matrix && failure ? [shape(matrix.threads)] : []),
  ];
  return `${mark}  ${style.faint(facts.map(printable).join(style.strokes.line === '-' ? ', ' : ' · '))}`;
}

const shape = (threads: Explored['matrix']['threads']): string =>
  `${count(threads.length, 'thread')}, ${count(threads.flat().length, 'call')}`;

export function violationInWords(violation: Violation | undefined, scenario: Pick<Scenario, 'spec'>): string {
  if (violation?.kind === 'nondeterminism') return 'not deterministic';
  return violation?.kind === 'wait' ? 'waits for ever' : unexplainedBy(hasMeetings(scenario));
}

type FailureReport = Pick<ExplorationReport, 'sourceOf' | 'explained'> & {
  readonly exploration: Pick<Exploration, 'scenario'>;
};

export function failureLines(
  { violation, serial }: Explored,
  trace: Trace | undefined,
  { exploration: { scenario }, sourceOf, explained }: FailureReport,
  style: Style,
): string[] {
  if (violation?.kind === 'nondeterminism')
    return [
      ...wrapped('The same calls, one after another, have ended in two ways:', style),
      ...violation.histories.flatMap((history) => ['', ...drawn(history, history.length - 1, style)]),
      '',
      ...wrapped(NONDETERMINISM, style),
    ];
  if (!violation || !trace) return [];
  const { history } = trace;
  const { fault, verdict, why } = blame(violation, serial, trace, scenario);
  const counterexample = verdict?.kind === 'violation' ? verdict.counterexample : undefined;
  return [
    ...drawn(history, fault, style),
    '',
    ...(counterexample
      ? reasonLines(counterexample, history, style).map((line) => `  ${line}`)
      : wrapped(painted(why, style), style)),
    '',
    ...interleaving(trace, fault, sourceOf, style, markedBy(explained)).map((line) => `  ${line}`),
    ...(explained ? ['', ...explanationLines(explained, trace, sourceOf, style)] : []),
  ];
}

const drawn = (history: History, fault: number, style: Style): string[] =>
  drawTimeline(history, fault, style).map((line) => `  ${line}`);

/** Methods of which nothing is known but that they throw. */
export const throwTexts = ({ alwaysThrew }: Exploration): string[] =>
  alwaysThrew.map(({ method, threw }) =>
    printable(`${method} always threw ${threw}, even alone: nothing else is known of it.`),
  );

/** What other checkers would have said of the same executions. */
function alsoTexts({ races, warnings }: Exploration): string[] {
  if (warnings === undefined) return [];
  const { executions, unserializable, pairs } = warnings;
  const which = pairs.length > 0 ? ` (${pairs.map(printable).join(', ')})` : '';
  return [
    `Also: ${count(races.length, 'race')} between plain accesses; ${count(unserializable, 'execution')} of ${grouped(executions)} not conflict-serializable${which}.`,
  ];
}

function advice({ reason, explored }: Exploration): string {
  if (reason === 'interrupted') return 'It was interrupted: more may be wrong than was seen.';
  if (reason === 'set aside')
    return 'Nobody could tell what comes of tests that were set aside. Give what never ends an end, or let it wait.';
  if (reason === 'steps')
    return `${count(
      explored.reduce((sum, { unfinished }) => sum + unfinished, 0),
      'run',
    )} did not come to an end and were given up: a loop changes something for ever. Give it an end, or let it wait.`;
  return 'Time ran out before all was covered. Try a longer --timeout, fewer --threads or --calls-per-thread, or ask for less with --preemptions 2.';
}

/** Which test, by its number and calls, and why. */
function setAsideText({ batch: { threads, callsPerThread, matrices }, test, why }: SetAside): string {
  const calls = matrices[test].threads.map((column) => column.map(([method]) => method).join(', '));
  return `Set aside: test ${test} of ${threads}x${callsPerThread}, ${printable(`${calls.join(' | ')}. ${why}`)}.`;
}

/** What the result rests on. */
export function notesOf({ atomic, controlled, races, scenario, explored }: Exploration): string[] {
  if (scenario.backend === 'async') {
    const asked = [...new Set(explored.flatMap((one) => one.asked))].map(printable);
    const strangers = [...new Set(explored.flatMap((one) => one.strangers))].map(printable);
    return [
      'Assumed: calls begin in tasks of their own, in one breath with another call, or at once when the one before has ended. Microtasks ran as in Node; timers may be late.',
      ...(asked.length > 0 ? [`The same in every run: ${asked.join(', ')}.`] : []),
      ...(strangers.length > 0
        ? [
            `Once these were called all orders were tried, since what they read and write is not known: ${shortened(strangers)}. Name their files in \`transform\` too.`,
          ]
        : []),
    ];
  }
  if (scenario.backend === 'workers')
    return [
      `Assumed: threads switch only at calls of Atomics on memory that the scenario shares${scenario.transform ? ', and at elements of typed arrays in the files that `transform` names' : ''}. Other plain accesses are no place to switch: where they race, more may happen than was explored.`,
      ...fairNote(explored),
      ...racesNote(races),
    ];
  return [
    'Assumed: sequential consistency, and switches between any two accesses. For Atomics that is real; for plain fields it is a model, as if threads shared them.',
    ...fairNote(explored),
    ...(scenario.spuriousWakeups
      ? ['Who waits in a Monitor may wake up without having been notified, once in each call.']
      : []),
    ...racesNote(races),
    ...(atomic.length > 0
      ? [`Run in one step, since not transformed: ${places(atomic)}.${sharedNote(atomic)}`]
      : []),
    ...(controlled.length > 0
      ? [
          `Luck and time are a model, of three random numbers and a clock that waits for who waits: ${places(controlled)}.`,
        ]
      : []),
  ];
}

const fairNote = (explored: Exploration['explored']): string[] =>
  explored.some(({ spins }) => spins)
    ? ['Schedules are fair: who looks again and again goes on when what it looks at has changed.']
    : [];

const racesNote = (races: readonly RacePlaces[]): string[] =>
  races.length > 0
    ? [
        `Plain accesses race, so with real threads more may happen than was explored: ${shortened(races.map(raceText))}.`,
      ]
    : [];

const sharedNote = (atomic: readonly Called[]): string =>
  atomic.some(({ isGivenShared }) => isGivenShared)
    ? ' Some were given what threads share: what they do to it is not seen, so this is not exhaustive.'
    : '';

const places = (list: readonly Called[]): string =>
  shortened(list.map(({ name, file, line }) => printable(`${name} (${relativePath(file)}:${line})`)));

/** `jobs.ts:11 and jobs.ts:13 (taken)` */
function raceText({ name, places: both }: RacePlaces): string {
  const [one, other] = both.map(({ file, line }) => `${basename(file)}:${line}`);
  return printable(`${one} and ${one === other ? 'itself' : other}${name === '' ? '' : ` (${name})`}`);
}

/** Each text once, and not too many. */
function shortened(texts: readonly string[]): string {
  const distinct = [...new Set(texts)];
  const rest = distinct.length - MOST_PLACES;
  return `${distinct.slice(0, MOST_PLACES).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

const wrapped = (text: string, style: Style): string[] =>
  wrapWords(text, style.width - 2).map((line) => `  ${line}`);
