import { describe, expect, test } from 'vitest';
import { evaluateInstrumented, instrumentedProgram } from '../../../test/support/fixtures/instrumented.js';
import { Execution } from '../../execution/execution.js';
import { RestartError, untilValid } from '../../execution/memory/program-error.js';
import { Mutex } from '../../execution/primitives/locks.js';
import { runtime } from '../runtime/runtime.js';
import { InstrumentError } from '../syntax/source.js';
import { rewriteAsCoroutines } from './rewrite.js';

function messageOf(code: string, file: string): string {
  try {
    rewriteAsCoroutines(file, code);
  } catch (error) {
    if (error instanceof InstrumentError) return error.message;
    throw error;
  }
  return 'nothing';
}

/** Code that is refused, and the message. */
const REFUSED: readonly (readonly [code: string, message: string, file?: string])[] = [
  [
    'export const f = () => eval("1")',
    'a.ts:1:24: eval: the code that it runs is not known in advance; write the code out',
  ],
  [
    'exports.f = function (o) { with (o) { return x } }',
    'a.cjs:1:28: with: the meaning of names is not known in advance; name the object',
    'a.cjs',
  ],
  [
    'export function f() { return () => arguments[0] }',
    'a.ts:1:30: arguments of the function around an arrow function: take them as (...args)',
  ],
  [
    'export let n = 0\nexport function f() { n++ }',
    'a.ts:1:8: n is exported and changes: export a function that reads it',
  ],
  [
    'exports.f = () => {\n  leaked = 1\n}',
    'a.cjs:2:3: leaked is not declared in this file: declare it, or pass it as an object',
    'a.cjs',
  ],
  [
    'export const f = (k: string, { [k]: v }: any) => v',
    'a.ts:1:32: a computed key in a pattern: read the member by itself',
  ],
  [
    'export function f() { const fs = []; for (let i = 0; i < 3; ) { fs.push(() => i++); i++ } return fs }',
    'a.ts:1:43: a loop variable that a function uses and the loop assigns: copy it into a variable inside of the loop',
  ],
  [
    'export const fs: any[] = []; for (let i = 0; i < 3; i++) fs.push(() => i, (x: number) => { i = x })',
    'a.ts:1:35: a loop variable that a function uses and the loop assigns: copy it into a variable inside of the loop',
  ],
  [
    'export function f(o: any) { for (o.x of [1]) ; }',
    'a.ts:1:34: a loop head assigns what others can see: use a variable of its own',
  ],
  [
    'export function f(k: number) { switch (k) { case 1: let n = 0; const g = () => n++; return g } }',
    'a.ts:1:53: a variable of a switch that a function shares: put braces around the case',
  ],
  [
    'exports.F = function () { return new.target }',
    'a.cjs:1:34: new.target in a function: use a class',
    'a.cjs',
  ],
  [
    'exports.f = function () { var yield = 1; return yield }',
    'a.cjs:1:49: a variable called yield: give it another name',
    'a.cjs',
  ],
  [
    'export function f(g: any) { using x = g(); return x }',
    'a.ts:1:29: a using declaration: call [Symbol.dispose]() in a finally block',
  ],
  ['@dec class A {}', 'a.ts:1:1: a decorator: compile it away before, or leave this file out'],
  [
    'export namespace N { export const x = 1 }',
    'a.ts:1:8: a namespace with values in it: make it a module of its own',
  ],
  [
    'import fs = require("fs"); export const x = fs',
    'a.ts:1:1: an import or export with "=": write it as import … from, export default',
  ],
  [
    'export class A { accessor x = 1 }',
    'a.ts:1:18: an auto-accessor: write a field, or a getter and a setter',
  ],
  ['export const x = ;', 'a.ts:1:18: Unexpected token (this file cannot be parsed)'],
  [
    'export const f = () => eval("1")\nexport const g = () => eval("2")',
    'a.ts:1:24: eval: the code that it runs is not known in advance; write the code out\na.ts:2:24: eval: the code that it runs is not known in advance; write the code out',
  ],
];

for (const [code, message, file = 'a.ts'] of REFUSED)
  test(code, () => {
    expect(messageOf(code, file)).toBe(message);
  });

/** Code that a thread may not run, and the message. */
const STOPPED: readonly (readonly [name: string, code: string, message: RegExp])[] = [
  [
    'a constructor that counts instances in a shared object',
    'class N extends Object { id: number; constructor(owner: C) { super(); this.id = owner.n++; super.toString } }\nclass C { n = 0; go() { return new N(this).id } }\nexport const make = () => new C()',
    /^sample\.ts:1:81: shared by threads, and used where a thread cannot be suspended.*a member of `super`/,
  ],
  [
    'a constructor that enters itself into a list',
    'class N extends Object { constructor(list: N[]) { super(); list.push(this); new.target } }\nclass C { all: N[] = []; go() { return new N(this.all) } }\nexport const make = () => new C()',
    /^sample\.ts:1:60: shared by threads/,
  ],
  [
    'a constructor that takes a shared object apart',
    'class N extends Object { constructor({ n }: C) { if (n < 9) super(); this.id = n } id: number }\nclass C { n = 0; go() { this.n++; return new N(this).id } }\nexport const make = () => new C()',
    /^sample\.ts:1:38: shared by threads/,
  ],
  [
    'a timer',
    'class C { go() { setTimeout(() => {}, 1) } }\nexport const make = () => new C()',
    /^sample\.ts:1:18: setTimeout runs something later, outside of all threads: explore it with the async back end$/,
  ],
  [
    'an initializer that uses a shared variable',
    'let n = 0\nconst N = class extends Object { id = n++ }\nclass C { go() { return new N().id } }\nexport const make = () => new C()',
    /^sample\.ts:2:39: shared by threads/,
  ],
  [
    'a callback of code that is not instrumented',
    'class C { n = 0; go() { JSON.parse("[1]", () => { this.n++; return 2 }) } }\nexport const make = () => new C()',
    /^sample\.ts:1:51: shared by threads, and used where a thread cannot be suspended.*callback of code that is not instrumented/,
  ],
  [
    'an asynchronous method',
    'class C { async go() { return 1 } }\nexport const make = () => new C()',
    /^sample\.ts:1:19: an asynchronous function is called by a thread: explore it with the async back end, or call a plain function$/,
  ],
  [
    'a generator',
    'class C { *all() { yield 1 } go() { return [...this.all()] } }\nexport const make = () => new C()',
    /^sample\.ts:1:15: a generator is called by a thread/,
  ],
  [
    'elements of two widths in one buffer',
    'class C { b = new SharedArrayBuffer(8); go() { new Int32Array(this.b)[0] = 1; new Uint8Array(this.b)[0] = 1 } }\nexport const make = () => new C()',
    /a shared buffer is accessed through elements of two widths/,
  ],
];

describe('when a thread runs it', () => {
  test.each(STOPPED)('%s', (_, code, message) => {
    const execution = new Execution(instrumentedProgram(code, { threads: [[['go', 'a']], [['go', 'a']]] }));
    expect(() => {
      execution.reset();
      while (execution.enabled() !== 0) execution.step(31 - Math.clz32(execution.enabled()));
    }).toThrow(message);
    runtime.leave();
  });

  test('a primitive that a variable of a file holds', () => {
    const code = 'const lock = new Mutex()\nexport const make = () => ({ go() { lock.lock() } })';
    const execution = new Execution(instrumentedProgram(code, { threads: [[['go']]] }, { Mutex }));
    expect(() => execution.reset()).toThrow(
      'sample.ts:2:37: a Mutex that a variable of a file holds cannot be restored before each execution: create it together with the object under test',
    );
    runtime.leave();
  });

  test('an error that the program catches is not lost', () => {
    const code =
      'class C { async no() {} go() { try { this.no() } catch {} return 1 } }\nexport const make = () => new C()';
    const execution = new Execution(instrumentedProgram(code, { threads: [[['go']]] }));
    execution.reset();
    execution.step(0);
    expect(() => execution.reset()).toThrow('an asynchronous function is called by a thread');
    runtime.leave();
  });
});

test('a field that is read as immutable, and assigned by a computed name, is a location after a restart', () => {
  const code =
    'class C { a = 1; go(k: string) { (this as any)[k] = 2; return this.a } }\nexport const make = () => new C()';
  const program = instrumentedProgram(code, { threads: [[['go', 'a']]] });
  const steps = (): number => {
    const execution = new Execution(program);
    execution.reset();
    let count = 0;
    for (; execution.enabled() !== 0; count++) execution.step(0);
    return count;
  };
  expect(steps).toThrow(RestartError);
  expect(untilValid(steps)).toBe(2);
  runtime.leave();
});

test('outside of threads, an initializer may use a shared variable, and a generator may run', () => {
  const { make } = evaluateInstrumented(
    'let n = 0; class N { id = n++; async later() { return this.id } *all() { yield this.id } }\nexport const make = () => new N()',
  );
  const object = (make as () => { id: number; all(): Iterable<number> })();
  expect([object.id, ...object.all()]).toEqual([0, 0]);
});
