/**
 * Oracle for the fidelity of instrumentation: in one thread, instrumented code behaves like the original code.
 *
 * Compared are results, errors and the final state of the object. A snippet is the body of the method `run` of a class
 * with fields of many kinds and a log, or a module that declares a class `S` with such a method. It runs twice on an
 * object that threads share, and twice on an object that its thread has created.
 */
import { Module } from 'node:module';
import { resolve } from 'node:path';
import { inspect } from 'node:util';
import { Execution } from '../../../src/execution/execution.js';
import { ProgramError, untilValid } from '../../../src/execution/memory/program-error.js';
import { rewriteAsCoroutines } from '../../../src/instrument/coroutines/rewrite.js';
import { programOf } from '../../../src/instrument/instrumented-program.js';
import { runtime } from '../../../src/instrument/runtime/runtime.js';
import { InstrumentError } from '../../../src/instrument/syntax/source.js';
import { tracer } from '../../../src/instrument/tracing/tracer.js';
import { rewriteForTracing } from '../../../src/instrument/tracing-rewrite/rewrite.js';
import { evaluate } from '../fixtures/instrumented.js';

/** `refused` matches the error that instrumentation, or running it in a thread, must give. */
export type Snippet = readonly [name: string, code: string, refused?: RegExp];

/** The outcome of each run, and the object afterwards. */
interface Runs {
  readonly ended: (readonly [how: 'returned' | 'threw', value: unknown])[];
  readonly object: unknown;
  shared(): void;
  own(): void;
}

const CLASS = (body: string): string =>
  `class S { log = []; a = 1; b = 2; nil = null; k = 'x'; o = { x: 1, y: { z: 2 } }; xs = [3, 1, 2]; m = new Map([['k', 1], ['l', 2]]); s = new Set([1, 2]); #p = 5
  t(said, value = said) { this.log.push(said); return value }
  run() { ${body} } }`;

const RUNS = `class Runs$ { ended = []; object = new S(); go(s) { try { this.ended.push(['returned', s.run()]) } catch (error) { this.ended.push(['threw', error]) } }
  shared() { this.go(this.object); this.go(this.object) } own() { const s = new S(); this.go(s); this.go(s); this.ended.push(['left', s]) } }`;

/** A snippet as a module that exports `make`. */
function moduleOf(code: string, file: string): string {
  const whole = /\bclass S\b/.test(code) ? code : CLASS(code);
  const exported = file.endsWith('.ts')
    ? 'export const make = () => new Runs$()'
    : 'exports.make = () => new Runs$()';
  return `${file.endsWith('.js') ? "'use strict';" : ''}${whole}\n${RUNS}\n${exported}`;
}

/** The exports of a file; CommonJS is loaded as Node loads it. */
function load(code: string, file: string): Record<string, unknown> {
  if (!file.endsWith('js') || file.endsWith('.mjs')) return evaluate(code, file);
  const module = new Module(file) as Module & { _compile(code: string, file: string): void };
  module.paths = [];
  module._compile(code, resolve(file));
  return module.exports as Record<string, unknown>;
}

/** Runs the original code. */
export function runPlain(code: string, file: string): string {
  const runs = (load(moduleOf(code, file), file).make as () => Runs)();
  runs.shared();
  runs.own();
  return shown(runs);
}

/** Runs the code instrumented as coroutines, outside of an exploration. */
export function runIdle(code: string, file: string): string {
  return refusedOr(() => {
    const runs = (loadAsCoroutines(code, file).make as () => Runs)();
    runs.shared();
    runs.own();
    return shown(runs);
  });
}

/** Runs the code as a coroutine that announces every access; returns `refused: …` if it is refused. */
export function runAsCoroutine(code: string, file: string): string {
  return refusedOr(() => {
    const make = loadAsCoroutines(code, file).make as () => Runs;
    let made: Runs | undefined;
    const create = (): Runs => (made = make());
    untilValid(() => {
      const execution = new Execution(programOf({ create, threads: [[['shared'], ['own']]] }) as never);
      try {
        execution.reset();
        while (execution.enabled() !== 0) execution.step(0);
        if (runtime.failure !== undefined) throw runtime.failure;
      } finally {
        runtime.leave();
        runtime.failure = undefined;
      }
    });
    return shown(made!);
  });
}

/** Runs the code instrumented for tracing, as asynchronous code is. */
export function runTraced(code: string, file: string): string {
  const loaded = load(rewriteForTracing(file, moduleOf(code, file)).code, file);
  tracer.listener = { read: () => {}, written: () => {}, unknown: () => {} };
  try {
    const runs = (loaded.make as () => Runs)();
    runs.shared();
    runs.own();
    return shown(runs);
  } finally {
    tracer.listener = undefined;
  }
}

function loadAsCoroutines(code: string, file: string): Record<string, unknown> {
  return load(rewriteAsCoroutines(file, moduleOf(code, file)).code, file.replace('.ts', '.mjs'));
}

function refusedOr(run: () => string): string {
  try {
    return run();
  } catch (error) {
    if (error instanceof InstrumentError || error instanceof ProgramError) return `refused: ${error.message}`;
    throw error;
  }
}

/** Everything observable as text; error messages without the source text that JavaScript engines cite in them. */
function shown({ ended, object }: Runs): string {
  const text = inspect([ended, object], { depth: Infinity, maxArrayLength: 100, breakLength: 100 });
  return text
    .replaceAll(/\n *at .*/g, '')
    .replaceAll(
      /TypeError: (Spread syntax requires .*|.* is not iterable.*)/g,
      'TypeError: … is not iterable',
    )
    .replaceAll(/(TypeError: ).* (?=is not (a function|a constructor))/g, '$1… ')
    .replaceAll(/(TypeError: Cannot destructure ).*(?= as it is)/g, '$1…');
}
