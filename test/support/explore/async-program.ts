/** A module of asynchronous code as a program, recorded or as it is: `make` is called for each execution, `ask` is a stub. */
import { type AsyncProgram, asyncProgram } from '../../../src/explore/async/program.js';
import { scenario } from '../../../src/explore/scenario/scenario.js';
import { rewriteForTracing } from '../../../src/instrument/tracing-rewrite/visitor.js';
import { evaluate } from '../transformed.js';

export function programIn(
  code: string,
  threads: readonly (readonly string[])[],
  isRecorded: boolean,
): AsyncProgram {
  const text = isRecorded ? rewriteForTracing('sample.mjs', code) : code;
  const { make, ask } = evaluate(text, 'sample.mjs');
  const test = threads.map((methods) => methods.map((method) => [method]));
  const stubs = ask === undefined ? {} : { stubs: { ask } };
  const given = scenario({ create: make, test, ...stubs } as never);
  return asyncProgram(given, { threads: given.test!, before: [], after: [] });
}
