/** The result of a stress run does not depend on the order in which its tasks finish. */
import { describe, expect, test } from 'vitest';
import { scenario } from '../../explore/scenario/scenario.js';
import { register } from '../../objects/cells/register.js';
import { StressRounds } from '../handlers/stress-job.js';
import type { StressJob } from '../model/job.js';
import type { RoundsResult, StressTask } from '../model/task.js';

const cell = scenario({
  create: () => ({ read: async () => 0 }),
  spec: register<number>(),
  calls: [['read']],
});
const job = { options: { rounds: 6 }, limits: { timeout: 60_000 } } as StressJob;
const place = { file: 'cell.scenario.ts', code: '' };

const LINES = '{"process":"A","method":"read","args":[],"result":1,"call":1,"return":2}\n';
const resultOf = (rounds: number, failing?: number): RoundsResult => ({
  rounds,
  operations: 4 * rounds,
  overlapping: 0,
  undecided: 0,
  unknown: [],
  ...(failing !== undefined && { failure: { round: failing, lines: LINES } }),
});

/** Hands out the tasks of six rounds; one round each. */
function started(): { readonly rounds: StressRounds; readonly tasks: StressTask[] } {
  const rounds = new StressRounds(cell, job, place);
  const tasks: StressTask[] = [];
  for (let task = rounds.next(); task !== undefined; task = rounds.next()) tasks.push(task);
  return { rounds, tasks };
}

describe('StressRounds', () => {
  test.each([
    ['in order', [0, 1, 2, 3, 4, 5]],
    ['in reverse', [5, 4, 3, 2, 1, 0]],
    ['mixed', [4, 1, 5, 0, 3, 2]],
  ])('reports the first violation if tasks finish %s', (_, order) => {
    const { rounds, tasks } = started();
    for (const i of order)
      rounds.complete(tasks[i], { kind: 'done', result: resultOf(1, i === 2 || i === 4 ? i : undefined) });
    expect(rounds.stressed(false)).toMatchObject({ verdict: 'violation', rounds: 3, failure: { round: 2 } });
  });

  test('a task after the first violation is obsolete, one before it is not', () => {
    const { rounds, tasks } = started();
    rounds.complete(tasks[3], { kind: 'done', result: resultOf(1, 3) });
    expect(tasks.map((task) => rounds.isObsolete(task))).toEqual([false, false, false, false, true, true]);
  });

  test('an abandoned round leaves the run undecided', () => {
    const { rounds, tasks } = started();
    for (const [i, task] of tasks.entries())
      rounds.complete(
        task,
        i === 1 ? { kind: 'abandoned', reason: 'no progress' } : { kind: 'done', result: resultOf(1) },
      );
    expect(rounds.stressed(false)).toMatchObject({
      verdict: 'undecided',
      reason: 'abandoned',
      abandoned: [{ round: 1, reason: 'no progress' }],
    });
  });

  test('the rounds of an abandoned task run alone', () => {
    const many = new StressRounds(cell, { ...job, options: { rounds: 128 } }, place);
    const task = many.next() as StressTask;
    expect(task).toMatchObject({ first: 0, rounds: 2 });
    many.complete(task, { kind: 'abandoned', reason: 'no progress' });
    expect([many.next(), many.next(), many.next()]).toMatchObject([
      { first: 0, rounds: 1 },
      { first: 1, rounds: 1 },
      { first: 2, rounds: 2 },
    ]);
  });
});
