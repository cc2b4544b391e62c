/**
 * `explore --prove`: a verdict for any number of calls by k threads, if all states of the most general client can be visited.
 *
 * For 2 threads, then 3, up to the size that was asked for, the search (search.ts) visits all states, finds a violation, or neither.
 * Code that was not observed, state that cannot be read, time, randomness, values that the code looks into, and limits are
 * reasons why nothing is proved. A violation becomes an ordinary test with a schedule.
 */
import { relative } from 'node:path';
import { formatPosition, type SourcePosition } from '../../base/source-position.js';
import { untilValid } from '../../execution/memory/program-error.js';
import { MOST_OPERATIONS, type Program } from '../../execution/program.js';
import { auditPaths, Paths } from '../../instrument/audit.js';
import { type PlainCall, programOf } from '../../instrument/instrumented-program.js';
import { runtime } from '../../instrument/runtime/runtime.js';
import { isSyncSpec } from '../../spec/rendezvous/sync-spec.js';
import type { Spec } from '../../spec/spec.js';
import { placesOf, type RacePlaces, StateRaces } from '../classes/data-races.js';
import type { Deadline } from '../model/deadline.js';
import { NOT_LOCK_FREE, type ProveOptions, withoutStacks } from '../model/engine.js';
import { isSequence } from '../scenario/calls.js';
import type { Scenario } from '../scenario/scenario.js';
import { callsOf, type TestCase } from '../scenario/test-case.js';
import { CanonicalStates } from './canonical-state.js';
import { type Alphabet, alphabetOf, ClientRun, moveOf } from './client.js';
import { ConfigurationSets } from './configuration-sets.js';
import { type Term, Terms } from './fresh-values.js';
import { growthOf } from './growth.js';
import { type BadPath, Search, type SearchEnd } from './search.js';
import { GivenModel, LearnedModel, OutcomeShapes, UnlearnableError } from './spec-model.js';

/** What was established for one number of threads. */
interface ProvedSize {
  readonly threads: number;
  readonly states: number;
  readonly transitions: number;
  /** States of the specification, up to values; and the length of the longest shortest path. */
  readonly specStates: number;
  readonly depth: number;
  /** In every execution some call returns after finitely many steps, and no call waits. */
  readonly isLockFree: boolean;
}

export interface Proof {
  /** The numbers of threads for which all states were visited without a violation. */
  readonly sizes: readonly ProvedSize[];
  /** Is that all that was asked for? */
  readonly isProved: boolean;
  /** Why not, and what to try. */
  readonly problem?: string | undefined;
  readonly advice?: string | undefined;
  /** The states that were visited before the search stopped. */
  readonly states?: number | undefined;
  /** The violation that was found, as a test with a schedule. It counts when it has been run again. */
  readonly counterexample?: Counterexample | undefined;
  /** The calls that were explored, as text; the methods that got fresh values; and the bound on their number. */
  readonly calls: readonly string[];
  readonly fresh: readonly string[];
  readonly maxElements?: number | undefined;
  /** Have calls arguments that are listed? */
  readonly hasArguments: boolean;
  /** The data races in the states that were visited. */
  readonly races: readonly RacePlaces[];
}

/** A violation as a test of a fixed size, with the schedule of a shortest path. */
export interface Counterexample {
  readonly kind: 'outcome' | 'wait';
  /** The number of threads whose states were searched. */
  readonly threads: number;
  readonly test: TestCase;
  readonly schedule: readonly number[];
}

export interface ProveSetup extends ProveOptions {
  readonly threads?: number | undefined;
  readonly seed: number;
  /** For tests: another order gives the same number of states. */
  readonly isDepthFirst?: boolean | undefined;
}

const MOST_STATES = 2_000_000;

export function prove(scenario: Scenario, options: ProveSetup, deadline: Deadline): Proof {
  const { maxElements, threads = scenario.threads } = options;
  const fresh = options.fresh ?? (maxElements === undefined ? [] : methodsWithArguments(scenario));
  const hasArguments = methodsWithArguments(scenario).some((method) => !fresh.includes(method));
  const races = new StateRaces();
  const about = {
    calls: callTexts(scenario),
    fresh,
    maxElements,
    hasArguments,
    get races() {
      return placesOf(races.all);
    },
  };
  const reason = refusal(scenario, fresh);
  if (reason !== undefined) return { ...about, sizes: [], isProved: false, problem: reason };
  const sizes: ProvedSize[] = [];
  // notes of earlier explorations are about other code
  runtime.atomic.clear();
  runtime.controlled.clear();
  runtime.sensors.install();
  try {
    for (let size = Math.min(2, threads); size <= threads; size++) {
      const found = untilValid(() =>
        withoutStacks(() => proveSize(scenario, size, fresh, { ...options, races }, deadline)),
      );
      if ('problem' in found) return { ...about, sizes, isProved: false, ...found };
      if ('violation' in found) {
        const { violation: counterexample, states } = found;
        return { ...about, sizes, isProved: false, counterexample, states };
      }
      sizes.push(found.size);
    }
  } catch (error) {
    if (!(error instanceof UnlearnableError)) throw error;
    return { ...about, sizes, isProved: false, problem: unobserved(scenario) ?? error.message };
  } finally {
    runtime.leave();
    runtime.sensors.remove();
  }
  const isProved = !options.lockFree || sizes.every(({ isLockFree }) => isLockFree);
  return { ...about, sizes, isProved, ...(!isProved && { problem: NOT_LOCK_FREE }) };
}

/** Why the most general client of a scenario cannot be explored; undefined if it can. */
function refusal(scenario: Scenario, fresh: readonly string[]): string | undefined {
  const { backend, spec, test, after, calls } = scenario;
  if (backend !== 'instrumented')
    return `only threads over shared memory in instrumented code can be proved (\`backend: 'instrumented'\`), not ${backend === 'async' ? 'async code' : 'real threads'}`;
  if (test !== undefined) return 'the scenario fixes one test; give it `calls` to choose from';
  if (after.length > 0)
    return '`after` and `validate` follow the last call, and the most general client has none; remove them';
  if (spec !== undefined && isSyncSpec(spec)) return 'specifications of rendezvous are not supported';
  const generated = calls.find((choice) => !isSequence(choice) && 'method' in choice && choice.args);
  if (generated)
    return `the arguments of ${(generated as { method: string }).method} are generated; list the calls`;
  const known = new Set(
    calls.flatMap((choice) => (isSequence(choice) ? choice : [choice as PlainCall])).map(([name]) => name),
  );
  const unknown = fresh.find((method) => !known.has(method));
  return unknown === undefined
    ? undefined
    : `no call of the scenario is ${unknown}, which is to get fresh values`;
}

const methodsWithArguments = ({ calls }: Scenario): string[] => [
  ...new Set(
    calls
      .flatMap((choice) => (isSequence(choice) ? choice : 'method' in choice ? [] : [choice]))
      .filter((call) => call.length > 1)
      .map(([method]) => method),
  ),
];

const callTexts = ({ calls }: Scenario): string[] => [
  ...new Set(
    calls.map((choice) =>
      isSequence(choice)
        ? choice.map(([method]) => method).join(' then ')
        : 'method' in choice
          ? choice.method
          : choice[0],
    ),
  ),
];

type SizeResult =
  | { readonly size: ProvedSize }
  | { readonly violation: Counterexample; readonly states: number }
  | { readonly problem: string; readonly advice?: string | undefined; readonly states?: number | undefined };

function proveSize(
  scenario: Scenario,
  threads: number,
  fresh: readonly string[],
  options: ProveSetup & { readonly races: StateRaces },
  deadline: Deadline,
): SizeResult {
  const { maxStates = MOST_STATES, maxElements = Number.POSITIVE_INFINITY, isDepthFirst, races } = options;
  const alphabet = alphabetOf(scenario, fresh);
  const isForFirst = alphabet.choices[0].some((call) => call.isOfFirst);
  let seesThreads = false;
  for (;;) {
    const run = new ClientRun(scenario, alphabet, threads);
    const sortedFrom = seesThreads ? threads : isForFirst ? 1 : 0;
    const states = new CanonicalStates(run, sortedFrom);
    const outcomes = new OutcomeShapes(scenario.spec !== undefined);
    const terms = new Terms();
    run.paths = new Paths();
    run.reset();
    const model = scenario.spec
      ? new GivenModel(scenario.spec as Spec, alphabet, outcomes)
      : new LearnedModel(run, new CanonicalStates(run, threads), outcomes);
    const start = model instanceof GivenModel ? startOf(model, run, alphabet, outcomes) : model.initial;
    if (start === undefined)
      return {
        problem: 'the calls before the threads do not follow the specification; see the bounded tests',
      };
    const initial = terms.numberOf(start.shape, start.names);
    const sets = new ConfigurationSets(model, terms, { threads, seesThreads, initial });
    const search = new Search(
      { run, states, sets, terms, outcomes, races },
      {
        maxStates,
        maxElements,
        isDepthFirst,
        hasExpired: () => deadline.hasExpired(),
        isUnobserved: () => unobserved(scenario) !== undefined,
      },
    );
    const end = search.explore();
    if (end === 'threads' && !seesThreads) {
      seesThreads = true;
      continue;
    }
    if (end === 'closed') audit(scenario, run);
    const limit = search.size > maxStates ? `${maxStates} states` : 'the time for the proof';
    const problem = unobserved(scenario) ?? problemOf(end, states, limit);
    if (problem !== undefined)
      return {
        problem,
        states: search.size,
        ...(end === 'limit' && growthOf(search, run, options.maxElements)),
      };
    if (search.violation)
      return {
        violation: { kind: search.violation.kind, threads, ...testOf(run, search.violation) },
        states: search.size,
      };
    const { size, transitions, depth, isLockFree } = search;
    return { size: { threads, states: size, transitions, specStates: model.size, depth, isLockFree } };
  }
}

/** Looks for accesses that are not announced, in all steps that were taken. */
function audit({ create, methods }: Scenario, run: ClientRun): void {
  for (const path of run.paths!.found()) {
    const { test, schedule } = testOf(run, { kind: 'outcome', moves: path.map(moveOf), thread: 0 });
    // one that is too long to run takes its steps once more
    if (callsOf(test).length > MOST_OPERATIONS) continue;
    const program = programOf({ create: create as () => object, methods, ...test }) as Program;
    auditPaths(program, [schedule]);
  }
}

/** The state of a given specification when the threads start. */
function startOf(
  model: GivenModel,
  { resultsBefore, subject }: ClientRun,
  { before }: Alphabet,
  outcomes: OutcomeShapes,
): Term | undefined {
  let state: Term | undefined = model.initial;
  for (const [i, { hasThrown, result }] of resultsBefore.entries())
    state &&= model.after(state, before[i], outcomes.of(hasThrown, result, subject));
  return state;
}

function problemOf(end: SearchEnd, { opaque }: CanonicalStates, limit: string): string | undefined {
  switch (end) {
    case 'limit':
      return `a limit was reached (${limit}) before all states were visited`;
    case 'opaque':
      return `the state of ${opaque} cannot be read`;
    case 'inspected':
      return 'the code or its specification looks into the values that it is given, so fresh values do not stand for all values; list the values in `calls`';
    case 'threads':
      return 'the object distinguishes threads in some runs only';
    case 'unobserved':
    case 'closed':
    case 'violation':
      return undefined;
  }
}

/** Code that was not observed, and inputs that were replaced or read beside them, so that not all executions were explored. */
function unobserved({ create }: Scenario): string | undefined {
  const hidden = [...runtime.atomic.values()].find(({ isObserved }) => !isObserved);
  if (hidden)
    return `${at(hidden)} is not instrumented, or depends on more than its arguments, so not all executions were explored`;
  const [input] = runtime.controlled.values();
  if (input) return `${at(input)} is random or depends on time, and only some of its results were explored`;
  const [loaded] = runtime.readsAtLoad(create);
  return loaded && `${at(loaded)} is read while the file loads, so only one of its results was explored`;
}

const at = ({ name, file, line, column }: SourcePosition & { readonly name: string }): string =>
  file === '' ? name : `${name} (${formatPosition({ file: relative('.', file), line, column })})`;

/** A path as a test of a fixed size, with its schedule. The n-th fresh value becomes the number n. */
function testOf(
  run: ClientRun,
  { moves, thread: failing, refused }: BadPath,
): { test: TestCase; schedule: number[] } {
  const { alphabet } = run;
  const columns: PlainCall[][] = Array.from({ length: run.threads }, () => []);
  const state = new Int32Array(run.threads);
  let values = 0;
  const called = (thread: number, letter: number): void => {
    const [method, ...args] = alphabet.calls[letter];
    columns[thread].push(
      alphabet.fresh[letter] > 0 ? [method, ...args.map(() => ++values)] : [method, ...args],
    );
  };
  for (const { kind, thread, at } of moves) {
    if (kind !== 'call') continue;
    const { letter, next } = alphabet.choices[state[thread]][at];
    called(thread, letter);
    state[thread] = next;
  }
  if (refused) called(failing, refused.letter);
  const used = columns.flatMap((column, thread) => (column.length > 0 ? [thread] : []));
  const main = Array.from({ length: run.stepsBefore }, () => used.length);
  return {
    test: { threads: used.map((thread) => columns[thread]), before: alphabet.before, after: [] },
    schedule: [
      ...main,
      ...moves.map(({ kind, thread, at }) => (kind === 'choose' ? at : used.indexOf(thread))),
    ],
  };
}
