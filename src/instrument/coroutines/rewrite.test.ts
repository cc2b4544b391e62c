import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';
import { describe, expect, test } from 'vitest';
import { SAMPLES, type Sample } from '../../../test/support/fixtures/instrument-samples.js';
import { evaluate, evaluateInstrumented } from '../../../test/support/fixtures/instrumented.js';
import { share } from '../../../test/support/share.js';
import { Execution } from '../../execution/execution.js';
import { untilValid } from '../../execution/memory/program-error.js';
import { type PlainProgram, programOf } from '../instrumented-program.js';
import { runtime } from '../runtime/runtime.js';
import { rewriteAsCoroutines } from './rewrite.js';

type Make = () => Record<string, (...args: unknown[]) => unknown>;

function answers(sample: Sample, call: (method: string, args: unknown[]) => unknown): unknown[] {
  return sample.calls.map(([method, ...args]) => {
    try {
      return structuredClone(call(method, args));
    } catch (error) {
      return `threw ${(error as Error).name}`;
    }
  });
}

/** The results of the calls in sequence, each run as a coroutine that announces every access. */
const explored = (sample: Sample, make: Make): unknown[] => untilValid(() => runOnce(sample, make));

function runOnce(sample: Sample, make: Make): unknown[] {
  const program: PlainProgram = { create: make, threads: [sample.calls] };
  const execution = new Execution({ ...programOf(program), hasErrorsByName: true } as never);
  execution.reset();
  const answered: unknown[] = [];
  while (execution.enabled() !== 0) {
    execution.step(0);
    if (!execution.isLast) continue;
    const outcome = execution.outcomes.at(execution.outcome[execution.stepped]);
    answered.push(
      outcome.kind === 'returned'
        ? structuredClone(outcome.value)
        : `threw ${outcome.kind === 'threw' && outcome.error}`,
    );
  }
  runtime.leave();
  return answered;
}

const KEYS = ['m', '"m"', '1', '["m"]', '[`m`]', '[1]', '["m" + 1]', '[Symbol.iterator]', '#m'];
const MEMBERS = ['', 'static ', 'get ', 'set ', 'static get ', 'async ', '*', 'static async *'];

test.each(KEYS)('a member %s of each kind stays one, beside members of each kind', (key) => {
  for (const kind of MEMBERS)
    for (const before of ['a = 0;', 'static a = 0;', 'n() {}', '[("b")] = 0;', 'static {}']) {
      const own = `${kind}${key}(${kind.includes('set') ? 'v' : ''}) { return 1; }`;
      const code = `class C { ${before} ${own} } export const names = [C, C.prototype].map((o) => Reflect.ownKeys(o).map(String).sort().join());`;
      const said = (evaluateInstrumented(code, 'members.ts') as { names: string[] }).names;
      const plain = (evaluate(code, 'members.ts') as { names: string[] }).names;
      for (const [i, names] of plain.entries())
        expect(said[i].split(','), code).toEqual(expect.arrayContaining(names.split(',')));
    }
});

test.each([
  [
    'an object',
    'export const make = () => { let n = 1; return { get sole1() { return n++ }, go() { return this.sole1 } } }',
  ],
  [
    'a class',
    'export const make = () => { let n = 1; return new (class { get sole2() { return n++ } go() { return this.sole2 } })() }',
  ],
])('the first accessor of a name may be that of %s made by a function', (_, code) => {
  const sample: Sample = { name: '', code, calls: [['go'], ['go']] };
  expect(explored(sample, evaluateInstrumented(code, 'sole.ts').make as Make)).toEqual([1, 2]);
});

describe.each(SAMPLES)('$name', (sample) => {
  const file = sample.file ?? 'sample.ts';
  const instrumented = () => rewriteAsCoroutines(file, sample.code).code;
  const expected = () => {
    const object = (evaluate(sample.code, file).make as Make)();
    return answers(sample, (method, args) => object[method](...args));
  };
  const make = () => evaluateInstrumented(sample.code, file).make as Make;

  test('keeps the number of lines', () => {
    expect(instrumented().split('\n').length).toBe(sample.code.split('\n').length);
  });

  test('returns the same results outside of an exploration', () => {
    const object = make()();
    expect(answers(sample, (method, args) => object[method](...args))).toEqual(expected());
  });

  test('returns the same results step by step, in repeated executions', () => {
    const made = make();
    for (let i = 0; i < 2; i++) expect(explored(sample, made)).toEqual(expected());
  });
});

test('instrumented files of this project are valid JavaScript with the same lines', () => {
  const folder = fileURLToPath(new URL('../..', import.meta.url));
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  expect(files.length).toBeGreaterThan(200);
  // a sample of the files, or all
  const every = share(1, 12);
  for (const file of files.sort().filter((_, i) => i % every === 0)) {
    const text = readFileSync(join(folder, file), 'utf8');
    const { code } = rewriteAsCoroutines(file, text);
    expect(code.split('\n').length, file).toBe(text.split('\n').length);
    const { errors } = parseSync('instrumented.mjs', code);
    expect(errors, file).toEqual([]);
  }
});
