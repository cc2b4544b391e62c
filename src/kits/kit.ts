/**
 * What all kits share: named guarantees, each with tests whose calls check it.
 *
 * The calls of a kit return nothing. A call that sees a broken guarantee throws `BrokenGuarantee` with a sentence about it. If nothing
 * is left to do and calls have not ended, they throw one too. So the spec is trivial: every call returns.
 */
import { now } from '../event-loop/control.js';
import { currentLoop } from '../event-loop/event-loop.js';
import { ScenarioError } from '../execution/memory/program-error.js';
import { type Controller, type FixedTest, type Scenario, scenario } from '../explore/scenario/scenario.js';
import type { PlainCall } from '../instrument/instrumented-program.js';
import type { Spec } from '../spec/spec.js';

export type Awaitable<T> = T | PromiseLike<T>;

/** Scenarios of one kind of object, to be explored together or one by one. */
export interface Kit extends Scenario {
  /** One scenario for each guarantee; its name says the guarantee. */
  readonly scenarios: readonly Scenario[];
}

/** What every adapter may say. */
export interface KitOptions {
  /** The name in reports. Default: the kind. */
  readonly name?: string;
  /** How many calls of an execution may start between two microtasks. Default: 0. */
  readonly maxMicrotaskStarts?: number;
}

/** The object under test does not do what its kind guarantees. */
export class BrokenGuarantee extends Error {
  override readonly name = 'BrokenGuarantee';
}

/** A call in progress, for messages. */
export interface Caller {
  readonly name: string;
  /** What it waits for: `acquire`. */
  doing: string;
}

interface Pending extends Caller {
  readonly reject: (error: BrokenGuarantee) => void;
}

/** One execution: the object under test, the calls in progress, and what they have seen. */
export class World<O> {
  readonly object: O;
  readonly #pending: Pending[] = [];
  readonly #quiet: (() => void)[] = [];
  readonly #controllers: Map<number, Controller> = new Map();
  /** Seen by a function of the kit, and not yet thrown. */
  #broken: BrokenGuarantee | undefined;
  #hasBroken = false;

  constructor(object: O) {
    this.object = object;
  }

  /** What a call that is blocked forever should know: `no call holds the lock`. */
  state(): string {
    return '';
  }

  /** Runs a call. It is rejected if it can never end. */
  call(name: string, run: (caller: Caller) => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      const caller: Pending = { name, doing: '', reject };
      this.#pending.push(caller);
      const ends = (): void => {
        this.#pending.splice(this.#pending.indexOf(caller), 1);
      };
      run(caller).then(
        () => {
          ends();
          const broken = this.#takeBroken();
          if (broken) reject(broken);
          else resolve();
        },
        (error: unknown) => {
          ends();
          reject(this.#takeBroken() ?? (error as Error));
        },
      );
    });
  }

  /** Records the first broken guarantee that a function of the kit sees when the object calls it; the next call that ends throws it. */
  breaks(sentence: string): void {
    if (this.#hasBroken) return;
    this.#hasBroken = true;
    this.#broken = new BrokenGuarantee(sentence);
  }

  #takeBroken(): BrokenGuarantee | undefined {
    const broken = this.#broken;
    this.#broken = undefined;
    return broken;
  }

  /** What aborts the call with this number. */
  controllerOf(n: number): Controller {
    const controller = this.#controllers.get(n) ?? (new AbortController() as Controller);
    this.#controllers.set(n, controller);
    return controller;
  }

  isAborted(n: number): boolean {
    return this.#controllers.get(n)?.signal.aborted ?? false;
  }

  /** Something outside the object: takes any time. */
  wait(does: string): Promise<void> {
    return new Promise((resolve) => outside(does, resolve));
  }

  /** Work of a call. */
  work(caller: Caller): Promise<void> {
    return this.wait(`${caller.name}: its work ends`);
  }

  /** Resolves when nothing else can happen but repeating timers. */
  quiet(): Promise<void> {
    return new Promise((resolve) => this.#quiet.push(resolve));
  }

  onIdle(isStuck: boolean): boolean {
    const resolve = this.#quiet.shift();
    if (resolve !== undefined) {
      outside('nothing else can happen', resolve);
      return true;
    }
    const blocked = isStuck ? this.#pending.shift() : undefined;
    if (blocked === undefined) return false;
    const { name, doing, reject } = blocked;
    const state = this.state();
    outside(`${name} is blocked`, () =>
      reject(
        new BrokenGuarantee(`${name} is blocked forever in ${doing}()${state === '' ? '' : `: ${state}`}`),
      ),
    );
    return true;
  }
}

/** The time, for guarantees about time. The report says that the kit has read it, and not the object. */
export const timeNow = (): number => now('Date.now (in the kit)');

/** Something outside the object happens: at any time, in a macrotask of its own. */
function outside(does: string, run: () => void): void {
  const loop = currentLoop();
  if (loop === undefined)
    throw new ScenarioError(
      'the object ran a function of the kit outside of the exploration: it may have kept timers of Node when it was loaded. npx straightedge explore loads it later',
    );
  loop.add({ kind: 'answer', does, run });
}

/** A call rejected though it should not. */
export const rejected = ({ name, doing }: Caller, error: unknown): Error =>
  error instanceof BrokenGuarantee || error instanceof ScenarioError
    ? error
    : new BrokenGuarantee(`${doing}() of ${name} rejected: ${String(error)}`, { cause: error });

/** `A, B and C` */
export const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

/** A guarantee of a kind, and the tests that check it. */
export interface Tested {
  readonly guarantee: string;
  readonly tests: readonly FixedTest[];
}

/**
 * A test: `use 1, use 3 | use 2` has two clients; the first one makes two calls. `after`: calls when all have ended.
 * Words and numbers after a name are its arguments.
 */
export const clients = (threads: string, after = '', before = ''): FixedTest => ({
  before: callsIn(before),
  threads: threads
    .split('|')
    .map(callsIn)
    .filter((calls) => calls.length > 0),
  after: callsIn(after),
});

const callsIn = (text: string): PlainCall[] =>
  text
    .split(',')
    .map((call) => call.trim())
    .filter((call) => call !== '')
    .map((call) => {
      const [method, ...args] = call.split(' ');
      return [method, ...args.map((arg) => (/^\d+$/.test(arg) ? Number(arg) : arg))];
    });

/** Numbers from `first` on. */
export const numbers = (count: number, first = 1): number[] =>
  Array.from({ length: count }, (_, i) => first + i);

/** The calls of clients, by their names. */
export type Calls<W> = Readonly<Record<string, (world: W, ...args: never[]) => unknown>>;

interface KitParts<W> {
  readonly kind: string;
  readonly options: KitOptions;
  readonly create: () => Awaitable<W>;
  readonly methods: Calls<W>;
  /** `false` and `undefined` stand for guarantees that the adapter does not name. */
  readonly guarantees: readonly (Tested | false | undefined)[];
}

export function kitOf<W extends World<unknown>>({
  kind,
  options,
  create,
  methods,
  guarantees,
}: KitParts<W>): Kit {
  const { name = kind, maxMicrotaskStarts = 0 } = options;
  const tested = guarantees
    .filter((one) => one !== undefined && one !== false)
    .map(({ guarantee, tests }) => ({ guarantee, tests: tests.map((test) => ({ ...test, guarantee })) }));
  const spec: Spec = {
    name: `guarantees of ${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}`,
    initial: 0,
    methods: Object.fromEntries(
      Object.keys(methods).map((method) => [method, (state: unknown) => [state, undefined] as const]),
    ),
  };
  const base = scenario({ create, spec, methods, calls: [], test: [], backend: 'async' } as never);
  const scenarioOf = (own: string, tests: readonly FixedTest[]): Scenario => ({
    ...base,
    name: own,
    maxMicrotaskStarts,
    test: undefined,
    tests,
    onIdle: (world: W, isStuck) => world.onIdle(isStuck),
  });
  return {
    ...scenarioOf(
      name,
      tested.flatMap(({ tests }) => tests),
    ),
    scenarios: tested.map(({ guarantee, tests }) => scenarioOf(`${name}: ${guarantee}`, tests)),
  };
}
