/**
 * Atomic blocks of random small classes: the explorer confirms a block if and only if an interpreter of the same class does. The classes
 * have plain fields, locks, monitors and loops that spin, so threads wait inside blocks.
 */
import { beforeAll, expect, test } from 'vitest';
import { Random } from '../../../src/base/random.js';
import type { Block } from '../../../src/execution/atomic-blocks.js';
import { Monitor, Mutex } from '../../../src/execution/primitives/locks.js';
import { lineUp } from '../../../src/explore/line-up.js';
import { Deadline } from '../../../src/explore/model/deadline.js';
import { type Scenario, scenario } from '../../../src/explore/scenario/scenario.js';
import { evaluateInstrumented } from '../../support/fixtures/instrumented.js';
import {
  AtomicBlockInterpreter,
  type Methods,
  type Statement,
  type StatementBlock,
  sourceOf,
} from '../../support/oracles/atomic-blocks.js';
import { hasSequentialWitness } from '../../support/oracles/brute-force.js';
import { share } from '../../support/share.js';

beforeAll(() => {
  Object.assign(globalThis, { Mutex, Monitor });
});

const FIELDS = ['x', 'y'];
const CALLS = [
  [['p'], ['q']],
  [['p'], ['p']],
  [['p', 'q'], ['q']],
];

const plain = (random: Random): Statement => ({
  kind: random.pick(['read', 'write', 'increment', 'clear'] as const),
  field: random.pick(FIELDS),
});

function randomMethod(random: Random): Statement[] {
  const some = (most: number): Statement[] =>
    Array.from({ length: random.below(most + 1) }, () => plain(random));
  const one = random.pick(['m', 'n']);
  const other = one === 'm' ? 'n' : 'm';
  const body: Statement[] = random.pick([
    () => [plain(random), ...some(2)],
    () => [...some(1), lock(one), plain(random), unlock(one), ...some(1)],
    () => [lock(one), ...some(1), lock(other), ...some(1), unlock(other), unlock(one)],
    () => [
      ...some(1),
      { kind: 'enter' } as const,
      ...(random.below(2) === 0 ? [{ kind: 'await', field: random.pick(FIELDS) } as const] : []),
      plain(random),
      ...(random.below(3) > 0 ? [{ kind: 'notify' } as const] : []),
      { kind: 'exit' } as const,
    ],
    () => [
      ...some(1),
      { kind: random.pick(['spin', 'spin while set'] as const), field: random.pick(FIELDS) },
      ...some(1),
    ],
  ])();
  return [...body, { kind: 'return' }];
}

const lock = (name: string): Statement => ({ kind: 'lock', lock: name });
const unlock = (name: string): Statement => ({ kind: 'unlock', lock: name });
const on = (kind: 'read' | 'increment' | 'clear' | 'spin while set', field: string): Statement => ({
  kind,
  field,
});
const RETURN: Statement = { kind: 'return' };

/** Locks in opposite orders: threads wait before blocks for each other. A lock of the program's own, on which threads spin. */
const CHOSEN: readonly Methods[] = [
  {
    p: [lock('m'), on('read', 'x'), lock('n'), unlock('n'), unlock('m'), RETURN],
    q: [lock('n'), on('read', 'y'), lock('m'), unlock('m'), unlock('n'), RETURN],
  },
  {
    p: [on('read', 'y'), on('spin while set', 'x'), on('increment', 'y'), RETURN],
    q: [on('increment', 'x'), on('increment', 'y'), on('clear', 'x'), RETURN],
  },
];

/** All blocks of one method, and some pairs of blocks of two methods. */
function blocksOf(methods: Methods, random: Random): StatementBlock[][] {
  const single = Object.entries(methods).flatMap(([method, { length }]) =>
    Array.from({ length: length - 1 }, (_, from) =>
      Array.from({ length: length - 1 - from }, (_, more) => [{ method, from, to: from + more }]),
    ).flat(),
  );
  const [p, q] = ['p', 'q'].map((method) => single.filter(([block]) => block.method === method).flat());
  const pairs = Array.from({ length: 8 }, () => [random.pick(p), random.pick(q)]);
  return [[], ...single, ...pairs];
}

test('the explorer confirms the blocks that an interpreter confirms', () => {
  const counts = { confirmed: 0, refuted: 0, deadlocks: 0 };
  for (let i = 0; i < share(600, 14); i++) {
    const random = new Random(i);
    const methods: Methods = CHOSEN[i] ?? { p: randomMethod(random), q: randomMethod(random) };
    const { source, lineOf } = sourceOf(methods);
    const { make } = evaluateInstrumented(source);
    const calls = random.pick(CALLS);
    const made: Scenario = scenario({
      create: make,
      backend: 'instrumented',
      test: calls.map((list) => list.map((method) => [method])),
    } as never);
    const testCase = { threads: made.test!, before: [], after: [] };
    const sequential = new AtomicBlockInterpreter(methods, calls, []).sequential();
    for (const repair of blocksOf(methods, random)) {
      const blocks = repair.map(({ method, from, to }): Block => {
        const first = lineOf.get(method)!;
        return {
          file: 'sample.ts',
          start: { line: first + from, column: 0 },
          end: { line: first + to, column: 999 },
        };
      });
      const { violation, coverage } = lineUp(
        made,
        testCase,
        { seed: 1, blocks },
        new Deadline(Number.POSITIVE_INFINITY),
      );
      const results = new AtomicBlockInterpreter(methods, calls, repair).results();
      const isConfirmed = results.every((result) => hasSequentialWitness(result, sequential));
      const at = `${source}\n${JSON.stringify([i, calls, repair])}`;
      expect([violation === undefined, violation?.kind === 'nondeterminism'], at).toEqual([
        isConfirmed,
        false,
      ]);
      if (isConfirmed) expect(coverage, at).toEqual([{ kind: 'all' }]);
      const isDeadlock = violation !== undefined && 'blocked' in violation && violation.blocked !== undefined;
      counts[isConfirmed ? 'confirmed' : isDeadlock ? 'deadlocks' : 'refuted']++;
    }
  }
  // all results must occur
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(20);
});
