/**
 * Random asynchronous objects over the constructs of the language: something that can be awaited, in every position where an
 * `await` can stand, between reads and writes of shared cells. Waits are immediates, or timers of one duration.
 */
import type { Random } from '../../../src/base/random.js';

/** `N` is a number that differs for each line. */
const AWAITABLES: readonly string[] = [
  'N',
  'null',
  'fail(N)',
  'turn()',
  'turn()',
  'turn()',
  'io.ask(N)',
  'io.ask(N)',
  'pause(N)',
  'later(N)',
  'quick(N)',
  'Promise.resolve(N)',
  'Promise.resolve(quick(N))',
  'thenable(N)',
  'lateThenable(N)',
  'new Late(N)',
  'viaTick(N)',
  'viaMicrotask(N)',
  'this.slow',
  'this.#hidden(N)',
  'Sample.fixed(N)',
  '(this.shared ??= io.ask(N))',
  '(this.known ??= turn().then(() => N))',
  'this.gate',
  'turn().then(() => N)',
  'turn().finally(() => { CELL = mix(CELL, N); })',
  'fail(turn()).catch(() => CELL)',
  'fail(N).then(() => 0, () => CELL)',
  'Promise.all([W, W]).then((list) => list.reduce(mix, N))',
  'Promise.race([W, W])',
  'Promise.race([])',
  'Promise.any([fail(W), W])',
  'Promise.allSettled([fail(W), W]).then(([, { value }]) => value)',
  'aborted(this.controller.signal, W)',
  'aborted(AbortSignal.any([this.controller.signal]), turn())',
  "once(this.emitter, 'x').then(([x]) => x)",
  "Promise.race([once(this.emitter, 'x').then(([x]) => x), turn()])",
  'new Promise((resolve) => { this.waiting.push(resolve); })',
  'new Promise((resolve) => { this.waiting.push(resolve); turn().then(resolve); })',
  'new Promise((resolve) => { queueMicrotask(() => { CELL = mix(CELL, N); resolve(CELL); }); })',
  'new Own((resolve) => { turn().then(() => resolve(N)); })',
  'own2(CELL, W)',
];

/** Lines by kind, all kinds equally frequent. `CELL` is a shared number and `W` can be awaited. `own` is a number of the call. */
const LINES: readonly (readonly string[])[] = [
  // positions of an await
  [
    'own = mix(own, await W);',
    'own = mix(CELL, await W);',
    'own = mix(await W, CELL);',
    'CELL = mix(own, await W);',
    'CELL += await W;',
    'CELL = mix(CELL, await W);',
    '[own] = [mix(CELL, await W)];',
    '({ x: own } = { x: mix(CELL, await W) });',
    '[this.a, this.b] = [await W, own];',
    '{ const { x = await W } = {}; own = mix(own, x); }',
    '{ const [x = await W, y = CELL] = []; own = mix(x, y); }',
    'own = mix(own, [CELL, await W, CELL].reduce(mix, N));',
    'own = mix(own, ((o) => mix(o.p, o.r))({ p: CELL, q: await W, r: CELL }));',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source of a template string
    'own = Number(`${CELL % 7}${Number(await W) || 0}`);',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source of a template string
    'own = mix(own, tag`x${CELL}y${await W}z`);',
    'if (await W) CELL = N; else own = mix(own, CELL);',
    'own = (await W) ? CELL : N;',
    'own = mix(own, (await W) && CELL);',
    'own = mix(own, (await W) ?? CELL);',
    'switch (await W) { case 0: case null: CELL = N; break; default: own = mix(own, CELL); }',
    'for (let i = 0; i < 2; i++) { await W; own = mix(own, CELL); CELL = i; }',
    'for (const x of [1, 2]) { await W; CELL = mix(CELL, x); }',
    "for (const key in { p: 1, q: 2 }) { own = mix(CELL, key === 'p' ? await W : N); }",
    'for (let i = 0; i < 2; i += (await W, 1)) CELL = mix(CELL, i);',
    'do { await W; own = mix(own, CELL); } while (++rounds % 2 === 1);',
    'out: for (;;) { for (;;) { await W; own = mix(own, CELL); if (rounds++ % 2) break out; else continue out; } }',
    'own = mix(own, (await keep({ x: CELL }, W))?.x);',
    'own = mix(own, { p: CELL, q: N }[(await W) ? "p" : "q"]);',
    'own = mix(own, new Box(CELL, await W).sum);',
    'own = mix(own, (own, await W, CELL));',
    'own = mix(own, await (async () => { await W; return CELL; })());',
    'own = mix(own, await (async (x = CELL) => { await W; return mix(x, CELL); })());',
    'own = mix(own, await { async get(x) { await W; return mix(x, CELL); } }.get(CELL));',
    'own = mix(own, await (async function () { return mix(arguments[0], await arguments[1]); })(CELL, W));',
    'this.cache ??= await W; own = mix(own, this.cache);',
    'CELL ||= await W;',
    'CELL &&= await W;',
    'delete this.cache; await W; own = mix(own, "cache" in this ? 1 : 0);',
    'if (CELL % 2) return mix(own, await W);',
  ],
  // try, catch, finally
  [
    'try { own = mix(own, CELL); await fail(W); } catch { CELL = mix(CELL, await W); } finally { await W; CELL = N; }',
    'try { own = mix(await W, CELL); } finally { CELL = mix(own, N); await turn(); }',
    'own = mix(own, await (async () => { try { return CELL; } finally { await W; CELL = N; } })());',
    'own = mix(own, await (async () => { for (;;) try { await W; return CELL; } finally { if (rounds++ % 2) continue; } })());',
    'try { throw CELL; } catch (x) { own = mix(x, await W); }',
    'await fail(W);',
    "if (CELL === N) throw new Error('e' + (await W));",
    'this.failing = fail(W); await W; await this.failing.catch(() => { CELL = N; });',
    '{ const p = fail(W); await W; try { await p; } catch { own = mix(own, CELL); } }',
  ],
  // races
  [
    'own = mix(own, await Promise.race([(W)?.then?.((x) => mix(x, CELL)), W]));',
    'own = (await Promise.all([W, own2(CELL, W), CELL])).reduce(mix, own);',
    'own = mix(own, await Promise.any([fail(W), fail(W), W]));',
    'try { await Promise.any([fail(W), fail(W)]); } catch ({ errors }) { CELL = mix(CELL, errors.length); }',
    'for (const { value } of await Promise.allSettled([fail(W), W, fail(1)])) own = mix(own, value ?? CELL);',
    'await Promise.race([(async () => { await W; CELL = N; })(), W]); own = mix(own, CELL);',
    'await Promise.all([(async () => { await W; CELL = mix(CELL, N); })(), (async () => { await W; CELL = mix(N, CELL); })()]);',
    'void (async () => { await W; CELL = mix(CELL, N); })();',
  ],
  // iterators and generators
  [
    'for await (const x of [W, W]) { CELL = mix(CELL, x); }',
    'for await (const x of this.items(N)) own = mix(own, mix(x, CELL));',
    'for await (const x of this.items(N)) { CELL = mix(CELL, x); if (x > N) break; }',
    'for await (const x of this.both(N)) { own = mix(own, x); }',
    'for await (const x of new Counter(this, 2)) { CELL = mix(CELL, x); }',
    'for await (const x of new Counter(this, 2)) { await W; if (CELL > 500) break; own = mix(own, x); }',
    '{ const it = this.items(N); own = mix(own, (await it.next()).value); await W; own = mix(own, (await it.return(CELL)).value); }',
    '{ const it = this.items(N); const [p, q] = [it.next(), it.next()]; own = mix((await q).value, (await p).value ?? CELL); }',
    '{ const it = this.items(N); await it.next(); try { await it.throw(new Error("t")); } catch { own = mix(own, CELL); } }',
    '{ this.stream ??= this.items(N); own = mix(own, (await this.stream.next()).value ?? CELL); }',
    'for (const x of pairs(CELL)) { own = mix(own, await x); }',
    '{ const it = steps(this); for (let r = it.next(); !r.done; r = it.next(await r.value)); own = mix(own, CELL); }',
  ],
  // microtasks and ticks
  [
    'queueMicrotask(() => { CELL = mix(CELL, N); }); await null; own = mix(own, CELL); await W;',
    'process.nextTick(() => { CELL = mix(CELL, N); }); await null; own = mix(own, CELL); await W;',
    'process.nextTick(() => { queueMicrotask(() => { CELL = mix(CELL, N); }); }); await null; own = mix(own, CELL);',
    'queueMicrotask(() => { process.nextTick((x) => { CELL = mix(CELL, x); }, N); }); await W;',
    'Promise.resolve().then(() => { CELL = mix(CELL, N); }).then(() => { own = mix(own, CELL); }); await W;',
    'setTask(() => { CELL = mix(CELL, N); });',
    'setTask((x) => { CELL = mix(CELL, x); this.waiting.shift()?.(x); }, N); await W;',
  ],
  // events and aborts
  [
    "this.emitter.emit('x', mix(CELL, N));",
    "this.emitter.once('x', (x) => { CELL = mix(CELL, x); }); await W;",
    "own = mix(own, await Promise.race([once(this.emitter, 'x').then(([x]) => mix(x, CELL)), W]));",
    "{ const it = on(this.emitter, 'x'); this.emitter.emit('x', N); await W; const { value } = await it.next(); own = mix(own, mix(value[0], CELL)); await it.return(); }",
    "try { await once(this.emitter, 'x', { signal: this.controller.signal }); own = mix(own, CELL); } catch { own = mix(own, N); }",
    'this.controller.abort(mix(CELL, N)); this.controller = new AbortController();',
    "this.controller.signal.addEventListener('abort', () => { CELL = mix(CELL, N); }, { once: true }); await W;",
    'try { await W; this.controller.signal.throwIfAborted(); own = mix(own, CELL); } catch { CELL = N; }',
    'own = mix(own, await aborted(this.controller.signal, W));',
  ],
  // locks, queues, closures, private fields
  [
    'await this.tail; this.tail = (async () => { await W; CELL = mix(CELL, N); })(); own = mix(own, CELL);',
    '{ const before = this.tail; let free; this.tail = new Promise((r) => { free = r; }); await before; try { own = mix(own, CELL); await W; CELL = own; } finally { free(); } }',
    'this.tail = this.tail.then(async () => { await W; CELL = mix(CELL, N); }); await this.tail; own = mix(own, CELL);',
    'this.waiting.shift()?.(N);',
    'for (const wake of this.waiting.splice(0)) wake(CELL);',
    'this.open(N);',
    '{ const get = () => CELL; await W; own = mix(own, get()); }',
    '{ let x = CELL; const put = () => { x++; CELL = x; }; await W; put(); await W; put(); }',
    '{ const x = CELL; this.later = () => { CELL = mix(x, N); }; await W; this.later(); }',
    'this.#put(mix(this.#p, N)); await W; own = mix(own, this.#p);',
    'this.value = await W; own = mix(own, this.value);',
    'own = mix(own, await super.base(CELL)); await W;',
    'this.kept.push(CELL); await W; own = mix(own, this.kept.shift());',
    'this.map.set(N % 2, CELL); await W; own = [...this.map.values()].reduce(mix, own);',
  ],
];

/** With timers, a signal may abort by itself. */
const WITH_TIMERS: readonly string[] = [
  'own = mix(own, await aborted(AbortSignal.timeout(2), W).then(() => CELL));',
  'own = mix(own, await aborted(AbortSignal.any([AbortSignal.timeout(2), this.controller.signal]), W).then(() => CELL));',
  '{ const timer = setTimeout(() => { CELL = mix(CELL, N); }, 2); await W; clearTimeout(timer); }',
  '{ clearTimeout(this.timer); this.timer = setTimeout((x) => { CELL = mix(CELL, x); }, 2, N); }',
];

const WAITS = {
  immediate: {
    setTask: 'const setTask = (run, ...args) => setImmediate(run, ...args);',
    turn: 'const turn = () => new Promise((resolve) => setImmediate(resolve, 1));',
    pause: "const { setImmediate: pause } = process.getBuiltinModule('node:timers/promises');",
  },
  timer: {
    setTask: 'const setTask = (run, ...args) => setTimeout(run, 2, ...args);',
    turn: 'const turn = () => new Promise((resolve) => setTimeout(resolve, 2, 1));',
    pause:
      "const { setTimeout: sleep } = process.getBuiltinModule('node:timers/promises'); const pause = (x) => sleep(2, x);",
  },
};

/** What methods use, by name; one that needs another one comes before it. Only what is used is part of the code, since objects of Node hide the state. */
const HELPERS: Readonly<Record<string, string>> = {
  EventEmitter: "const { EventEmitter } = process.getBuiltinModule('node:events');",
  once: "const { once } = process.getBuiltinModule('node:events');",
  on: "const { on } = process.getBuiltinModule('node:events');",
  later: 'const later = async (x) => { await turn(); return x; };',
  quick: 'const quick = async (x) => x;',
  fail: "const fail = async (x) => { await x; throw new Error('failed'); };",
  keep: 'const keep = async (x, y) => { await y; return x; };',
  own2: 'const own2 = async (x, y) => mix(x, await y);',
  thenable: 'const thenable = (x) => ({ then(resolve) { resolve(x); } });',
  lateThenable: 'const lateThenable = (x) => ({ then: (resolve) => { turn().then(() => resolve(x)); } });',
  viaTick: 'const viaTick = (x) => new Promise((resolve) => process.nextTick(resolve, x));',
  viaMicrotask: 'const viaMicrotask = (x) => new Promise((resolve) => queueMicrotask(() => resolve(x)));',
  tag: 'const tag = (texts, ...values) => values.reduce(mix, texts.length);',
  aborted: `const aborted = (signal, other) => new Promise((resolve) => {
  if (signal.aborted) resolve(signal.reason?.name?.length ?? signal.reason);
  signal.addEventListener('abort', () => resolve(signal.reason?.name?.length ?? signal.reason), { once: true });
  Promise.resolve(other).then(resolve);
});`,
  Late: 'class Late { constructor(x) { this.x = x; } then(resolve) { queueMicrotask(() => resolve(this.x)); } }',
  Own: 'class Own extends Promise {}',
  Box: 'class Box { #x; constructor(x, y) { this.#x = mix(x, y); } get sum() { return this.#x; } }',
  Counter: `class Counter {
  constructor(of, most) { this.of = of; this.most = most; }
  [Symbol.asyncIterator]() { let i = 0; return {
    next: async () => { await turn(); return i++ < this.most ? { done: false, value: mix(i, this.of.a) } : { done: true, value: 0 }; },
    return: async () => { this.of.a++; await turn(); return { done: true, value: 0 }; },
  }; }
}`,
  pairs: 'function* pairs(x) { yield turn(); yield quick(x); }',
  steps:
    'function* steps(of) { const x = yield turn(); of.a = mix(of.a, x); yield turn(); of.b = mix(of.b, of.a); }',
  mix: 'const mix = (x, y) => (Number(x ?? 3) * 7 + Number(y ?? 5)) % 1009 || 0;',
};

/** Members of the class; one that needs another one comes before it. */
const MEMBERS: Readonly<Record<string, string>> = {
  '.emitter': 'emitter = new EventEmitter();',
  '.controller': 'controller = new AbortController();',
  '.gate': 'gate = new Promise((resolve) => { this.open = resolve; });',
  '.open': 'open = () => {};',
  '.slow': 'get slow() { return later(this.a); }',
  '#hidden': 'async #hidden(x) { await turn(); return mix(this.#p, x); }',
  '.fixed': 'static async fixed(x) { await null; return x; }',
  '.both': 'async *both(x) { yield* this.items(x); yield* [turn(), x]; }',
  '.items':
    'async *items(x) { try { this.a = mix(this.a, x); yield x; await turn(); yield Promise.resolve(x + 1); yield this.a; } finally { await null; this.b++; } }',
  '.stream': 'stream = undefined;',
  '.tail': 'tail = Promise.resolve();',
};

/** Those of the parts whose names the text uses, or a part that it uses. */
function usedBy(text: string, parts: Readonly<Record<string, string>>): string {
  const used = new Set<string>();
  for (const [name, part] of Object.entries(parts))
    if (
      new RegExp(`${name.replace('.', '\\.').replace(/^\b/, '\\b')}\\b`).test(
        `${[...used].join(' ')} ${text}`,
      )
    )
      used.add(part);
  return [...used].reverse().join('\n');
}

const CELLS = ['this.a', 'this.a', 'this.b', 'this.#p', 'this.deep.x', 'total'];

export interface AsyncSample {
  readonly code: string;
  readonly threads: readonly (readonly string[])[];
}

/** The first method starts with the line of this number, so that consecutive numbers have all lines. */
export function randomAsyncConstructs(random: Random, number: number): AsyncSample {
  const kind = random.withProbability(50) ? 'timer' : 'immediate';
  const lines = kind === 'timer' ? [...LINES, WITH_TIMERS] : LINES;
  let n = 1;
  /** Awaitables inside of awaitables are simple ones. */
  const awaitable = (depth: number): string => {
    const text = random.pick(depth > 1 ? AWAITABLES.slice(0, 16) : AWAITABLES);
    return filled(text, depth + 1);
  };
  const filled = (text: string, depth: number): string => {
    const cell = random.pick(CELLS);
    return text
      .replaceAll(/\bCELL\b/g, cell)
      .replaceAll(/\bN\b/g, () => String(n++))
      .replaceAll(/\bW\b/g, () => awaitable(depth));
  };
  const names = random.withProbability(50) ? ['one', 'two'] : ['one'];
  const all = lines.flat();
  const methods = names.map((name, k) => {
    const first = k === 0 ? all[number % all.length] : random.pick(random.pick(lines));
    const more = Array.from({ length: random.below(3) }, () => random.pick(random.pick(lines)));
    const body = [first, ...more].map((line) => filled(line, 0));
    return `async ${name}() { let own = 0; let rounds = 0; ${body.join(' ')} return mix(own, ${random.pick(CELLS)}); }`;
  });
  const call = () => random.pick(names);
  const threads = random.withProbability(50) ? [[call()], [call()]] : [[call(), call()], [call()]];
  const own = methods.join('\n    ');
  const text = `${usedBy(own, MEMBERS)}
    ${own}`;
  const code = `${usedBy(`${text} mix`, { ...HELPERS, ...WAITS[kind] })}
class Base { a = 1; b = 2; async base(x) { await null; return mix(x, this.b); } }
export const ask = (n) => n + 1;
export const make = (io) => {
  let total = 0;
  class Sample extends Base {
    #p = 3; deep = { x: 4 }; kept = []; waiting = []; map = new Map();
    shared = undefined; known = undefined; cache = undefined; timer = undefined; later = undefined; failing = undefined;
    get value() { return this.#p; }
    set value(x) { this.#p = mix(this.#p, x); }
    #put(x) { this.#p = x; }
    ${text}
  }
  return new Sample();
};`;
  return { code, threads };
}
