import { expect, test } from 'vitest';
import { evaluateInstrumented } from '../../test/support/fixtures/instrumented.js';
import { lineUp } from './line-up.js';
import { Deadline } from './model/deadline.js';
import { scenario } from './scenario/scenario.js';

test('the error for uncontrolled state names the call that differs and the functions without instrumentation', () => {
  let ticks = 0;
  Object.assign(globalThis, { tick: () => ++ticks });
  const { make } = evaluateInstrumented(
    'declare const tick: () => number; class C { n = 0; ask() { this.n++; return tick() } } export const make = () => new C();',
    'clock.ts',
  );
  const asked = scenario({
    create: make as () => { ask(): number },
    spec: { name: 'zero', initial: null, methods: { ask: (state: null) => [state, 0] as const } },
    calls: [['ask']],
    backend: 'instrumented',
  });
  const matrix = { threads: [[['ask']], [['ask']]] as const, before: [], after: [] };
  expect(() => lineUp(asked, matrix, { seed: 1 }, new Deadline(10_000))).toThrow(
    /other results when it was run again: ask by [AB] gave \d+, then \d+\. .*not instrumented: tick \(clock\.ts:1:\d+\)/,
  );
});
