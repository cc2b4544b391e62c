/** A scenario: an object, and the calls that threads may make of it. The spec, or else the object, gives the types of calls. */
import { closestName } from '../../base/errors.js';
import { show } from '../../base/values/show.js';
import type { Stubs } from '../../event-loop/stubs.js';
import type { IdentityMode } from '../../execution/comparable.js';
import { ScenarioError } from '../../execution/memory/program-error.js';
import type { Methods } from '../../history/model/operation.js';
import type { PlainCall } from '../../instrument/instrumented-program.js';
import { Exclusive } from '../../objects/locks/mutex.js';
import { type AnySpec, isSyncSpec, problemInSpec, type SyncSpec } from '../../spec/rendezvous/sync-spec.js';
import type { Spec } from '../../spec/spec.js';
import type { ProveOptions } from '../model/engine.js';
import {
  type AsMethods,
  type CallOf,
  type CallsOf,
  type Choice,
  checkCall,
  checkChoice,
  checkReferences,
  type MadeUp,
  methodsOf,
  type Open,
  withNamedCalls,
} from './calls.js';

/** `validate` becomes a last call that has to return nothing and throw nothing; a stuck execution never reaches it. */
const VALIDATE = 'validate';

type Validate = (object: never) => unknown;

/** What of a scenario it changes. */
interface Validated {
  readonly after: readonly PlainCall[];
  readonly methods: Readonly<Record<string, Validate>>;
  readonly spec: AnySpec | undefined;
}

/** `called`: the methods that threads call. */
function validated<S extends Validated>(scenario: S, validate: Validate, called: readonly string[]): S {
  if (called.includes(VALIDATE))
    throw new ScenarioError(
      'threads call a method `validate`, and the scenario has one; give it another name in `methods`',
    );
  const { after, methods, spec } = scenario;
  return {
    ...scenario,
    after: [...after, [VALIDATE]],
    methods: { ...methods, [VALIDATE]: validate },
    spec: spec && withValidate(spec),
  };
}

/** The spec, with a method that does nothing. Parts and monitors do not know it: such histories are searched. */
function withValidate(given: AnySpec): AnySpec {
  if (isSyncSpec(given))
    throw new ScenarioError('`validate` beside a spec of rendezvous; leave out one of them');
  const { part: _, family: __, ...spec } = given as Spec;
  return {
    ...spec,
    methods: { ...spec.methods, [VALIDATE]: (state: unknown) => [state, undefined] },
  } as Spec;
}

/** Stops what `setup` has started. */
type Teardown = () => Promise<void>;

/** An `AbortSignal`. Its type comes from lib `dom` or `@types/node`; the declarations also compile without both. */
export type Signal = typeof globalThis extends { readonly AbortSignal: { readonly prototype: infer S } }
  ? S
  : { readonly aborted: boolean };

/** An `AbortController`; the declarations compile without its type, too. */
export interface Controller {
  readonly signal: Signal;
  abort(): void;
}

/** What `faults` of a scenario may do during a round. */
interface RoundControl {
  /** Adds a mark to the history. */
  annotate(text: string): void;
  /** Ends with the round. */
  readonly signal: Signal;
  /** Which round it is, from 0. */
  readonly round: number;
}

/** What is scheduled: macrotasks of the event loop, threads of instrumented code, or real threads. */
export type BackendName = 'async' | 'instrumented' | 'threads';

/** `O` is what `create` makes, and `H` the object under test: the same, unless `attach` makes another. */
interface Common<O, T, S extends Stubs, H> {
  readonly name?: string;
  /** A fresh object for every execution, over stand-ins for what is outside. */
  readonly create: (stubs: S) => O;
  /** If not given: `async` where methods return promises. */
  readonly backend?: BackendName;
  /** Functions that stand for something outside: they take effect late, answer late, or fail. */
  readonly stubs?: S;
  /** How many calls of stubs may fail in an execution. Default: any number. */
  readonly failures?: number;
  /** Calls are aborted, one in an execution: by `{ signal }` as their last argument, or by this function. */
  readonly cancel?: boolean | ((object: NoInfer<H>, method: string, ...args: never[]) => unknown);
  /** What a rejection means: a result, which is compared; the call had no effect; or its effect is unknown. */
  readonly outcome?: (error: unknown) => 'threw' | 'failed' | 'unknown';
  /** Under stress: the object is elsewhere, so after an error it is unknown whether the call took effect. */
  readonly remote?: boolean;
  /** Under stress: how many rounds. */
  readonly rounds?: number;
  /** Under stress: once, before the first round. Starts what the rounds need, and gives what stops it. */
  readonly setup?: () => Promise<Teardown>;
  /** Under stress: runs beside each round, to stop a server or cut a line. */
  readonly faults?: (control: RoundControl) => Promise<void>;
  /** On real threads: the file whose default export the scenario is; `import.meta.url` there. */
  readonly module?: string;
  /** Calls to choose from: one, several that are kept together, or one whose arguments are made up. */
  readonly calls?: readonly (CallOf<T> | readonly CallOf<T>[] | MadeUp<T>)[];
  /** Calls that end before the threads begin, and calls when all have ended. */
  readonly before?: readonly CallOf<T>[];
  readonly after?: readonly CallOf<T>[];
  readonly threads?: number;
  readonly callsPerThread?: number;
  /** Async code: how many calls of an execution may start between two microtasks. Default: 0. */
  readonly maxMicrotaskStarts?: number;
  /** The calls of each thread, instead of a choice. */
  readonly test?: readonly (readonly CallOf<T>[])[];
  /** Methods that only one thread may call. */
  readonly oneThread?: readonly (keyof T & string)[];
  /** Looks at the object when all calls have ended, and throws if it is not as it should be. */
  readonly validate?: (object: NoInfer<H>) => void;
  /** May who waits in a `Monitor` wake up without having been notified, once in each call? */
  readonly spuriousWakeups?: boolean;
  readonly prove?: ProveOptions;
  /** Globs of the files to instrument, relative to the scenario. Default: all files outside packages; none for asynchronous code. */
  readonly instrument?: readonly string[];
  /** Asynchronous code without a spec: also requires that calls take effect in the order in which they start. */
  readonly fair?: boolean;
  /** Asynchronous code without a spec: which results are compared by identity. Default: `opaque`. */
  readonly identity?: IdentityMode;
}

interface WithSpec<O, T extends Methods<T>, S extends Stubs, H> extends Common<O, NoInfer<T>, S, H> {
  readonly spec: Spec<T> | SyncSpec<T>;
  /** How the object does what the spec has another name for. */
  readonly methods?: {
    readonly [M in keyof T]?: (
      object: NoInfer<H>,
      ...args: [...Parameters<T[M]>, ...Cancelling[]]
    ) => unknown;
  };
}

interface WithoutSpec<O, S extends Stubs, H> extends Common<O, Open<NoInfer<H>>, S, H> {
  readonly spec?: Exclusive | undefined;
  readonly methods?: undefined;
}

interface WithMethods<O, M, S extends Stubs, H>
  extends Common<O, Open<NoInfer<H>> & AsMethods<NoInfer<M>>, S, H> {
  readonly spec?: Exclusive | undefined;
  /** Functions that make calls, by the names of the calls. */
  readonly methods: M;
}

interface Attached<O, H> {
  /** On real threads: makes the object in each thread, over what `create` has made. */
  readonly attach: (shared: O) => H;
}

type Unattached = { readonly attach?: undefined };

type Cancelling = { readonly signal: Signal };
type NoStubs = Record<never, never>;

/** The calls of a test that a scenario fixes. */
export interface FixedTest {
  readonly before: readonly PlainCall[];
  readonly threads: readonly (readonly PlainCall[])[];
  readonly after: readonly PlainCall[];
  /** Of a kit: what the test checks. */
  readonly guarantee?: string;
}

/** A scenario as the explorer takes it. */
export interface Scenario {
  readonly name: string;
  readonly create: (stubs: never) => object;
  readonly backend: BackendName | undefined;
  readonly stubs: Stubs;
  readonly failures: number;
  readonly cancel: boolean | ((object: never, method: string, ...args: never[]) => unknown) | undefined;
  readonly outcome: ((error: unknown) => 'threw' | 'failed' | 'unknown') | undefined;
  readonly remote: boolean;
  readonly rounds: number | undefined;
  readonly setup: (() => Promise<Teardown>) | undefined;
  readonly faults: ((control: RoundControl) => Promise<void>) | undefined;
  readonly attach: ((shared: never) => object) | undefined;
  readonly module: string | undefined;
  readonly spec: AnySpec | undefined;
  /** The resources that calls take and give back, if that is the spec. */
  readonly exclusive: Exclusive | undefined;
  readonly methods: Readonly<Record<string, (object: never, ...args: never[]) => unknown>>;
  readonly calls: readonly Choice[];
  readonly before: readonly PlainCall[];
  readonly after: readonly PlainCall[];
  readonly threads: number;
  readonly callsPerThread: number;
  readonly maxMicrotaskStarts: number;
  /** Does the scenario give a size? Then all tests up to that size have to be covered. */
  readonly isSizeGiven: boolean;
  readonly test: readonly (readonly PlainCall[])[] | undefined;
  /** Several tests, instead of `test`; each of their calls is needed, so a failure is not made smaller. */
  readonly tests?: readonly FixedTest[];
  /** Asynchronous code: `onIdle` of its program. */
  readonly onIdle?: (object: never, isStuck: boolean) => boolean;
  readonly oneThread: readonly string[];
  readonly instrument: readonly string[] | undefined;
  readonly spuriousWakeups: boolean;
  readonly fair: boolean;
  readonly identity: IdentityMode;
  readonly prove: ProveOptions | undefined;
  /** Of instrumented code: the same scenario without instrumentation. */
  readonly plain?: PlainScenarios | undefined;
}

/** A scenario whose code is not instrumented: as it was loaded, and how to load it again. */
export interface PlainScenarios {
  readonly loaded: Scenario;
  load(): Scenario;
  /** No run is compared any more. */
  end?(): void;
}

/** Does it fix its tests, instead of calls to choose from? */
export const hasFixedTests = ({ test, tests }: Pick<Scenario, 'test' | 'tests'>): boolean =>
  (test ?? tests) !== undefined;

type Given = Partial<Scenario> & Pick<Scenario, 'create'>;

/**
 * Defines a scenario: how to create the object, and the calls that threads make concurrently.
 *
 * @example
 * export default scenario({
 *   backend: 'instrumented', // threads over shared memory
 *   create: () => new Map<string, number>(),
 *   calls: [['set', 'a', 1], ['get', 'a']],
 *   threads: 2,
 *   callsPerThread: 2,
 * });
 */
export function scenario<O extends object, T extends Methods<T>, S extends Stubs = NoStubs>(
  given: WithSpec<O, T, S, Awaited<O>> & Unattached,
): Scenario;
export function scenario<O extends object, T extends Methods<T>, H extends object, S extends Stubs = NoStubs>(
  given: WithSpec<O, T, S, H> & Attached<O, H>,
): Scenario;
export function scenario<
  O extends object,
  H extends object,
  M extends CallsOf<NoInfer<H>>,
  S extends Stubs = NoStubs,
>(given: WithMethods<O, M, S, H> & Attached<O, H>): Scenario;
export function scenario<O extends object, M extends CallsOf<NoInfer<Awaited<O>>>, S extends Stubs = NoStubs>(
  given: WithMethods<O, M, S, Awaited<O>> & Unattached,
): Scenario;
export function scenario<O extends object, H extends object, S extends Stubs = NoStubs>(
  given: WithoutSpec<O, S, H> & Attached<O, H>,
): Scenario;
export function scenario<O extends object, S extends Stubs = NoStubs>(
  given: WithoutSpec<O, S, Awaited<O>> & Unattached,
): Scenario;
export function scenario(given: object): Scenario {
  checkNames(given);
  const isSizeGiven = 'threads' in given || 'callsPerThread' in given;
  const { spec } = given as { spec?: unknown };
  const exclusive = spec instanceof Exclusive && { spec: undefined, exclusive: spec };
  const problem = spec === undefined || exclusive ? undefined : problemInSpec(spec);
  if (problem !== undefined)
    throw new ScenarioError(
      `\`spec\` of a scenario is not a spec: ${problem}; expected { name, initial, methods } or { name, initial, rendezvous }`,
    );
  const made: Scenario = withNamedCalls({ ...DEFAULTS, isSizeGiven, ...(given as Given), ...exclusive });
  if (typeof made.create !== 'function')
    throw new ScenarioError('a scenario has no `create`; expected a function that makes a fresh object');
  if (made.test === undefined && made.calls.length === 0)
    throw new ScenarioError(
      "a scenario has neither `calls` nor `test`; expected calls to choose from, such as calls: [['push', 1], ['pop']]",
    );
  for (const name of ['threads', 'callsPerThread', 'maxMicrotaskStarts', 'failures'] as const) {
    const least = name === 'threads' || name === 'callsPerThread' ? 1 : 0;
    const expected = `expected a whole number from ${least}`;
    const isUnlimited = name === 'failures' && made.failures === Number.POSITIVE_INFINITY;
    if (!isUnlimited && (!Number.isInteger(made[name]) || made[name] < least))
      throw new ScenarioError(`\`${name}\` of a scenario is ${String(made[name])}; ${expected}`);
  }
  for (const call of [...made.before, ...made.after, ...(made.test ?? []).flat()]) checkCall(call);
  for (const choice of made.calls) checkChoice(choice);
  checkReferences(made);
  const { validate } = given as { validate?: Validate };
  const called = [...(made.test ?? []).flat().map(([method]) => method), ...made.calls.flatMap(methodsOf)];
  return validate === undefined ? made : validated(made, validate, called);
}

const DEFAULTS: Omit<Scenario, 'create' | 'isSizeGiven'> = {
  name: 'scenario',
  backend: undefined,
  stubs: {},
  failures: Number.POSITIVE_INFINITY,
  cancel: undefined,
  outcome: undefined,
  remote: false,
  rounds: undefined,
  setup: undefined,
  faults: undefined,
  attach: undefined,
  module: undefined,
  spec: undefined,
  exclusive: undefined,
  methods: {},
  calls: [],
  before: [],
  after: [],
  threads: 3,
  callsPerThread: 3,
  maxMicrotaskStarts: 0,
  test: undefined,
  oneThread: [],
  instrument: undefined,
  spuriousWakeups: false,
  fair: false,
  identity: 'opaque',
  prove: undefined,
};

/** A field that no scenario has is misspelt, and what it says would be lost. */
function checkNames(given: object): void {
  const known = ['create', 'validate', ...Object.keys(DEFAULTS)];
  const other = Object.keys(given).find((name) => name !== 'isSizeGiven' && !known.includes(name));
  if (other === undefined) return;
  const near = closestName(other, known);
  throw new ScenarioError(
    `a scenario has no field ${show(other)}; ${near === undefined ? `expected ${known.join(', ')}` : `did you mean \`${near}\`?`}`,
  );
}
