import { describe, expect, test } from 'vitest';
import { subjects } from '../../../test/support/fixtures/subjects.js';
import { randomHistory } from '../../../test/support/generators/random-history.js';
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

/** Writes that never return, then writes and reads that follow each other, then a read of what nobody wrote. */
function afterTimeOuts(pending: number, rounds: number): History {
  const builder = new HistoryBuilder();
  for (let p = 0; p < pending; p++) builder.call({ process: `T${p}`, method: 'write', args: [p] });
  const run = (method: string, args: unknown[], value: unknown) =>
    builder.end(builder.call({ process: 'P', method, args }), { kind: 'returned', value });
  for (let round = 0; round < rounds; round++) {
    run('write', ['own'], undefined);
    run('read', [], 'own');
  }
  run('read', [], 'nobody');
  return builder.finish();
}

/** Rounds of four overlapping writes and reads; after the last one, a read of what nobody wrote last. */
function longAgo(rounds: number): History {
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
    outcome: { kind: 'returned', value: 'nobody' },
    call: time,
    return: time + 1,
  });
  return builder.finish();
}

describe('a refuting search', () => {
  test.each(Object.entries(subjects))('gives the answers of the plain one for a %s', (_, { spec, calls }) => {
    const random = new Random(7);
    for (let i = 0; i < 60; i++) {
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

  test('needs no more effort for a wrong answer the longer the history before it', () => {
    const spec = casRegister() as Spec;
    const effort = (rounds: number) => {
      const history = longAgo(rounds);
      const refuting = new RefutingSearch(history, new Machine(history, spec));
      const answer = answerOf(refuting);
      expect(answer.kind).toBe('violation');
      const forward = 4 * rounds;
      return refuting.steps - forward;
    };
    expect(effort(2_000)).toBeLessThan(2 * effort(500));
  });

  test.each([1, 100])('a wrong answer after 30 operations that never returned: %d rounds', (rounds) => {
    const history = afterTimeOuts(30, rounds);
    const refuting = new RefutingSearch(history, new Machine(history, casRegister() as Spec));
    const answer = answerOf(refuting);
    if (answer.kind === 'linearizable') throw new Error('expected no order');
    expect(answer.refutation.moment).toBe(history.columns.events.length - 1);
    expect(answer.refutation.states).toHaveLength(31);
    expect(refuting.steps).toBeLessThan(100_000);
  });

  test('a pending operation explains one read only, however often a proof lets it take effect', () => {
    const history = sketch`
      A  |- write(1) -?
      B                 |- read() -> 1 -|  |- write(0) -|  |- read() -> 1 -|
    `;
    expect(answerOf(new RefutingSearch(history, new Machine(history, casRegister() as Spec), 0)).kind).toBe(
      'violation',
    );
  });

  test('knows all states before the return', () => {
    const history = longAgo(200);
    const machine = new Machine(history, casRegister() as Spec);
    const [plain, refuting] = [new JitGraph(history, machine), new RefutingSearch(history, machine)].map(
      answerOf,
    );
    if (plain.kind === 'linearizable' || refuting.kind === 'linearizable')
      throw new Error('expected no order');
    expect([...refuting.refutation.states].sort()).toEqual([...plain.refutation.states].sort());
  });
});
