/**
 * Transformed code in one thread does what it does untransformed, or says why not: a table of snippets (`fidelity/`). Recorded code does,
 * too.
 */
import { describe, expect, test } from 'vitest';
import { idly, plainly, recorded, type Snippet, stepwise } from '../../support/oracles/fidelity.js';
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

/** Files of scripts are strict, as classes are. */
const FILES: Readonly<Record<string, string>> = { typescript: 'sample.ts', commonjs: 'sample.cjs' };

describe.each(Object.entries(GROUPS))('%s', (group, snippets) => {
  const file = FILES[group] ?? 'sample.js';

  test.each(snippets.map(([name, code, refused]) => ({ name, code, refused })))(
    '$name',
    ({ code, refused }) => {
      const expected = plainly(code, file);
      if (refused === undefined) expect(recorded(code, file)).toBe(expected);
      const idle = idly(code, file);
      if (refused === undefined || !idle.startsWith('refused')) expect(idle).toBe(expected);
      if (refused === undefined) expect(stepwise(code, file)).toBe(expected);
      else expect(stepwise(code, file)).toMatch(refused);
    },
  );
});
