/**
 * The code of a scenario without instrumentation, and its objects and arguments.
 *
 * The loader of an instrumented module loads it again as it is (`plainOf`). In a test runner the scenario stands in the test, and the
 * instrumented files are imported: while runs are compared, the variables that these files export hold the same without
 * instrumentation (`plainInRunner`).
 */
import type { AnyFunction } from '../../base/any-function.js';
import { isPrimitive } from '../../base/values/canonical.js';
import { ResultReference } from '../../base/values/result-reference.js';
import { isInstrumented, type PlainCall } from '../../instrument/instrumented-program.js';
import { loadPlain, plainLoader } from '../../instrument/load.js';
import { closureOf, isInstrumentedClass, NOWHERE } from '../../instrument/model/coroutine-versions.js';
import { reach } from '../../instrument/model/reach.js';
import { runtime } from '../../instrument/runtime/runtime.js';
import { isSequence } from '../scenario/calls.js';
import type { PlainScenarios, Scenario } from '../scenario/scenario.js';

/** Is a value the same in all loads of a file? */
const isComparable = (value: unknown): boolean => isPrimitive(value) && typeof value !== 'symbol';

/** An argument that cannot be made again. */
export const UNKNOWN: unique symbol = Symbol('unknown');

/** Arguments of a scenario to those of the same one, loaded again: the one at the same place of the scenario, or a copy of plain data. */
export class Arguments {
  readonly #others = new Map<unknown, unknown>();

  constructor(scenario: Scenario, code: Scenario) {
    const [own, others] = [valuesIn(scenario), valuesIn(code)];
    if (own.length === others.length)
      for (const [i, value] of own.entries()) if (!isComparable(value)) this.#others.set(value, others[i]);
  }

  of(arg: unknown): unknown {
    if (isComparable(arg) || arg instanceof ResultReference) return arg;
    if (typeof arg === 'function' && !isInstrumented(arg) && !this.#others.has(arg)) return arg;
    return this.#others.get(arg) ?? copyOf(arg);
  }
}

/** All arguments that a scenario lists. */
function valuesIn({ calls, before, after, test, tests }: Scenario): unknown[] {
  const listed = calls.flatMap((choice): readonly PlainCall[] =>
    isSequence(choice) ? choice : 'method' in choice ? [] : [choice],
  );
  const fixed = (tests ?? []).flatMap((one) => [...one.threads.flat(), ...one.before, ...one.after]);
  return [...listed, ...before, ...after, ...(test ?? []).flat(), ...fixed].flatMap(([, ...args]) => args);
}

/** A copy of lists and plain objects; UNKNOWN for all else. */
function copyOf(value: unknown): unknown {
  if (isComparable(value)) return value;
  const prototype = Object(value) === value ? (Object.getPrototypeOf(value) as object | null) : undefined;
  if (prototype !== Array.prototype && prototype !== Object.prototype) return UNKNOWN;
  const parts = Object.entries(value as object).map(([key, part]) => [key, copyOf(part)] as const);
  if (parts.some(([, part]) => part === UNKNOWN)) return UNKNOWN;
  return Array.isArray(value) ? parts.map(([, part]) => part) : Object.fromEntries(parts);
}

// ── the code itself ──

type Functions = Pick<Scenario, 'create' | 'methods'>;

/** A scenario with other functions, and without the calls, whose arguments belong to the instrumented code. */
const withFunctions = (scenario: Scenario, functions: Functions): Scenario => ({
  ...scenario,
  ...functions,
  ...{ calls: [], before: [], after: [], test: undefined, tests: [] },
});

const mapped = (
  { create, methods }: Functions,
  by: (called: AnyFunction) => AnyFunction | undefined,
): Functions => ({
  create: (by(create as AnyFunction) ?? create) as Scenario['create'],
  methods: Object.fromEntries(
    Object.entries(methods).map(([name, called]) => [name, by(called as AnyFunction) ?? called]),
  ) as Scenario['methods'],
});

/** `create` of a scenario to its `methods`, and both without instrumentation: tests of a scenario share them. */
const known = new WeakMap<
  Scenario['create'],
  { readonly methods: Scenario['methods']; readonly plain: PlainScenarios }
>();

/** The scenario without instrumentation; undefined if nothing is known of its files. */
export function plainOf(scenario: Scenario): PlainScenarios | undefined {
  const { create, methods } = scenario;
  const before = known.get(create);
  const plain = scenario.plain ?? (before?.methods === methods ? before.plain : findPlain(scenario));
  if (plain !== undefined) known.set(create, { methods, plain });
  return plain;
}

function findPlain(scenario: Scenario): PlainScenarios | undefined {
  const load = (): Scenario | undefined => {
    const find = loadPlain(scenario.create as AnyFunction);
    return find && withFunctions(scenario, mapped(scenario, find));
  };
  const loaded = load();
  if (loaded !== undefined) return { loaded, load: () => load()! };
  // what a plugin has instrumented needs our own modules
  return runtime.exported.size === 0 ? plainInRunner(scenario, {}) : undefined;
}

/** The scenario as it is, while the variables that instrumented files export hold the same without instrumentation. */
export function plainInRunner(
  scenario: Scenario,
  modules: Readonly<Record<string, unknown>>,
): PlainScenarios {
  const files = [...runtime.exported.keys()];
  const variables = [...runtime.exported.values()];
  const instrumented = variables.map((own) =>
    Object.fromEntries(Object.entries(own).map(([name, [read]]) => [name, read()])),
  );
  const exchange = (values: readonly unknown[]): void => {
    for (const [i, own] of variables.entries())
      for (const [name, [, assign]] of Object.entries(own))
        assign((values[i] as Record<string, unknown>)[name]);
  };
  const loadFiles = plainLoader(files, { modules });
  const load = (): Scenario => {
    const plain = files.length === 0 ? [] : loadFiles();
    const create = (stubs: never): object => {
      exchange(plain);
      return scenario.create(stubs);
    };
    return withFunctions(scenario, { ...scenario, create });
  };
  let loaded: Scenario | undefined;
  return {
    get loaded() {
      loaded ??= load();
      return loaded;
    },
    load,
    end: () => exchange(instrumented),
  };
}

/** Does an object hold instrumented code? Then it is not the code itself. */
export function holdsInstrumented(object: object): boolean {
  const seen = new Set<object>();
  const visit = (part: unknown): void => {
    if (part !== null && (typeof part === 'object' || typeof part === 'function')) seen.add(part);
  };
  visit(object);
  for (const part of seen) {
    if (closureSite(part) !== NOWHERE || isInstrumentedClass(part)) return true;
    reach(part, visit);
  }
  return false;
}

/** Functions of our own have coroutines, too, and stand in no file. */
const closureSite = (part: object): number => closureOf(part)?.site ?? NOWHERE;
