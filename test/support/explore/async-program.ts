/** A module of asynchronous code as a program, recorded or as it is: `make` is called for each execution, `ask` is a stub. */
import { type AsyncProgram, asyncProgram } from '../../../src/explore/async/async-program.js';
import { rewriteRecorded } from '../../../src/explore/transform/index.js';
import { scenario } from '../../../src/index.js';
import { evaluate } from '../transformed.js';

export function programIn(
  code: string,
  threads: readonly (readonly string[])[],
  isRecorded: boolean,
): AsyncProgram {
  const text = isRecorded ? rewriteRecorded('sample.mjs', code) : code;
  const { make, ask } = evaluate(text, 'sample.mjs');
  const test = threads.map((methods) => methods.map((method) => [method]));
  const stubs = ask === undefined ? {} : { stubs: { ask } };
  const given = scenario({ create: make, test, ...stubs } as never);
  return asyncProgram(given, { threads: given.test!, before: [], after: [] });
}
