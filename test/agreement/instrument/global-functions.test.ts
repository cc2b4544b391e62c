/**
 * No function of the platform is blind: every function and getter that can be reached from `globalThis`, of the Node that runs this test, gets
 * a shared object as `this` and as an argument, while another thread changes what it reads, or reads what it changes. Then exploration has
 * the results of both orders, or says that it has not observed the call, or refuses it.
 *
 * Cases in which the function itself neither shows what the object holds, nor changes it, are left out: run natively, without the explorer.
 */
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { untilValid } from '../../../src/execution/memory/program-error.js';
import { runtime } from '../../../src/instrument/runtime/runtime.js';
import { loadScript, programOn } from '../../support/fixtures/instrumented.js';
import { sequentialHistories } from '../../support/oracles/brute-force.js';
import { resultsByDpor } from '../../support/oracles/engines.js';
import { share } from '../../support/share.js';

type Called = (...args: unknown[]) => unknown;

/** Kind of object: how it is made, how another thread changes it, and what shows its state. */
const KINDS: Readonly<Record<string, readonly [make: string, put: string, see: string]>> = {
  list: ['[1, 2]', 'o[0] = 3; o.push(4)', 'o.join() + o.length'],
  texts: ['["a"]', 'o[0] = "b"', 'o.join()'],
  object: [
    '({ x: 1, length: 1, 0: "p" })',
    'o.x = 2; o.y = 3; o[0] = "q"',
    'Object.keys(o).join() + o.x + o[0]',
  ],
  convertible: ['({ n: 1, toString() { return "" + this.n; } })', 'o.n = 2', 'o.n'],
  map: ['new Map([[1, 2]])', 'o.set(1, 3); o.set(4, 5)', '[...o].join()'],
  set: ['new Set([1])', 'o.add(2)', '[...o].join()'],
  date: ['new Date(1e12)', 'o.setTime(5e11)', 'o.getTime()'],
  pattern: ['/a/g', 'o.lastIndex = 1', 'o.lastIndex'],
  numbers: ['new Int32Array([2, 1])', 'o[0] = 7', '[...o].join()'],
  bytes: ['new Uint8Array([2, 1])', 'o[0] = 7', '[...o].join()'],
  buffer: ['new ArrayBuffer(8)', 'new Int32Array(o)[0] = 7', 'new Int32Array(o).join()'],
  view: ['new DataView(new ArrayBuffer(8))', 'o.setInt32(0, 7)', 'o.getInt32(0)'],
  error: ['new Error("m")', 'o.message = "n"', 'o.message'],
  'weak map': ['new WeakMap([[KEY, 1]])', 'o.set(KEY, 2)', 'o.get(KEY)'],
  'weak set': ['new WeakSet([KEY])', 'o.delete(KEY)', 'o.has(KEY)'],
  iterator: ['[1, 2].values()', 'o.next()', 'o.next().value'],
  symbols: [
    '({ [Symbol.toStringTag]: "A", [Symbol.isConcatSpreadable]: false, length: 1, 0: 1 })',
    'o[Symbol.toStringTag] = "B"; o[Symbol.isConcatSpreadable] = true',
    'o[Symbol.toStringTag] + o[Symbol.isConcatSpreadable]',
  ],
  heir: [
    'Object.create({ n: 1, m: 2 })',
    'Object.getPrototypeOf(o).n = 3; delete Object.getPrototypeOf(o).m',
    'o.n + Object.keys(o).join()',
  ],
  accessors: ['({ m: 1, get n() { return this.m; }, set n(v) { this.m = v; } })', 'o.m = 2', 'o.n'],
  'own iterator': [
    '({ n: 1, [Symbol.iterator]() { const that = this; let i = 0; return { next: () => ({ done: i++ >= that.n, value: i }) }; } })',
    'o.n = 3',
    'o.n',
  ],
  frozen: ['({ n: 1 })', 'Object.freeze(o)', 'Object.isFrozen(o)'],
  holes: ['[1, , 3]', 'delete o[0]', '(0 in o) + o.join()'],
  function: ['Object.assign(function f() { return 1; }, { n: 1 })', 'o.n = 2', 'o.n'],
  'boxed text': ['Object.assign(new String("a"), { n: 1 })', 'o.n = 2', 'o.n'],
};

/** What stands beside the object, as the other arguments. */
const BESIDE: readonly unknown[] = [undefined, 0, 'x'];
const KEY = {};

const codeOf = (kind: string): string => {
  const [make, put, see] = KINDS[kind];
  return `class C { constructor(KEY) { this.o = ${make}; }
    go(f, self, place, x) { const { o } = this; return place === 0 ? f.call(o, x) : place === 1 ? f.call(self, o, x) : f.call(self, x, o); }
    read(key) { return this.o[key]; }
    put(KEY) { const { o } = this; ${put}; }
    see(KEY) { const { o } = this; return ${see}; } }
  exports.make = (key) => new C(key)`;
};

interface Native {
  go(f: Called, self: unknown, place: number, x: unknown): unknown;
  read(key: PropertyKey): unknown;
  put(key: object): void;
  see(key: object): unknown;
}

function nativeMaker(kind: string): () => Native {
  const module = { exports: {} as { make?: (key: object) => Native } };
  new Function('module', 'exports', codeOf(kind))(module, module.exports);
  return () => module.exports.make!(KEY);
}

interface Found {
  readonly path: string;
  readonly called: Called;
  /** The receiver that a method expects. */
  readonly self: () => unknown;
}

/** Functions that end, block or stop the process, or run something later; and those of the test runner. */
const LEFT_OUT =
  /^(process|console|navigator|performance|crypto\.subtle|WebAssembly|fetch|WebSocket|EventSource|vitest|__|storage|localStorage|sessionStorage)|set(Timeout|Interval|Immediate)|clear(Timeout|Interval|Immediate)|queueMicrotask|Atomics\.wait|gc$|eval$|Function$|\.constructor$|captureStackTrace|prepareStackTrace|__define|__lookup|caller|^(Readable|Writable|Transform|ByteLength|Count|Compression|Decompression|Broadcast|Message|Worker|Request|Response|Headers|FormData|Blob|File|Event|Abort|Custom|CloseEvent|Performance|TextDecoderStream|TextEncoderStream|Subtle|Crypto|Storage|DOMException|Navigator|MessagePort|Promise|FinalizationRegistry|Temporal|Suppressed|Disposable|AsyncDisposable|Iterator\.prototype\[)/;

const SAMPLES: Readonly<Record<string, () => unknown>> = {
  Array: () => [],
  Map: () => new Map(),
  Set: () => new Set(),
  WeakMap: () => new WeakMap(),
  WeakSet: () => new WeakSet(),
  Date: () => new Date(0),
  RegExp: () => /a/,
  String: () => 'a',
  Number: () => 1,
  Boolean: () => true,
  BigInt: () => 1n,
  Int32Array: () => new Int32Array(2),
  Uint8Array: () => new Uint8Array(2),
  Function: () => () => 0,
  Object: () => ({}),
  DataView: () => new DataView(new ArrayBuffer(8)),
};

function functionsOfGlobals(): Found[] {
  const found = new Map<unknown, Found>();
  const look = (holder: object, path: string, self: () => unknown, depth: number): void => {
    for (const key of Reflect.ownKeys(holder)) {
      // of the test runner
      if (holder === globalThis && typeof key === 'symbol') continue;
      const at =
        path === '' ? String(key) : `${path}${typeof key === 'symbol' ? `[${String(key)}]` : `.${key}`}`;
      const { value } = Object.getOwnPropertyDescriptor(holder, key)!;
      if (LEFT_OUT.test(at) || value === null || found.has(value)) continue;
      if (typeof value === 'function') {
        found.set(value, { path: at, called: value as Called, self });
        const { prototype } = value as { prototype?: object };
        const made = SAMPLES[String(key)] ?? (() => undefined);
        if (depth > 0) {
          look(value, at, () => value, depth - 1);
          if (prototype) look(prototype, `${at}.prototype`, made, depth - 1);
          const base = Object.getPrototypeOf(value) as object | null;
          if (base && base !== Function.prototype && (base as { prototype?: object }).prototype)
            look(
              (base as { prototype: object }).prototype,
              `${(base as Called).name}.prototype`,
              made,
              depth - 1,
            );
        }
      } else if (typeof value === 'object' && depth > 0 && /^[A-Z]/.test(String(key)))
        look(value as object, at, () => value, depth - 1);
    }
  };
  look(globalThis, '', () => undefined, 3);
  for (const [name, made] of Object.entries({
    'array iterator': [].values(),
    'map iterator': new Map().keys(),
    'set iterator': new Set().keys(),
    'string iterator': ''[Symbol.iterator](),
  }))
    look(Object.getPrototypeOf(made) as object, name, () => made, 0);
  return [...found.values()];
}

const textOf = (value: unknown): string => inspect(value, { depth: 4, getters: false });
const attempt = (run: () => unknown): string => {
  try {
    return textOf(run());
  } catch (error) {
    // the texts of the engine contain those of objects
    return (error as Error).name;
  }
};

type Case = readonly [method: 'go' | 'read', ...args: unknown[]];

/** Does a call show the state of the object, or change it? */
function isRelevant(
  make: () => Native,
  [method, ...args]: Case,
): readonly [shows: boolean, changes: boolean] {
  const call = (object: Native): string =>
    attempt(() => (object[method] as Called)(...args.map((arg) => (arg instanceof Self ? arg.made() : arg))));
  const [plain, other, changed] = [make(), make(), make()];
  other.put(KEY);
  const before = attempt(() => make().see(KEY));
  const shows = call(plain) !== call(other);
  call(changed);
  return [shows, attempt(() => changed.see(KEY)) !== before];
}

/** A receiver, which is made anew for each call. */
class Self {
  readonly made: () => unknown;
  constructor(made: () => unknown) {
    this.made = made;
  }
}

/** The results that one of the two orders has, and exploration has not; undefined if it says that it is not complete. */
function missed(create: () => object, case_: Case, other: 'put' | 'see'): readonly string[] | undefined {
  runtime.atomic.clear();
  runtime.controlled.clear();
  const [method, ...given] = case_;
  const args = given.map((arg) => (arg instanceof Self ? arg.made() : arg));
  const program = programOn(create, { threads: [[[method, ...args]], [[other, KEY]]] as never });
  try {
    const results = new Set(
      untilValid(() => resultsByDpor(program)).map(({ outcomes }) => outcomes.map(withoutTexts).join('|')),
    );
    const orders = untilValid(() => sequentialHistories(program));
    if ([...runtime.atomic.values()].some(({ isObserved }) => !isObserved)) return undefined;
    return orders
      .map((order) =>
        [...order]
          .sort(([a], [b]) => a - b)
          .map(([, outcome]) => withoutTexts(outcome))
          .join('|'),
      )
      .filter((outcomes) => !results.has(outcomes));
  } catch {
    // refused
    return undefined;
  } finally {
    runtime.leave();
    runtime.failure = undefined;
  }
}

/** Without the texts of the engine, and without stacks, which depend on the run. */
const withoutTexts = (outcome: string): string =>
  outcome.replaceAll(/("error":"\w+)[^|]*|"stack":\{.*?\}/g, '$1');

const FOUND = functionsOfGlobals();
const EVERY = share(1, 12);

test.each(Object.keys(KINDS))('of %s: no call hides a result', (kind) => {
  const make = nativeMaker(kind);
  const instrumented = loadScript(codeOf(kind)) as unknown as (key: object) => object;
  const create = () => instrumented(KEY);
  const blind: string[] = [];
  let [count, explored] = [0, 0];
  const check = (path: string, case_: Case): void => {
    const [shows, changes] = isRelevant(make, case_);
    for (const other of [...(shows ? (['put'] as const) : []), ...(changes ? (['see'] as const) : [])]) {
      if (count++ % EVERY !== 0) continue;
      explored++;
      const lost = missed(create, case_, other);
      if (lost !== undefined && lost.length > 0) blind.push(`${path} beside ${other}: ${lost.join(' ')}`);
    }
  };
  for (const { path, called, self } of FOUND)
    for (const x of BESIDE)
      for (const place of [0, 1, 2])
        check(`${path} (${place}, ${String(x)})`, ['go', called, new Self(self), place, x]);
  const keys = new Set<PropertyKey>();
  for (let at: object | null = (make() as unknown as { o: object }).o; at; at = Object.getPrototypeOf(at))
    for (const key of Reflect.ownKeys(at)) if (key !== 'stack') keys.add(key);
  for (const key of keys) check(`member ${String(key)}`, ['read', key]);
  expect(blind.join('\n')).toBe('');
  expect(explored).toBeGreaterThan(3);
});

test('the functions of the language are among them', () => {
  expect(FOUND.length).toBeGreaterThan(450);
  for (const path of [
    'Object.groupBy',
    'Array.prototype.at',
    'Reflect.ownKeys',
    'structuredClone',
    'Intl.DateTimeFormat',
    'JSON.stringify',
  ])
    if (path !== 'Object.groupBy' || 'groupBy' in Object)
      expect(FOUND.map((one) => one.path)).toContain(path);
});
