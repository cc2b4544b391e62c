/**
 * Learned runs are compared with the code itself (explore/learning/plain-runs.ts). On all constructs there is no difference. With a
 * planted fault, in which one built-in function gives something else when instrumented code calls it, the first call that shows it is named.
 */
import { expect, test } from 'vitest';
import { Random } from '../../../src/base/random.js';
import { ProgramError, untilValid } from '../../../src/execution/memory/program-error.js';
import type { Coroutine } from '../../../src/execution/program.js';
import { exploreSync } from '../../../src/explore/explore.js';
import type { Difference } from '../../../src/explore/model/trace-types.js';
import { type Scenario, scenario } from '../../../src/explore/scenario/scenario.js';
import { ThreadBackend } from '../../../src/explore/thread-backend.js';
import { runtime } from '../../../src/instrument/runtime/runtime.js';
import { loadScript } from '../../support/fixtures/instrumented.js';
import {
  aliasRows,
  builtinRows,
  cellRows,
  containerRows,
  loopRows,
  type Row,
} from '../../support/generators/constructs.js';
import { randomRows } from '../../support/generators/random-constructs.js';
import { share } from '../../support/share.js';

/** `make` of a script, without instrumentation. */
function plainScript(code: string): () => object {
  const module = { exports: {} as { make?: () => object } };
  new Function('module', 'exports', code)(module, module.exports);
  return module.exports.make!;
}

function scenarioOf(row: Pick<Row, 'code' | 'threads'>): Scenario {
  const given = (create: () => object): Scenario =>
    scenario({ backend: 'instrumented', create, test: row.threads as never });
  const load = (): Scenario => given(plainScript(row.code));
  return { ...given(loadScript(row.code)), plain: { loaded: load(), load } };
}

interface Compared {
  readonly difference: Difference | undefined;
  readonly isCompared: boolean;
}

/** Compares all sequential runs; undefined if the program is refused. */
function compared(from: Scenario): Compared | undefined {
  runtime.atomic.clear();
  runtime.controlled.clear();
  const globals = new Set(Object.keys(globalThis));
  try {
    return untilValid(() => {
      const session = new ThreadBackend(from, { threads: from.test!, before: [], after: [] }).start({
        seed: 1,
        isCompared: true,
      });
      session.compare();
      const { difference, isCompared } = session.notes();
      return { difference, isCompared };
    });
  } catch (error) {
    if (error instanceof ProgramError) return undefined;
    throw error;
  } finally {
    runtime.leave();
    runtime.failure = undefined;
    for (const name of Object.keys(globalThis))
      if (!globals.has(name)) Reflect.deleteProperty(globalThis, name);
  }
}

const random = new Random(20261119);
const ROWS: Readonly<Record<string, () => readonly Row[]>> = {
  cells: () => cellRows(share(1, 23)),
  loops: loopRows,
  aliases: aliasRows,
  containers: containerRows,
  'built-in functions': builtinRows,
  'random programs': () => Array.from({ length: share(500, 10) }, () => randomRows(random, 4)).flat(),
};

test.each(Object.keys(ROWS))('%s: no difference', (kind) => {
  const wrong: unknown[] = [];
  let count = 0;
  for (const row of ROWS[kind]()) {
    const found = compared(scenarioOf(row));
    if (found?.isCompared) count++;
    if (found?.difference) wrong.push([row.name, row.code, found.difference]);
  }
  expect(wrong).toEqual([]);
  expect(count).toBeGreaterThan(20);
});

/** Another value of the same kind. */
function corrupted(value: unknown): unknown {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'string') return `${value}?`;
  if (typeof value === 'boolean') return !value;
  return value === undefined || value === null ? 1 : undefined;
}

type Built = (...args: never[]) => unknown;

/** Runs with calls of built-in functions replaced, and lists the functions that were called. */
function withFault<T>(
  fault: Built | undefined,
  run: () => T,
): { readonly result: T; readonly called: Set<Built> } {
  const called = new Set<Built>();
  const { call, done } = runtime;
  let isAnnounced = false;
  runtime.call = (target, self, args, site) => {
    const action = call.call(runtime, target, self, args, site);
    if (typeof target !== 'function' || !/\[native code\]/.test(Function.prototype.toString.call(target)))
      return action;
    called.add(target as Built);
    if (target !== fault || runtime.memory === undefined) return action;
    isAnnounced = action === 1;
    if (action === 0) runtime.v = corrupted(runtime.v);
    if (action === 2) {
      const inner = runtime.g as Coroutine;
      runtime.g = (function* (): Coroutine {
        return corrupted(yield* inner);
      })();
    }
    return action;
  };
  runtime.done = () => {
    const value = done.call(runtime);
    const isFaulty = isAnnounced;
    isAnnounced = false;
    return isFaulty ? corrupted(value) : value;
  };
  try {
    return { result: run(), called };
  } finally {
    Reflect.deleteProperty(runtime, 'call');
    Reflect.deleteProperty(runtime, 'done');
  }
}

/** `go` returns what a built-in function gives. */
const CALLS: readonly string[] = [
  'this.list.map((x) => x + 1)',
  'this.list.filter((x) => x > 1)',
  'this.list.reduce((a, x) => a + x, 0)',
  'this.list.some((x) => x > 1)',
  'this.list.every((x) => x > 0)',
  'this.list.find((x) => x > 1)',
  'this.list.findIndex((x) => x > 1)',
  'this.list.findLast((x) => x > 1)',
  'this.list.flatMap((x) => [x, x])',
  'this.list.flat()',
  'this.list.toSorted((a, b) => b - a)',
  '[...this.list].sort()',
  'this.list.slice(1)',
  'this.list.indexOf(2)',
  'this.list.includes(2)',
  'this.list.join("-")',
  'this.list.at(-1)',
  'this.list.concat([4])',
  'this.list.push(7)',
  'this.list.pop()',
  'this.list.shift()',
  'this.list.unshift(0)',
  'this.list.splice(0, 1)',
  'this.map.get("a")',
  'this.map.has("a")',
  'this.map.delete("a")',
  '[...this.map.keys()]',
  'this.set.has(1)',
  'this.set.delete(1)',
  'Object.keys(this.object)',
  'Object.entries(this.object)',
  'Object.values(this.object)',
  'Object.assign({}, this.object)',
  'Object.hasOwn(this.object, "n")',
  'Object.freeze({ ...this.object })',
  'Reflect.get(this.object, "n")',
  'Reflect.has(this.object, "n")',
  'Reflect.ownKeys(this.object)',
  'JSON.stringify(this.object)',
  'Array.from(this.list)',
  'Array.from(this.list, (x) => x * 2)',
  'Math.max(...this.list)',
  'Number(this.object.n)',
  'String(this.list)',
  'structuredClone(this.object)',
  '"a-b".replace("-", () => "+")',
  'this.view.at(0)',
  'this.view.indexOf(5)',
  'this.view.fill(3).length',
  'Atomics.add(this.view, 0, 1)',
  'Atomics.load(this.view, 0)',
  'this.date.getTime()',
  'this.date.setTime(5)',
];
const FIELDS =
  'list = [1, 2, 3]; map = new Map([["a", 1]]); set = new Set([1]); object = { n: 1 }; view = new Int32Array([5]); date = new Date(3);';

test('a built-in function that gives something else is named with its call', () => {
  const missed: string[] = [];
  let faults = 0;
  for (const code of CALLS) {
    const row = {
      code: `class C { ${FIELDS} go() { return ${code} } put() { this.object.n++; } } exports.make = () => new C()`,
      threads: [[['go'], ['go']], [['put']]] as Row['threads'],
    };
    const plain = withFault(undefined, () => compared(scenarioOf(row)));
    expect(plain.result, code).toMatchObject({ isCompared: true, difference: undefined });
    expect(plain.called.size, code).toBeGreaterThan(0);
    for (const fault of plain.called) {
      faults++;
      const { result } = withFault(fault, () => compared(scenarioOf(row)));
      // a program that is refused claims nothing
      if (result !== undefined && result.difference?.call !== 'go()') missed.push(`${code}: ${fault.name}`);
    }
  }
  expect(missed).toEqual([]);
  expect(faults).toBeGreaterThan(CALLS.length - 1);
});

const COUNTER = `class C { n = 0; list = [1]; go() { this.n += this.list.at(0); return this.n } put() { this.list[0]++ } } exports.make = () => new C()`;
const CALLS_OF_COUNTER = [['go'], ['put']] as const;

test.each([false, true])(
  'an exploration with a difference is undecided, also with `prove`: %s',
  (isProving) => {
    const given = scenarioOf({ code: COUNTER, threads: [] });
    const at = Array.prototype.at as Built;
    const bounded = {
      ...given,
      test: undefined,
      calls: CALLS_OF_COUNTER.map((call) => [...call] as [string]),
    };
    const plain = { ...given.plain!.loaded, test: undefined, calls: bounded.calls };
    const from = { ...bounded, plain: { loaded: plain, load: () => plain } };
    const options = { threads: 2, callsPerThread: 1, prove: isProving && { maxStates: 50 } };
    const sound = exploreSync(from, options);
    expect(sound.assumptions.find(({ name }) => name === 'instrumentation')?.status).toBe('held');
    const { result } = withFault(at, () => exploreSync(from, options));
    expect(result.assumptions.find(({ name }) => name === 'instrumentation')).toMatchObject({
      status: 'failed',
      reason: 'differs',
      places: [{ name: 'go' }],
    });
    expect(result.verdict).not.toBe('holds');
  },
);

test('code that keeps state in its file is loaded again for each run', () => {
  const code = `let next = 0; class C { id = ++next; go() { return this.id } } exports.make = () => new C()`;
  const row = { code, threads: [[['go'], ['go']], [['go']]] as Row['threads'] };
  expect(compared(scenarioOf(row))).toMatchObject({ isCompared: true, difference: undefined });
});

test('a call that never returns in the code itself differs, and one that both block does not', () => {
  const code = (loop: string) =>
    `class C { f = new Int32Array(1); go() { ${loop} return 1 } put() { this.f[0] = 1 } } exports.make = () => new C()`;
  const row = (loop: string) => ({ code: code(loop), threads: [[['go']], [['put']]] as Row['threads'] });
  const spinning = row('while (this.f[0] === 0);');
  expect(compared(scenarioOf(spinning))).toMatchObject({ isCompared: true, difference: undefined });
  const given = scenarioOf(row(''));
  const loaded = { ...given, create: plainScript(spinning.code) };
  const found = compared({ ...given, plain: { loaded, load: () => loaded } });
  expect(found?.difference).toMatchObject({ call: 'go()', plain: 'does not return' });
});
