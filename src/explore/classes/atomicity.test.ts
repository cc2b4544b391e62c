import { expect, test } from 'vitest';
import { call, program } from '../../../test/support/fixtures/calls.js';
import { Execution } from '../../execution/execution.js';
import { AtomicRef } from '../../execution/primitives/atomic-ref.js';
import type { Program } from '../../execution/program.js';
import { byClasses } from '../engines/engines.js';
import { LearnedAutomaton, LearnedRuns } from '../learning/learned-runs.js';
import { SequentialRuns } from '../learning/sequential-runs.js';
import { Atomicity } from './data-races.js';

const increment = call<AtomicRef<number>>('increment', function* (ref) {
  const old = yield* ref.$get();
  yield* ref.$set(old + 1);
});
const read = call<AtomicRef<number>>('read', (ref) => ref.$get());
/** Reads twice, and ignores what it read. */
const peek = call<AtomicRef<number>>('peek', function* (ref) {
  yield* ref.$get();
  yield* ref.$get();
});

function warningsOf(threads: Program<AtomicRef<number>>['threads']) {
  const execution = new Execution(program(() => new AtomicRef(0), threads) as Program);
  const trie = new LearnedRuns(execution.calls.length);
  new SequentialRuns(execution, trie).advance(Number.POSITIVE_INFINITY);
  const atomicity = new Atomicity();
  const engine = byClasses(execution, new LearnedAutomaton(trie), { atomicity });
  while (engine.advance(10_000) !== 'done');
  return atomicity.warnings;
}

test('two updates that cross each other are a cycle', () => {
  // two sequential executions; two in which both read first, and then either writes first
  expect(warningsOf([[increment], [increment]])).toEqual({
    executions: 4,
    unserializable: 2,
    pairs: ['increment and increment'],
  });
});

test('one access each is always serializable', () => {
  expect(warningsOf([[read], [read], [read]])).toMatchObject({ unserializable: 0, pairs: [] });
});

test('a linearizable object gets a warning if a call reads twice around a write', () => {
  expect(warningsOf([[peek], [increment]])).toMatchObject({
    unserializable: 1,
    pairs: ['increment and peek'],
  });
});
