/** No proof depends on inputs beside state and arguments, or on what fresh values are: all sources × all ways to reach them. */
import { describe, expect, test } from 'vitest';
import { evaluateInstrumented } from '../../../test/support/fixtures/instrumented.js';
import { share } from '../../../test/support/share.js';
import { Deadline } from '../model/deadline.js';
import { type Scenario, scenario } from '../scenario/scenario.js';
import { type Proof, type ProveSetup, prove } from './prove.js';

const NEVER = new Deadline(Number.POSITIVE_INFINITY);
const IMPORTS = `import nodeCrypto, * as cryptoNames from 'node:crypto'; import os from 'node:os'; import fs from 'node:fs'; `;

/** What a proof came to: `proved`, or why not. A refusal is an error. */
function answerOf(given: Scenario, options: Partial<ProveSetup> = {}): string {
  try {
    const { isProved, problem, counterexample }: Proof = prove(
      given,
      { seed: 1, threads: 2, ...options },
      NEVER,
    );
    return isProved ? 'proved' : (problem ?? `violation: ${counterexample?.kind}`);
  } catch (error) {
    return `refused: ${(error as Error).message}`;
  }
}

const scenarioOf = (create: () => object, more: object = {}): Scenario =>
  scenario({ backend: 'instrumented', create, calls: [['go']] as never, ...more } as never);

/** A function that reads an input, with its object. */
interface Source {
  readonly self: string;
  readonly called: string;
  readonly args?: string | undefined;
}

const of = (self: string, names: string, args?: string): Source[] =>
  names.split(' ').map((name) => ({ self, called: `${self}.${name}`, ...(args !== undefined && { args }) }));

const SOURCES: readonly Source[] = [
  ...of('Math', 'random'),
  ...of('Date', 'now'),
  { self: 'undefined', called: 'Date' },
  ...of('performance', 'now toJSON eventLoopUtilization getEntries'),
  ...of('performance', 'mark', '"x"'),
  ...of(
    'process',
    'uptime hrtime hrtime.bigint memoryUsage memoryUsage.rss cpuUsage resourceUsage constrainedMemory',
  ),
  ...of('os', 'uptime freemem loadavg cpus'),
  ...of('nodeCrypto', 'randomUUID'),
  ...of('cryptoNames', 'randomUUID'),
  ...of('nodeCrypto', 'randomBytes randomInt', '2'),
  ...of('nodeCrypto', 'randomFillSync getRandomValues', 'new Uint8Array(1)'),
  ...of('crypto', 'getRandomValues', 'new Uint8Array(1)'),
  ...of('nodeCrypto', 'generateKeySync', '"hmac", { length: 64 }'),
  ...of('new Intl.DateTimeFormat()', 'format formatToParts'),
  ...of('fs', 'readFileSync', '"/dev/null"'),
];

/** Inputs that are no calls of functions. */
const EXPRESSIONS = [
  'new Date()',
  'new Date',
  'Reflect.construct(Date, [])',
  'new (class extends Date {})()',
  'performance.timeOrigin',
  'Reflect.get(performance, "timeOrigin")',
  'new Event("x").timeStamp',
  '(/(a)/.exec("a"), RegExp.$1)',
  '(/(a)/.exec("a"), RegExp["$&"])',
  '(/(a)/.exec("a"), Reflect.get(RegExp, "lastMatch"))',
  '(({ $1 }) => $1)(RegExp)',
  '(({ input }) => input)(RegExp)',
];

/** Ways to evaluate an expression `E`; the class is `Thing`, and its method is `go`. */
const PLACES: Readonly<Record<string, string>> = {
  method: 'class Thing { go() { return E; } }',
  'own function': 'const read = () => E; class Thing { go() { return read(); } }',
  'default parameter': 'class Thing { go(value = E) { return value; } }',
  'default of a pattern': 'class Thing { go() { const { value = E } = {}; return value; } }',
  'callback of map': 'class Thing { go() { return [0].map(() => E)[0]; } }',
  getter: 'class Thing { get value() { return E; } go() { return this.value; } }',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code
  conversion: 'class Thing { go() { return `${{ toString: () => String(E) }}`; } }',
  iterator: 'class Thing { go() { return [...{ [Symbol.iterator]: () => [E].values() }][0]; } }',
  'class made by a thread':
    'class Part { value; constructor() { this.value = E; } } class Thing { go() { return new Part().value; } }',
  'initializer of a part': 'class Part { value = E; } class Thing { go() { return new Part().value; } }',
  'derived class':
    'class Base {} class Part extends Base { value; constructor() { super(); this.value = E; } } class Thing { go() { return new Part().value; } }',
  initializer: 'class Thing { value = E; go() { return this.value; } }',
  constructor: 'class Thing { value; constructor() { this.value = E; } go() { return this.value; } }',
};

const AT_LOAD: Readonly<Record<string, string>> = {
  'load of a module': 'const value = E; class Thing { go() { return value; } }',
  'static initializer': 'class Thing { static value = E; go() { return Thing.value; } }',
  'function at load': 'const value = (() => E)(); class Thing { go() { return value; } }',
};

/** Ways to call a function `F` of `S` with `A`; each is an expression. */
const CALLS: Readonly<Record<string, string>> = {
  call: 'F.call(S, A)',
  apply: 'F.apply(S, [A])',
  'Reflect.apply': 'Reflect.apply(F, S, [A])',
  bind: 'F.bind(S)(A)',
  alias: '((f) => Reflect.apply(f, S, [A]))(F)',
  optional: 'F?.call(S, A)',
  'callback of map': '[0].map(F, S)',
  'callback of Array.from': 'Array.from([0], F.bind(S, A))',
  'callback of replace': '"x".replace("x", F.bind(S, A))',
  'callback of JSON.parse': 'JSON.parse("1", F.bind(S, A))',
  'callback of sort': '[1, 2].sort(F.bind(S, A))',
  'accessor property': 'Object.defineProperty({}, "x", { get: F.bind(S, A) }).x',
  valueOf: '({ valueOf: F.bind(S, A) }) == 1',
  toJSON: 'JSON.stringify({ toJSON: F.bind(S, A) })',
};

/** Functions of one module that make objects of a class, each on a line of its own. */
const makersOf = (codes: readonly string[]): (() => object)[] => {
  const lines = codes.map(
    (code, i) => `export const make${i} = (() => { ${code}; return () => new Thing(); })();`,
  );
  const found = evaluateInstrumented([IMPORTS, ...lines].join('\n'));
  return codes.map((_, i) => found[`make${i}`] as () => object);
};

const filled = (pattern: string, parts: Readonly<Record<string, string>>): string =>
  pattern.replaceAll(/\b[EFSA]\b/g, (name) => parts[name] ?? name);

const textOf = ({ called, args = '' }: Source): string => `${called}(${args})`;

/** A function of the language, which a proof may call, in the same way. */
const HARMLESS = 'Math.max(1)';

describe('inputs beside state and arguments', () => {
  const READS = [...SOURCES.map(textOf), ...EXPRESSIONS];
  /** What is not right: a proof, or a reason that does not name the line. */
  const missed = (codes: readonly string[], allowed = 'none') =>
    makersOf(codes).flatMap((create, i) => {
      const answer = answerOf(scenarioOf(create));
      return new RegExp(`^${allowed}|\\.[cm]?[jt]s:${i + 2}:`).test(answer)
        ? []
        : [{ code: codes[i], answer }];
    });

  test.each(Object.entries(PLACES))('read in a place: %s', (name, place) => {
    const some = READS.filter((__, i) => i % share(1, 3) === name.length % share(1, 3));
    expect(missed(some.map((read) => filled(place, { E: read })))).toEqual([]);
    const [create] = makersOf([filled(place, { E: HARMLESS })]);
    expect(answerOf(scenarioOf(create))).toBe('proved');
  });

  test.each(Object.entries(CALLS))('read by a way to call: %s', (name, way) => {
    // formatters that get an argument format that
    const some = SOURCES.filter((__, i) => i % share(1, 4) === name.length % share(1, 4));
    const isMeant = ({ self }: Source) => !(self.includes('Intl') && /callback|toJSON|valueOf/.test(name));
    const codes = some.filter(isMeant).flatMap(({ self, called, args = '' }) => {
      const read = filled(way, { F: called, S: self, A: args });
      return ['method', 'initializer'].map((place) => filled(PLACES[place], { E: read }));
    });
    // native functions pass more arguments, and an error while the object is created ends everything
    expect(missed(codes, 'refused: (The|Cannot|Do not)')).toEqual([]);
  });

  test.each(Object.entries(AT_LOAD))('read while a file loads: %s', (_, place) => {
    // no other code matches meanwhile; and a file that is read is a constant, as the source text is
    const reads = READS.filter((read) => !/RegExp|fs\./.test(read));
    for (let i = 0; i < reads.length; i += share(1, 8))
      expect(missed([filled(place, { E: reads[i] })])).toEqual([]);
    const [create] = makersOf([filled(place, { E: HARMLESS })]);
    expect(answerOf(scenarioOf(create))).toBe('proved');
  });

  test('state that is kept in objects of the platform', () => {
    const codes = [
      'Math.count = (Math.count ?? 0) + 1',
      'Array.prototype.last = 1',
      'process.env.LAST = "1"',
      'process.argv.push("1")',
      'Object.assign(console, { last: 1 })',
      'Object.defineProperty(Map, "last", { value: 1, configurable: true, writable: true })',
      'Reflect.set(performance, "last", 1)',
      'delete process.env.LAST',
    ].map((change) => `class Thing { go() { ${change}; } }`);
    const before = process.argv.length;
    expect(missed(codes)).toEqual([]);
    process.argv.length = before;
    for (const changed of [Math, Array.prototype, console, Map, performance])
      for (const key of ['count', 'last']) Reflect.deleteProperty(changed, key);
  });

  test('read by a spec', () => {
    for (const read of ['Math.random()', 'Date.now()', 'new Date().getTime()', 'process.uptime()']) {
      const lines = `export const spec = { name: 'clock', initial: 0, methods: { go: (state) => [state, ${read} < 0] } };
        export const make = () => new (class { go() { return false; } })();`;
      const { spec, make } = evaluateInstrumented(lines) as { spec: object; make: () => object };
      expect(answerOf(scenarioOf(make, { spec }))).toMatch(/sample\.m?[jt]s:1:/);
    }
  });
});

describe('operations on fresh values', () => {
  /** They tell values apart, or look into them. */
  const INSPECTING =
    'value < other|value <= 3|value > 3|value >= other|value + 1|value - other|-value|+value|~value|value * 2|value ** 2|value & 1|value << 1|' +
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code
    'value == 1|"" + value|`${value}`|String(value)|Number(value)|BigInt(value)|parseInt(value)|parseFloat(value)|isNaN(value)|Math.max(value, 1)|' +
    'value in {}|"x" in value|value.x|value?.x|value["x"]|value[0]|({ ...value })|[...value]|({ [value]: 1 })|({ value }[value])|value.x = 1|delete value.x|' +
    'value instanceof Object|value instanceof Map|Object.keys(value)|Object.values(value)|Object.entries(value)|Reflect.ownKeys(value)|' +
    'Object.getOwnPropertyNames(value)|Object.getOwnPropertySymbols(value)|Object.getOwnPropertyDescriptors(value)|Object.getPrototypeOf(value)|' +
    'Object.hasOwn(value, "x")|Object.prototype.hasOwnProperty.call(value, "x")|Reflect.has(value, "x")|Reflect.get(value, "x")|' +
    'Object.assign({}, value)|Object.assign(value, { x: 1 })|Object.freeze(value)|Object.defineProperty(value, "x", { value: 1 })|Object.setPrototypeOf(value, null)|' +
    'Object.isFrozen(Object.freeze(value))|JSON.stringify(value)|JSON.stringify([value])|Object.prototype.toString.call(value)|value.toString()|value.valueOf()|' +
    'value.hashCode()|value.equals(other)|value.constructor|value.then|value.length|value.toJSON|value()|[value, other].sort()|[value, other].toSorted()|' +
    '[value, other].join()|String([value])|[value].concat(other)|[1].concat(value)|new Date(value)|new Int32Array([value])|new Uint8Array(value)|' +
    'Array.from(value)|new Map(value)|new Set(value)|structuredClone(value)|"x".padEnd(value)|"x".includes(value)|[1, 2].at(value)|[1, 2].slice(value)|' +
    'Object.fromEntries([[value, 1]])|Object.groupBy?.([1], () => value) ?? value.x|new Intl.NumberFormat().format(value)|encodeURI(value)|Symbol(value)|' +
    'for (const key in value) return key|for (const item of value) return item|const { x } = value|const [first] = value|switch (1) { case value + 1: }';
  /** They have the same result for all new objects. */
  const INDIFFERENT =
    'typeof value|!value|value ? 1 : 2|value && 1|value ?? 1|value === other|value !== null|value === undefined|Object.is(value, other)|Array.isArray(value)|' +
    'Boolean(value)|[value].includes(other)|[value, other].indexOf(other)|new Map([[value, 1]]).get(value)|new Set([value, other]).size|[value].length|' +
    'new Map([[value, 1], [other, 2]]).keys().next().value === value|[value, other].reverse()[0] === other|Array.of(value).length|({ value }).value === value|' +
    'Object.isExtensible(value)|value == null|value || 1|[value, other].sort(() => 0).length|new WeakSet([value]).has(value)';

  /** An expression is returned, and a statement runs. */
  const makerOf = (texts: readonly string[]) =>
    makersOf(
      texts.map((text) => {
        const isStatement = /^(for|const|switch) /.test(text);
        const body = isStatement
          ? `${text};`
          : `const found = ${text}; return typeof found === 'object' ? 1 : found;`;
        return `class Thing { go(value, other) { ${body} } }`;
      }),
    );
  const answersTo = (texts: readonly string[]) =>
    makerOf(texts).map((create, i) => [
      texts[i],
      answerOf(scenarioOf(create, { calls: [['go', 1, 2]] }), { fresh: ['go'] }),
    ]);

  test('that look into them are noticed', () => {
    const texts = INSPECTING.split('|').filter((text) => text !== '');
    const wrong = answersTo(texts).filter(
      ([, answer]) => !/looks into|not instrumented|^refused/.test(answer),
    );
    expect(wrong).toEqual([]);
  });

  test('that give the same for all new objects are not', () => {
    const texts = INDIFFERENT.split(/(?<!\|)\|(?!\|)/);
    expect(answersTo(texts).filter(([, answer]) => answer !== 'proved')).toEqual([]);
  });
});
