/** Words of verdicts, and numbers with their nouns. */

import { printable } from '../../base/values/show.js';
import type { Witness } from '../../check/model/verdict.js';
import type { Held } from '../../explore/async/quiescent-runs.js';
import { describeDifference } from '../../explore/model/trace-types.js';
import type { TestResult, Violation } from '../../explore/result.js';
import type { Scenario } from '../../explore/scenario/scenario.js';
import { isSyncSpec } from '../../spec/rendezvous/sync-spec.js';

/** `1,204`: digits in groups of three. */
export const grouped = (value: number): string => String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');

/** `1 operation`, `1,204 operations`. */
export const count = (value: number, one: string, many: string = `${one}s`): string =>
  `${grouped(value)} ${value === 1 ? one : many}`;

/** How a reader starts the command line, where the package is a dependency of a project. */
export const COMMAND = 'npx straightedge';

/** Do the calls of its object synchronise? */
export const hasRendezvous = ({ spec }: Pick<Scenario, 'spec'>): boolean =>
  spec !== undefined && isSyncSpec(spec);

export const explainedBy = ({ rendezvous }: Witness): string =>
  rendezvous === undefined ? 'linearizable' : 'synchronisation linearizable';

export const unexplainedBy = (isRendezvous: boolean): string =>
  isRendezvous ? 'not synchronisation linearizable' : 'not linearizable';

/** The verdict in the first line of a report. `isBlocked`: a call that must return is blocked. */
export function violationTitle(isRendezvous: boolean, isBlocked = false): string {
  if (!isRendezvous) return unexplainedBy(false);
  return `${unexplainedBy(true)} (${isBlocked ? 'a call is blocked that must return' : 'no sequence of rendezvous gives these results'})`;
}

/** The verdict for readers who do not know the term. */
export const noneGives = (isRendezvous: boolean): string =>
  isRendezvous
    ? 'No sequence of rendezvous of these calls gives these results.'
    : 'No sequential order of these calls that respects real time gives these results.';

/** The opposite of `noneGives`, for negated assertions. */
export const someGives = (isRendezvous: boolean): string =>
  isRendezvous
    ? 'Some sequence of rendezvous of these calls gives these results.'
    : 'Some sequential order of these calls that respects real time gives these results.';

/** The first line of a failed test, without terms of the field. */
export function violationSummary(violation: Violation | undefined, scenario: Scenario): string {
  const isRendezvous = hasRendezvous(scenario);
  switch (violation?.kind) {
    case 'wait':
      return isRendezvous
        ? 'A call is blocked forever, although no sequence of rendezvous of these calls leaves it blocked.'
        : 'A call is blocked forever, although no sequential order of these calls that respects real time blocks it.';
    case 'uncaught':
      return 'Nothing catches an error or a rejected promise; in Node this ends the process.';
    case 'nondeterminism':
      return 'The same calls in the same sequential order give different results from one run to the next.';
    default:
      return scenario.tests ? 'The object breaks a guarantee of its kind.' : noneGives(isRendezvous);
  }
}

/**
 * The first line of a test that requires exhaustive coverage and did not reach it. `limited`: the names of what the code used, if every
 * schedule was run but for other times, random numbers and firings of repeating timers.
 */
export const notExhaustive = (limited: readonly string[] | undefined): string =>
  limited === undefined
    ? "The coverage is not exhaustive, which `coverage: 'exhaustive'` requires."
    : `The coverage is exhaustive only for the times, random numbers and repeating timers of the exploration, and \`coverage: 'exhaustive'\` requires more. Used: ${limited.map(printable).join(', ')}.`;

export const whyUnexplained = (isRendezvous: boolean): string => `Why it is ${unexplainedBy(isRendezvous)}`;

/** Undefined if the expected results were learned. */
export const specName = ({ spec, exclusive }: Pick<Scenario, 'spec' | 'exclusive'>): string | undefined =>
  spec?.name ?? exclusive?.name;

/** Were the expected results learned? */
export const isLearned = (scenario: Pick<Scenario, 'spec' | 'exclusive'>): boolean =>
  specName(scenario) === undefined;

/** The name of the spec, or how the expected results were learned. */
export const expectedBy = (scenario: Pick<Scenario, 'spec' | 'exclusive' | 'backend'>): string =>
  specName(scenario) ??
  `expected results learned ${scenario.backend === 'async' ? 'by running one call at a time' : 'from sequential runs'}`;

const CLOCK = /^(new )?Date|^performance\.now$|^process\.hrtime$/;

/** Which schedules were left out because they are not fair. */
export const fairNote = (
  results: readonly Pick<TestResult, 'spins'>[],
  backend: Scenario['backend'],
): string[] =>
  results.some(({ spins }) => spins)
    ? [
        backend === 'async'
          ? 'Schedules are fair: a call does not wait in a loop forever while another call could start, a timer fire or a stub answer.'
          : 'Schedules are fair: a spinning thread continues when a location that it reads has changed.',
      ]
    : [];

/**
 * What async code assumes about repeating timers, the clock and random numbers, by the names of what it used. `idle`: what follows
 * if a repeating timer fires alone.
 */
export function inputNotes(used: readonly string[], idle: string): string[] {
  const names = [...new Set(used)].map(printable);
  const clocks = names.filter((name) => CLOCK.test(name));
  const others = names.filter((name) => !CLOCK.test(name) && name !== 'setInterval');
  return [
    ...(names.includes('setInterval')
      ? [
          `A repeating timer fires at most twice while anything else can run, unless another timer can fire only after it. ${idle}`,
        ]
      : []),
    ...(clocks.length > 0
      ? [
          `Assumes: no time passes except as timers need it. ${clocks.join(' and ')} ${clocks.length === 1 ? 'returns' : 'return'} the least possible time, so code that needs more time to pass, such as an expiry, may not have run.`,
        ]
      : []),
    ...(others.length > 0 ? [`These return the same values in every run: ${others.join(', ')}.`] : []),
  ];
}

/** What a reader must know of the drawing of a history with a clock error. */
export const WIDENED =
  'Bars are widened by the clock error; operations of one process on one object keep their order.';

/** The first call that does something else when its code is instrumented: a defect of ours as well. */
export function differenceNote(results: readonly Pick<TestResult, 'difference'>[]): string[] {
  const [found] = results.flatMap(({ difference }) => difference ?? []);
  if (found === undefined) return [];
  return [
    printable(
      `The instrumented code differs from the code itself, although one call runs at a time. ${describeDifference(found)}. So nothing is known about the schedules of the code itself. This is a defect of straightedge: please report it with this line.`,
    ),
  ];
}

/** Results show nothing of the state. */
export const NO_RESULTS =
  'Warning: in sequential runs, no call threw or was blocked, and every call returned undefined. So only another result, an error or a blocked call is a violation. Add a call that returns the state.';

/** What may be no lock, although each learned run was taken as correct. */
export function heldText({ call, most, least }: Held): string {
  const hold = (n: number, what: string): string =>
    `${n === 0 ? 'no thread' : n === 1 ? 'one thread' : `${n} threads`} ${n < 2 ? 'holds' : 'hold'} ${what}`;
  const atOnce = hold(most, most < 2 ? 'it' : 'it at once');
  const seen =
    least === undefined
      ? `${call} never waits and is never refused in a learned run, although ${hold(most, 'at once what the call gives out')}. Such runs were`
      : `in one learned run, ${call} waits or is refused while ${hold(least, 'what the call gives out')}; in another run, ${atOnce}. Both runs were`;
  return `Warning: ${seen} learned as correct. If at most one thread may hold it, use a spec (\`exclusive\` with \`max: 1\`, or \`mutex\`) or a kit (\`mutexKit\`).`;
}

const failuresNote = ({ stubs, failures = Number.POSITIVE_INFINITY }: Scenario): string[] => {
  if (Object.keys(stubs ?? {}).length === 0) return [];
  if (failures === Number.POSITIVE_INFINITY) return ['Any number of calls of stubs may fail.'];
  if (failures === 0) return ['No call of a stub fails.'];
  return [
    `At most ${count(failures, 'call')} of stubs ${failures === 1 ? 'fails' : 'fail'} in an execution.`,
  ];
};

/** `a, b and c` */
export const listed = (texts: readonly string[]): string =>
  texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`;

const TOGETHER = 'a call starts by itself, together with another call (`Promise.all`),';
const NEXT = 'right after the previous one (`await a(); await b()`)';

/** Where calls of async code start. */
const startsOf = ({ maxMicrotaskStarts: most }: Scenario): string =>
  most
    ? `${TOGETHER} ${NEXT}, or, at most ${count(most, 'time')} in an execution, any number of microtasks after a call or a return.`
    : `${TOGETHER} or ${NEXT}. Starts between two microtasks of another call are not explored.`;

/** What an exploration of asynchronous code assumes about starts, timers and stubs. */
export const startNotes = (scenario: Scenario): string[] => [
  `Assumes: ${startsOf(scenario)} Timers may be late.`,
  ...failuresNote(scenario),
];

/** What a report calls the file that a history came from. */
export const sourceName = (file: string): string => (file === '-' ? 'standard input' : file);
