/**
 * What happens outside of the patched object: calls of stubs, awaits, and their failures; time, and the console.
 *
 * Without stubs, each await of a call or a timer in the class asks a stub of its own first. At most one of them fails in an
 * execution. The log of all such calls is the result of one more call, so that it is compared like any other result. A `Version`
 * is a text of the patched file as a program, with and without failures.
 */
import { copyOf } from '../../base/values/canonical.js';
import { show } from '../../base/values/show.js';
import { currentLoop } from '../../event-loop/event-loop.js';
import { StubFailures, type Stubs, stubsFor } from '../../event-loop/stubs.js';
import { backendFor } from '../../explore/choose-backend.js';
import { isSequence } from '../../explore/scenario/calls.js';
import type { Scenario } from '../../explore/scenario/scenario.js';
import type { TestCase } from '../../explore/scenario/test-case.js';
import type { PlainCall } from '../../instrument/instrumented-program.js';
import { type Node, tools } from '../../instrument/syntax/tree.js';
import {
  bodyNode,
  type ClassSource,
  classesIn,
  fieldName,
  isOwnField,
  nameOfClass,
  ownNodes,
  walk,
} from './model/source.js';

/** A call at the end of a test that returns the calls to the outside. */
const OUTSIDE = 'calls to the outside';
/** The function that instrumented awaits call. */
const AWAIT: unique symbol = Symbol.for('straightedge.await') as never;

export const withOutside = (test: TestCase): TestCase => ({ ...test, after: [...test.after, [OUTSIDE]] });

interface Awaiting {
  [AWAIT]?: (name: string, run: () => unknown) => unknown;
}

const failable = new WeakSet<Scenario>();
export const mayFail = (scenario: Scenario): boolean => failable.has(scenario);

/** A scenario in which one await or stub may fail, and a last call returns what was called outside. */
export function withFailures(scenario: Scenario, hasAwaits: boolean): Scenario {
  let log: unknown[] = [];
  const noted = (name: string, args: readonly unknown[], result: unknown): unknown => {
    log.push([name, ...(copyOf(args) as unknown[])]);
    if (result instanceof Promise)
      result.catch((error: unknown) => {
        if (error instanceof Error && error.name === 'StubFailure') log.push([name, 'fails']);
      });
    return result;
  };
  const create = (): object => {
    log = [];
    const failures = new StubFailures(1);
    const stubs = stubsFor(scenario.stubs, currentLoop, failures);
    const own = Object.entries(stubs).map(([name, stub]) => [
      name,
      (...args: never[]) => noted(name, args, stub(...args)),
    ]);
    // the awaited code runs afterwards, as a part of its own call
    (globalThis as Awaiting)[AWAIT] = (name, run) => {
      const asked = stubsFor({ [name]: () => undefined }, currentLoop, failures)[name]();
      return (noted(name, [], asked) as Promise<unknown>).then(run);
    };
    return scenario.create(Object.fromEntries(own) as never);
  };
  const made: Scenario = {
    ...scenario,
    create,
    spec: undefined,
    stubs: {} satisfies Stubs,
    outcome: () => 'threw',
    methods: { ...scenario.methods, [OUTSIDE]: () => log.toSorted((a, b) => (show(a) < show(b) ? -1 : 1)) },
  };
  if (hasAwaits || Object.keys(scenario.stubs).length > 0) failable.add(made);
  return made;
}

/** Stubs that take one millisecond of virtual time. */
const slow = (stubs: Stubs): Stubs =>
  Object.fromEntries(
    Object.entries(stubs).map(([name, stub]) => [
      name,
      async (...args: never[]) => {
        await new Promise((resolve) => setTimeout(resolve, 1));
        return stub(...args);
      },
    ]),
  );

/** The text of a class whose awaits of calls may fail: `await call()` asks a stub of that name. */
export function withFailingAwaits(cls: ClassSource): string | undefined {
  const edited = new (tools().MagicString)(cls.source.text);
  // also those of closures: a patch may move a body into one
  for (const method of cls.methods)
    walk(bodyNode(method), (node) => {
      if (node.type !== 'AwaitExpression' || !canFail(cls, node.argument)) return undefined;
      const { argument } = node;
      const called = argument.type === 'CallExpression' ? argument.callee : argument;
      const name = JSON.stringify(
        called === argument ? 'promise' : cls.textOf(called).replace(/^this\./, ''),
      );
      edited.appendLeft(argument.start, `globalThis[Symbol.for('straightedge.await')](${name}, () => `);
      edited.appendRight(argument.end, ')');
      return undefined;
    });
  return edited.hasChanged() ? edited.toString() : undefined;
}

/** Is an awaited value the result of a call or of a timer? A promise that another call resolves does not fail by itself. */
function canFail(cls: ClassSource, argument: Node): boolean {
  if (argument.type === 'NewExpression') return /setTimeout|setImmediate/.test(cls.textOf(argument));
  if (argument.type !== 'CallExpression') return false;
  const called = isOwnField(argument.callee) ? cls.method(fieldName(argument.callee)) : undefined;
  // then the awaits inside may fail
  return [argument, ...(called ? [bodyNode(called)] : [])].every((inner) =>
    ownNodes(inner).every(({ type }) => type !== 'AwaitExpression'),
  );
}

export type Load = (overlay: ReadonlyMap<string, string>) => Scenario;

interface VersionOptions {
  readonly path: string;
  readonly className: string;
  readonly losesWork?: boolean;
  readonly changesFailures?: boolean;
}

/** A text of the patched file as a program; with failures if they are needed. */
export class Version {
  readonly scenario: Scenario;
  readonly losesWork: boolean;
  readonly changesFailures: boolean;
  readonly #load: Load;
  readonly #options: VersionOptions;
  readonly #text: string;
  #failing: Scenario | undefined;

  constructor(load: Load, options: VersionOptions, text: string) {
    this.#load = load;
    this.#options = options;
    this.#text = text;
    this.losesWork = options.losesWork ?? false;
    this.changesFailures = options.changesFailures ?? false;
    this.scenario = load(new Map([[options.path, text]]));
  }

  failing(): Scenario {
    this.#failing ??= this.#withFailures();
    return this.#failing;
  }

  #withFailures(): Scenario {
    const { path, className } = this.#options;
    const hasStubs = Object.keys(this.scenario.stubs).length > 0;
    const cls = classesIn(path, this.#text).find((one) => nameOfClass(one) === className);
    const text = hasStubs || cls === undefined ? undefined : withFailingAwaits(cls);
    const scenario = text === undefined ? this.scenario : this.#load(new Map([[path, text]]));
    return withFailures(scenario, text !== undefined);
  }
}

const OVERLAPPING = 4;
const ELAPSED = 'elapsed';

/** Virtual milliseconds that overlapping calls of a test take; undefined for threads. */
export function makespanOf(
  scenario: Scenario,
  { threads, before }: TestCase,
  choices: Scenario['calls'],
): number | undefined {
  if (scenario.backend !== 'async') return undefined;
  const calls = threads.flat();
  const others = choices.filter((choice) => !isSequence(choice) && !('method' in choice));
  const methods = { ...scenario.methods, [ELAPSED]: () => currentLoop()?.now() };
  // calls with other arguments too: a lock for each key keeps them concurrent
  const mixed = [calls[0], ...(others as PlainCall[]), ...calls, ...calls];
  const overlapping = mixed.slice(0, OVERLAPPING).map((call) => [call]);
  const test = { threads: overlapping, before, after: [[ELAPSED] as const] };
  const timed = { ...scenario, spec: undefined, methods, stubs: slow(scenario.stubs) };
  const { history } = backendFor(timed, test).trace([]);
  const last = [...history].at(-1);
  return last?.method === ELAPSED && last.outcome.kind === 'returned'
    ? Number(last.outcome.value)
    : undefined;
}

const PRINTING = ['log', 'info', 'debug', 'warn', 'error', 'trace', 'dir', 'table'] as const;

/** Runs the search without the console of user code, which would print in each of many thousand executions. */
export function silently<R>(run: () => R): R {
  const printing = PRINTING.map((name) => [name, console[name]] as const);
  for (const name of PRINTING) console[name] = () => {};
  try {
    return run();
  } finally {
    Object.assign(console, Object.fromEntries(printing));
  }
}
