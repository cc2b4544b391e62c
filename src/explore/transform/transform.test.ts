import { createJiti } from 'jiti';
import { describe, expect, test } from 'vitest';
import { SAMPLES, type Sample } from '../../../test/support/transform-samples.js';
import { Execution } from '../execution.js';
import { runtime } from './runtime/runtime.js';
import { type PlainProgram, programOf } from './subject.js';
import { transform } from './transform.js';

type Make = () => Record<string, (...args: unknown[]) => unknown>;

const jiti = createJiti(import.meta.url, { moduleCache: false, fsCache: false });
let files = 0;

function load(code: string, file: string): { make: Make } {
  return jiti.evalModule(code, { filename: `/samples/${++files}-${file}` }) as { make: Make };
}

function answers(sample: Sample, call: (method: string, args: unknown[]) => unknown): unknown[] {
  return sample.calls.map(([method, ...args]) => {
    try {
      return structuredClone(call(method, args));
    } catch (error) {
      return `threw ${(error as Error).name}`;
    }
  });
}

/** Calls methods one after another, each as a coroutine that announces every access. */
function explored(sample: Sample, make: Make): unknown[] {
  const program: PlainProgram = { create: make, threads: [sample.calls] };
  const execution = new Execution(programOf(program) as never);
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

describe.each(SAMPLES)('$name', (sample) => {
  const file = sample.file ?? 'sample.ts';
  const transformed = () => transform(file, sample.code).code;
  const expected = () => {
    const object = load(withoutHashbang(sample.code), file).make();
    return answers(sample, (method, args) => object[method](...args));
  };
  const make = () => load(withoutHashbang(transformed()), file.replace('.ts', '.mjs')).make;

  test('keeps every line where it was', () => {
    expect(transformed().split('\n').length).toBe(sample.code.split('\n').length);
  });

  test('answers the same when nothing is explored', () => {
    const object = make()();
    expect(answers(sample, (method, args) => object[method](...args))).toEqual(expected());
  });

  test('answers the same step by step, again and again', () => {
    const made = make();
    for (let i = 0; i < 2; i++) expect(explored(sample, made)).toEqual(expected());
  });
});

function withoutHashbang(code: string): string {
  return code.replace(/^#!.*/, '');
}
