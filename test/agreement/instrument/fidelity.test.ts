/**
 * The fidelity of instrumentation, against the original code: each snippet of `fidelity/` behaves the same in one thread,
 * as a coroutine and with tracing, or is refused with a reason.
 */
import { describe, expect, test } from 'vitest';
import {
  runAsCoroutine,
  runIdle,
  runPlain,
  runTraced,
  type Snippet,
} from '../../support/oracles/fidelity.js';
import { BUILTINS } from './fidelity/builtins.js';
import { CHAINS } from './fidelity/chains.js';
import { CLASSES } from './fidelity/classes.js';
import { COMMON_JS } from './fidelity/common-js.js';
import { CONSTRUCTORS } from './fidelity/constructors.js';
import { CONTROL } from './fidelity/control.js';
import { FUNCTIONS } from './fidelity/functions.js';
import { MIXED } from './fidelity/mixed.js';
import { ORDER } from './fidelity/order.js';
import { PATTERNS } from './fidelity/patterns.js';
import { TYPESCRIPT } from './fidelity/typescript.js';

const GROUPS: Readonly<Record<string, readonly Snippet[]>> = {
  order: ORDER,
  chains: CHAINS,
  patterns: PATTERNS,
  classes: CLASSES,
  functions: FUNCTIONS,
  control: CONTROL,
  builtins: BUILTINS,
  constructors: CONSTRUCTORS,
  mixed: MIXED,
  typescript: TYPESCRIPT,
  commonjs: COMMON_JS,
};

/** Scripts are strict, as classes are; other groups have their own file names. */
const FILES: Readonly<Record<string, string>> = { typescript: 'sample.ts', commonjs: 'sample.cjs' };

describe.each(Object.entries(GROUPS))('%s', (group, snippets) => {
  const file = FILES[group] ?? 'sample.js';

  test.each(snippets.map(([name, code, refused]) => ({ name, code, refused })))(
    '$name',
    ({ code, refused }) => {
      const expected = runPlain(code, file);
      if (refused === undefined) expect(runTraced(code, file)).toBe(expected);
      const idle = runIdle(code, file);
      if (refused === undefined || !idle.startsWith('refused')) expect(idle).toBe(expected);
      if (refused === undefined) expect(runAsCoroutine(code, file)).toBe(expected);
      else expect(runAsCoroutine(code, file)).toMatch(refused);
    },
  );
});
