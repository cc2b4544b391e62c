/** The coverage of an exploration and its assumptions, in sentences that claim no more than was established. */
import { basename } from 'node:path';
import { isMissed, type NamedPlace } from '../../base/source-position.js';
import { relativePath } from '../../base/system-files.js';
import { Interner } from '../../base/values/interner.js';
import { printable } from '../../base/values/show.js';
import type { ExploredBatch } from '../../explore/agenda.js';
import type { RacePlaces } from '../../explore/classes/data-races.js';
import type { Exploration } from '../../explore/explore.js';
import type { Proof } from '../../explore/prove/prove.js';
import {
  type Assumption,
  hasFailed,
  hasLimitedInputs,
  type TestResult,
  type UndecidedReason,
} from '../../explore/result.js';
import { hasFixedTests } from '../../explore/scenario/scenario.js';
import type { Size, TestCase } from '../../explore/scenario/test-case.js';
import {
  count,
  differenceNote,
  fairNote,
  grouped,
  inputNotes,
  isLearned,
  listed,
  startNotes,
} from '../common/verdict-words.js';
import type { Style } from './style.js';

/** Lists of places name this many. */
export const MOST_PLACES = 5;

export function coverageText(
  { batches, results, seed, scenario, assumptions, proof }: Exploration,
  { times }: Style,
): string {
  if (proof?.isProved) return provedText(proof);
  const sum = (of: 'executions' | 'sequential') => results.reduce((total, one) => total + one[of], 0);
  const samples = results
    .flatMap(({ coverage }) => coverage)
    .reduce((total, one) => total + (one.kind === 'samples' ? one.count : 0), 0);
  const facts = [
    `${count(sum('executions'), 'execution')}${samples > 0 ? `, ${grouped(samples)} of them random` : ''}`,
    ...(isLearned(scenario) ? [`${count(sum('sequential'), 'expected result')} learned`] : []),
  ];
  const covered = batchTexts(
    batches.filter(({ tests }) => tests.length > 0),
    times,
    scenario.backend === 'async' ? 'deviation' : 'preemption',
  );
  if (covered.length === 0) return 'Covered: nothing; exploration stopped before the first test.';
  if (sum('executions') === 0) return 'Covered: nothing; exploration stopped in the first sequential runs.';
  const chosen = hasFixedTests(scenario) ? '' : ` (seed ${seed})`;
  const limits = hasLimitedInputs(assumptions) ? ', under the assumptions below' : '';
  const claim = `Covered: ${covered.join('; ')}${chosen}${limits}.`;
  const scope = hasFailed(assumptions, 'instrumentation')
    ? ' of the instrumented code'
    : hasFailed(assumptions, 'accesses')
      ? ' of the observed accesses'
      : '';
  return `${claim.replaceAll('every schedule', `every schedule${scope}`)} ${facts.join('; ')}.`;
}

/** Sizes of which every test was explored exhaustively are reported together. */
function batchTexts(batches: readonly ExploredBatch[], times: string, change: string): string[] {
  const whole = batches.filter(isExhausted);
  const rest = batches.filter((batch) => !isExhausted(batch));
  const atRandom = coveredAtRandom(batches);
  const largest = largestOf(whole.filter(({ choice }) => choice === 'all'));
  const tests = whole.reduce((total, { tests }) => total + tests.length, 0);
  return [
    ...(whole.length > 0
      ? [
          `every schedule of ${tests === 1 ? 'the only test' : tests === 2 ? 'both tests' : `all ${count(tests, 'test')}`} with up to ${largest.map((batch) => sizeText(batch, times)).join(' or ')} calls`,
        ]
      : []),
    ...rest.map((batch) => batchText(batch, times, change, atRandom)),
  ];
}

const largestOf = (sizes: readonly ExploredBatch[]): ExploredBatch[] =>
  sizes.filter((one) => !sizes.some((other) => other !== one && isWithin(one, other)));

const isExhausted = ({ choice, results, tests }: ExploredBatch): boolean =>
  (choice === 'all' || choice === 'orders') && results.length === tests.length && results.every(isExhaustive);

const isExhaustive = ({ violation, coverage }: TestResult): boolean =>
  violation === undefined && coverage.some(({ kind }) => kind === 'all');

/** Was a test explored exhaustively in a random batch, after the batch of all tests of its size had been given up? */
function coveredAtRandom(batches: readonly ExploredBatch[]): (test: TestCase) => boolean {
  const columns = new Interner();
  const seesThreads = batches.some(({ results }) => results.some((one) => one.seesThreads));
  const keyOf = ({ threads }: TestCase): string => {
    const own = threads.map((calls) => columns.intern(calls));
    return (seesThreads ? own : own.sort()).join();
  };
  const covered = batches
    .filter(({ choice }) => choice === 'random')
    .flatMap(({ results }) => results.filter(isExhaustive).map(({ test }) => keyOf(test)));
  return (test) => covered.includes(keyOf(test));
}

const isWithin = (one: Size, other: Size): boolean =>
  one.threads <= other.threads && one.callsPerThread <= other.callsPerThread;

const isSameSize = (one: Size, other: Size | undefined): boolean =>
  one.threads === other?.threads && one.callsPerThread === other.callsPerThread;

/** Threads × calls per thread. */
const sizeText = ({ threads, callsPerThread }: Size, times: string): string =>
  `${threads}${times}${callsPerThread}`;

function batchText(
  batch: ExploredBatch,
  times: string,
  change: string,
  atRandom: (test: TestCase) => boolean,
): string {
  const { choice, tests, results } = batch;
  // tests that were covered to the same extent, apart from the number of changes
  const groups = new Map<string, TestResult[]>();
  const right = results.filter(({ violation }) => violation === undefined);
  for (const result of right) {
    const isLater = choice === 'all' && !isExhaustive(result) && atRandom(result.test);
    const kinds = new Set(result.coverage.map(({ kind }) => kind));
    const extent = isLater ? 'later' : kinds.has('all') ? 'all' : [...kinds].join();
    groups.set(extent, [...(groups.get(extent) ?? []), result]);
  }
  const parts = Array.from(groups, ([extent, group]) => {
    const text = extent === 'later' ? 'covered later, as a random test' : coveredText(group, change);
    return `${group.length === tests.length ? '' : `${grouped(group.length)} `}${text}`;
  });
  if (right.length < results.length) parts.push(`${grouped(results.length - right.length)} failed`);
  if (results.length < tests.length) parts.push(`${grouped(tests.length - results.length)} not started`);
  const what = {
    given: count(tests.length, 'test'),
    all: `${count(tests.length, 'test')} with ${sizeText(batch, times)} calls`,
    orders: `${count(tests.length, 'test')} with ${sizeText(batch, times)} calls and the threads in another order`,
    random: `${count(tests.length, 'random test')} with ${sizeText(batch, times)} calls`,
  }[choice];
  const isUniform = parts.length === 1 && parts[0].startsWith('with ');
  return `${what}${isUniform ? ',' : ':'} ${parts.join(', ')}`;
}

/** How tests were covered. `change`: what a bound counts; a preemption of threads, or a deviation from Node's own order in async code. */
function coveredText(tests: readonly TestResult[], change: string): string {
  const [{ coverage }] = tests;
  if (coverage.length === 0) return 'not covered';
  if (coverage.some(({ kind }) => kind === 'all')) return 'with every schedule';
  if (coverage.every(({ kind }) => kind === 'samples')) return 'with random schedules only';
  const all = tests.flatMap((test) => test.coverage);
  const bounds = all.flatMap((one) => (one.kind === 'bound' ? [one.preemptions] : []));
  const least = Math.min(...bounds);
  const bounded = `with every schedule of up to ${count(least, change)}${bounds.some((one) => one > least) ? ' or more' : ''}`;
  return coverage.map(({ kind }) => (kind === 'bound' ? bounded : 'with random schedules')).join(' and ');
}

/** Tests that were not covered. `size`: up to which all have to be. */
const REST: Readonly<Record<ExploredBatch['choice'], (size: string) => string>> = {
  given: () => 'not every given test was',
  all: (size) => `not every test up to ${size} was`,
  orders: (size) => `not every test up to ${size} with its threads in another order was`,
  random: (size) => `not every random test with ${size} calls was`,
};

const DETAILS: { readonly [R in UndecidedReason]?: string } = {
  differs: 'the instrumented code differs from the code itself',
  uncompared: 'the instrumented code was not compared with the code itself',
  unobserved: 'code ran that was not observed',
  blocked: 'no call ever returned',
  interrupted: 'interrupted',
};

/** What follows the verdict in the first line: the reason why it is undecided, and how far it got. */
export function verdictDetail(exploration: Exploration, { times }: Style): string {
  const { verdict, reason, batches, requiredSize, isSynchronous, scenario } = exploration;
  if (reason === 'unproved')
    return exploration.proof?.sizes.length
      ? ': no violation found, but not everything was proved that you asked for'
      : ': no violation found, but no proof for any number of calls';
  if (verdict === 'holds') return isSynchronous ? ': synchronous calls cannot interleave' : '';
  if (verdict === 'violation') return '';
  if (reason !== undefined && reason in DETAILS) return `: ${DETAILS[reason]}`;
  if (hasFixedTests(scenario)) return ': not every schedule was covered';
  const largest = largestOf(batches.filter((batch) => batch.choice === 'all' && isExhausted(batch)));
  const sizes = largest.map((batch) => sizeText(batch, times)).join(' or ');
  const left = batches.findLast((batch) => !isExhausted(batch));
  const size = sizeText(requiredSize, times);
  const given = batches.findLast((batch) => batch.choice === 'all' && !isExhausted(batch));
  if (given?.isRequired && isSameSize(given, left) && given.tests.every(coveredAtRandom(batches)))
    return `: ${sizes === '' ? '' : `no violation up to ${sizes}, and `}${size} was covered only by random tests`;
  const required = batches.findLast((batch) => batch.isRequired && !isExhausted(batch));
  if (!required && largest.some((batch) => isWithin(requiredSize, batch)))
    return `: no violation up to ${sizes}`;
  const isNext = required?.choice === 'orders' && !largest.some((batch) => isWithin(required, batch));
  const rest = REST[required === undefined || isNext ? 'all' : required.choice](size);
  return `: ${sizes === '' ? '' : `no violation up to ${sizes}, but `}${rest} covered`;
}

/** What a proof claims. The number of threads, the values, the bound and the memory model belong to the claim: they are never apart. */
export const claimText = (proof: Proof): string => `proved ${scopeText(proof)}`;

function scopeText({ sizes, fresh, maxElements, hasArguments }: Proof): string {
  const threads = sizes.map((size) => size.threads);
  const values =
    fresh.length > 0
      ? `a new object as each value of ${listed(fresh)}`
      : hasArguments
        ? 'the listed arguments'
        : 'no arguments';
  const bound =
    maxElements === undefined ? 'no bound on contents' : `at most ${count(maxElements, 'value')} inside`;
  return `for ${listed(threads.map(String))} ${threads.at(-1) === 1 ? 'thread' : 'threads'}, any number of calls, ${values}, ${bound}, assuming sequentially consistent memory`;
}

function provedText({ sizes, calls, fresh }: Proof): string {
  const [last, ...smaller] = sizes.toReversed();
  const others = smaller.map(({ threads, states }) => `${count(states, 'state')} with ${threads}`).reverse();
  const free = sizes.every(({ isLockFree }) => isLockFree)
    ? ' Lock-free: no call waits, and some call returns after finitely many steps.'
    : '';
  const checked =
    fresh.length > 0 ? ' The code was not seen to read a property of these values or to convert one.' : '';
  return `Covered: ${count(last.states, 'state')}, all that ${count(last.threads, 'thread')} can reach by ${listed(calls)}, in any order and number${others.length > 0 ? ` (${others.join(', ')})` : ''}. Each history is linearizable. While calls are pending, one of them can still return, unless the specification lets all of them block.${free}${checked} More threads may behave in ways that fewer cannot.`;
}

/** Why nothing, or less than asked for, was proved. */
export function unprovedTexts(proof: Proof | undefined): string[] {
  if (proof?.problem === undefined) return [];
  const { problem, advice, states, sizes } = proof;
  const visited = states === undefined ? '' : ` after ${count(states, 'state')}`;
  const about =
    sizes.length > 0
      ? [`The proof is incomplete${visited}: ${problem}.`, `Proved so far: ${scopeText(proof)}.`]
      : [`No proof for any number of calls${visited}: ${problem}.`];
  return [`${about.join(' ')}${advice === undefined ? '' : ` ${advice}`}`];
}

/** The assumptions of the result. */
export function notesOf({
  atomic,
  controlled,
  races,
  scenario,
  results,
  isSynchronous,
  assumptions,
  verdict,
}: Exploration): string[] {
  if (scenario.backend === 'async') {
    if (isSynchronous)
      return [
        "No interleaving was tested: every call returned without waiting, and on one event loop such calls run one at a time. To explore them as threads over shared memory, add `backend: 'instrumented'` to the scenario.",
      ];
    const strangers = [...new Set(results.flatMap((one) => one.uninstrumented))].map(printable);
    const hidden = [...new Set(results.flatMap(({ hiddenState }) => hiddenState ?? []))].map(printable);
    const unseen = hidden.filter((what) => !strangers.includes(what));
    return [
      ...startNotes(scenario),
      ...inputNotes(
        results.flatMap((one) => one.replaced),
        'Calls that are pending after it has fired 10 times alone count as blocked.',
      ),
      ...(strangers.length > 0
        ? [
            `All orders were tried after calls of these functions, because their accesses are unknown: ${shortened(strangers)}. Add their files to \`instrument\` to reduce the number of executions.`,
          ]
        : []),
      ...(unseen.length > 0
        ? [
            `States were not compared, because part of them cannot be seen: ${shortened(unseen)}. This takes more executions and changes no result.`,
          ]
        : []),
      ...fairNote(results, scenario.backend),
    ];
  }
  if (scenario.backend === 'threads')
    return [
      `Assumes: threads are preempted only at Atomics and DataView calls on memory that the scenario shares${scenario.instrument ? ', and at elements of typed arrays in the files that `instrument` names' : ''}. Where other plain accesses race, real threads may show more behaviours than were explored.`,
      ...fairNote(results, scenario.backend),
      ...racesNote(races),
    ];
  return [
    'Assumes: all threads see memory accesses in one order (sequential consistency), and threads can be preempted between any two accesses. JavaScript threads share only SharedArrayBuffer memory; plain fields are explored as if threads shared them.',
    ...fairNote(results, scenario.backend),
    ...(scenario.spuriousWakeups
      ? ['A thread that waits in a Monitor may wake up without a notification, once per call.']
      : []),
    ...racesNote(races),
    ...(verdict === 'undecided' ? [] : [...differenceNote(results), ...missedNote(atomic)]),
    ...(atomic.some((one) => !isMissed(one))
      ? [
          `These are not instrumented, so they ran atomically: ${places(atomic.filter((one) => !isMissed(one)))}.${verdict === 'undecided' ? '' : unobservedNote(assumptions)}`,
        ]
      : []),
    ...(controlled.length > 0
      ? [
          `Random numbers and time are modelled, with three random values and a virtual clock: ${places(controlled)}.`,
        ]
      : []),
  ];
}

const racesNote = (races: readonly RacePlaces[]): string[] =>
  races.length > 0
    ? [
        `Warning: data races between ${shortened(races.map(raceText))}. Real threads may show more behaviours than were explored.`,
      ]
    : [];

function unobservedNote(assumptions: readonly Assumption[]): string {
  const failed = assumptions.find(({ reason }) => reason === 'unobserved');
  const unknown = failed?.places.filter((one) => !isMissed(one)) ?? [];
  if (unknown.length === 0) return '';
  return ` The accesses of these are unknown, so there may be more schedules than were explored: ${places(unknown)}.`;
}

/** A defect of ours, which the user can report. */
export function missedNote(list: readonly NamedPlace[]): string[] {
  const missed = places(list.filter(isMissed).map((place) => ({ ...place, name: '' })));
  const text = `Instrumented code accesses shared memory unseen, in the step that starts at ${missed}, so there may be more schedules than were explored. This is a defect of straightedge: please report it with these lines.`;
  return missed === '' ? [] : [text];
}

export const places = (list: readonly NamedPlace[]): string =>
  shortened(
    list.map(({ name, file, line }) => {
      const at = `${relativePath(file)}:${line}`;
      return printable(name === '' ? at : `${name} (${at})`);
    }),
  );

/** `jobs.ts:11 and jobs.ts:13 (taken)` */
function raceText({ name, places: both }: RacePlaces): string {
  const [one, other] = both.map(({ file, line }) => `${basename(file)}:${line}`);
  return printable(`${one} and ${one === other ? 'itself' : other}${name === '' ? '' : ` (${name})`}`);
}

/** Distinct texts, the first few of them. */
function shortened(texts: readonly string[]): string {
  const distinct = [...new Set(texts)];
  return `${distinct.slice(0, MOST_PLACES).join(', ')}${distinct.length > MOST_PLACES ? ` and ${distinct.length - MOST_PLACES} more` : ''}`;
}
