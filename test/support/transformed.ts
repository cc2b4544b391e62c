/** Transformed sources as the tests use them: loaded from text, and made programs of. */
import { createJiti } from 'jiti';
import type { Program } from '../../src/execution/program.js';
import { type PlainCall, programOf } from '../../src/instrument/instrumented-program.js';
import { rewriteAsCoroutines } from '../../src/instrument/transform.js';

const jiti = createJiti(import.meta.url, { moduleCache: false, fsCache: false });
let files = 0;

/** The exports of a module that is given as text. */
export function evaluate(code: string, file: string): Record<string, unknown> {
  const text = code.replace(/^#!.*/, '');
  return jiti.evalModule(text, { filename: `/samples/${++files}-${file}` }) as Record<string, unknown>;
}

/** The same, transformed. */
export function evaluateTransformed(code: string, file = 'sample.ts'): Record<string, unknown> {
  return evaluate(rewriteAsCoroutines(file, code).code, file.replace('.ts', '.mjs'));
}

export interface Threads {
  readonly threads: readonly (readonly PlainCall[])[];
  readonly before?: readonly PlainCall[];
  readonly after?: readonly PlainCall[];
}

/** Threads that call methods of what the source's `make` makes. */
export function transformedProgram(
  code: string,
  calls: Threads,
  globals: Record<string, unknown> = {},
): Program {
  Object.assign(globalThis, globals);
  const { make } = evaluateTransformed(code);
  return programOf({ create: make as () => object, ...calls }) as Program;
}
