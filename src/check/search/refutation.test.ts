import { describe, expect, test } from 'vitest';
import { subjects } from '../../../test/support/fixtures/subjects.js';
import { randomHistory } from '../../../test/support/generators/random-history.js';
import { share } from '../../../test/support/share.js';
import { Random } from '../../base/random.js';
import { HistoryBuilder } from '../../history/builder/builder.js';
import { sketch } from '../../history/drawing/sketch.js';
import type { History } from '../../history/history.js';
import { casRegister } from '../../objects/cells/register.js';
import { Machine } from '../../spec/machine/machine.js';
import type { Spec } from '../../spec/spec.js';
import type { Search, SearchResult } from '../model/search.js';
import { JitGraph } from './generic/jit-graph.js';
import { RefutingSearch } from './refutation.js';

function answerOf(search: Search): SearchResult {
  for (;;) {
    const answer = search.advance(100);
    if (answer) return answer;
  }
}

/** Pending writes, then sequential writes and reads, then a read of a value that was never written. */
function afterTimeOuts(pending: number, rounds: number): History {
  const builder = new HistoryBuilder();
  for (let p = 0; p < pending; p++) builder.call({ process: `T${p}`, method: 'write', args: [p] });
  const run = (method: string, args: unknown[], value: unknown) =>
    builder.end(builder.call({ process: 'P', method, args }), { kind: 'returned', value });
  for (let round = 0; round < rounds; round++) {
    run('write', ['own'], undefined);
    run('read', [], 'own');
  }
  run('read', [], 'unwritten');
  return builder.finish();
}

/** Rounds of four overlapping writes, then a read of a value that was never written. */
function afterRounds(rounds: number): History {
  const builder = new HistoryBuilder();
  let time = 0;
  for (let round = 0; round < rounds; round++) {
    for (let p = 0; p < 4; p++)
      builder.operation({
        process: `P${p}`,
        method: 'write',
        args: [(round + p) % 5],
        outcome: { kind: 'returned', value: undefined },
        call: time + p,
        return: time + 8 + p,
      });
    time += 20;
  }
  builder.operation({
    process: 'P0',
    method: 'read',
    args: [],
    outcome: { kind: 'returned', value: 'unwritten' },
    call: time,
    return: time + 1,
  });
  return builder.finish();
}

describe('a refuting search', () => {
  test.each(Object.entries(subjects))('agrees with the plain graph search for a %s', (_, { spec, calls }) => {
    const random = new Random(7);
    for (let i = 0; i < share(60, 30); i++) {
      const history = randomHistory({ spec, calls }, random, 40).withoutFailed();
      const machine = new Machine(history, spec);
      const plain = answerOf(new JitGraph(history, machine));
      const refuting = answerOf(new RefutingSearch(history, machine, 2));
      expect(refuting.kind).toBe(plain.kind);
      if (refuting.kind === 'linearizable' || plain.kind === 'linearizable') continue;
      expect(refuting.refutation.moment).toBe(plain.refutation.moment);
      expect(plain.refutation.states).toEqual(expect.arrayContaining([...refuting.refutation.states]));
    }
  });

  test('finds an incorrect result with a number of steps that does not grow with the history before it', () => {
    const spec = casRegister() as Spec;
    const extraSteps = (rounds: number) => {
      const history = afterRounds(rounds);
      const refuting = new RefutingSearch(history, new Machine(history, spec));
      const answer = answerOf(refuting);
      expect(answer.kind).toBe('violation');
      const forward = 4 * rounds;
      return refuting.steps - forward;
    };
    expect(extraSteps(2_000)).toBeLessThan(2 * extraSteps(500));
  });

  test.each([1, 100])('finds an incorrect result after 30 pending operations and %d rounds', (rounds) => {
    const history = afterTimeOuts(30, rounds);
    const refuting = new RefutingSearch(history, new Machine(history, casRegister() as Spec));
    const answer = answerOf(refuting);
    if (answer.kind === 'linearizable') throw new Error('expected a violation');
    expect(answer.refutation.moment).toBe(history.columns.events.length - 1);
    expect(answer.refutation.states).toHaveLength(31);
    expect(refuting.steps).toBeLessThan(100_000);
  });

  test('lets a pending operation take effect once, although its proof lets it take effect repeatedly', () => {
    const history = sketch`
      A  |- write(1) -?
      B                 |- read() -> 1 -|  |- write(0) -|  |- read() -> 1 -|
    `;
    expect(answerOf(new RefutingSearch(history, new Machine(history, casRegister() as Spec), 0)).kind).toBe(
      'violation',
    );
  });

  test('finds all states before the faulty return', () => {
    const history = afterRounds(200);
    const machine = new Machine(history, casRegister() as Spec);
    const [plain, refuting] = [new JitGraph(history, machine), new RefutingSearch(history, machine)].map(
      answerOf,
    );
    if (plain.kind === 'linearizable' || refuting.kind === 'linearizable')
      throw new Error('expected a violation');
    expect([...refuting.refutation.states].sort()).toEqual([...plain.refutation.states].sort());
  });
});
