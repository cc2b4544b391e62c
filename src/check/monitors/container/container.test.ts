import { expect, test } from 'vitest';
import { isLinearizable } from '../../../../test/support/oracles/oracle.js';
import { HistoryBuilder } from '../../../history/builder/builder.js';
import { queue, stack } from '../../../objects/collections/container.js';
import { priorityQueue } from '../../../objects/collections/priority-queue.js';
import type { Spec } from '../../../spec/spec.js';
import { check } from '../../check.js';

const CONTAINERS = [
  ['dequeue', queue],
  ['pop', stack],
  ['deleteMin', priorityQueue],
] as const;

test.each(CONTAINERS)(
  '%s: an initial value that occurs twice counts twice, whether or not an operation names it',
  (remove, make) => {
    for (const initial of [
      [1, 1],
      [1, 1, 2],
    ])
      for (const answers of [[null], [1, null], [1, 1, null], [2]])
        for (const open of [0, 1, 2, 3]) {
          const builder = new HistoryBuilder();
          const removes = { method: remove, args: [] };
          answers.forEach((value, i) => {
            const outcome = { kind: 'returned', value } as const;
            builder.operation({ ...removes, process: 'A', outcome, call: 10 * i, return: 10 * i + 5 });
          });
          for (let i = 0; i < open; i++)
            builder.operation({
              ...removes,
              process: `B${i}`,
              outcome: { kind: 'pending' },
              call: 12 * i + 1,
            });
          const history = builder.finish();
          const spec = make<number>({ initial }) as unknown as Spec;
          expect(check(history, spec).kind).toBe(
            isLinearizable(history, spec) ? 'linearizable' : 'violation',
          );
        }
  },
);
