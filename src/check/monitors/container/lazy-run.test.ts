import { describe, expect, test } from 'vitest';
import { randomHistory } from '../../../../test/support/generators/random-history.js';
import { simulatedHistory } from '../../../../test/support/generators/simulated-history.js';
import { isLinearizable } from '../../../../test/support/oracles/oracle.js';
import { share } from '../../../../test/support/share.js';
import { pick } from '../../../base/collections/ints.js';
import { Random } from '../../../base/random.js';
import type { History } from '../../../history/history.js';
import { queue, stack } from '../../../objects/collections/container.js';
import type { Spec } from '../../../spec/spec.js';
import { verifyWitness } from '../../verify-witness.js';
import type { MonitorResult } from '../common/monitor.js';
import { readQueue } from '../queue/monitor.js';
import { decideStack } from '../stack/monitor.js';
import { Container } from './container.js';
import { lazyQueueOrder, lazyStackOrder } from './lazy-run.js';

const noSearch = () => 'steps' as const;

/** `decide`: the decision without a run; undefined if the monitor declines. */
const CONTAINERS = [
  {
    name: 'queue',
    add: 'enqueue',
    remove: 'dequeue',
    make: (initial: readonly number[]) => queue({ initial }) as Spec,
    order: lazyQueueOrder,
    decide(container: Container): MonitorResult | undefined {
      const reading = readQueue(container);
      return typeof reading === 'string' ? undefined : reading.decide(noSearch);
    },
    take: (items: number[]) => items.shift(),
  },
  {
    name: 'stack',
    add: 'push',
    remove: 'pop',
    make: (initial: readonly number[]) => stack({ initial }) as Spec,
    order: lazyStackOrder,
    decide: (container: Container, spec: Spec): MonitorResult | undefined =>
      decideStack(container, spec, noSearch),
    take: (items: number[]) => items.pop(),
  },
] as const;

describe.each(CONTAINERS)('$name', ({ add, remove, make, order, decide, take }) => {
  const read = (history: History, spec: Spec): Container => {
    const container = Container.read(history, spec);
    if (typeof container === 'string') throw new Error(container);
    return container;
  };

  test('a run gives only orders of the container, and the conditions alone decide as an oracle does', () => {
    let [through, linearizable, decided] = [0, 0, 0];
    for (let seed = 1; seed <= share(100_000, 1_500); seed++) {
      const random = new Random(seed);
      const spec = make(random.pick([[], [-1], [-1, -2]]));
      const calls = [[add, 0], [remove], [remove]] as const;
      const plain = random.withProbability(50);
      const history = randomHistory({ spec, calls, fresh: [add], plain }, random, 7).withoutFailed();
      if (history.columns.after || history.stuck) continue;
      const container = Container.read(history, spec);
      if (typeof container === 'string') continue;
      const expected = isLinearizable(history, spec);
      if (expected) linearizable++;
      const found = order(container);
      if (found) {
        through++;
        expect(verifyWitness(history, spec, { order: pick(history.columns.id, found) })).toBeUndefined();
      }
      const result = decide(container, spec);
      if (result?.kind !== 'linearizable' && result?.kind !== 'violation') continue;
      decided++;
      expect(result.kind).toBe(expected ? 'linearizable' : 'violation');
    }
    expect(linearizable).toBeGreaterThan(share(60_000, 900));
    expect(through).toBeGreaterThan(0.85 * linearizable);
    expect(decided).toBeGreaterThan(linearizable);
  });

  test.each([2, 4, 8, 16, 32])('a run gets through a correct history of %i processes', (processes) => {
    const random = new Random(processes);
    const items: number[] = [];
    const history = simulatedHistory(random, {
      operations: share(200_000, 20_000),
      processes,
      object: { [add]: (value: number) => void items.push(value), [remove]: () => take(items) ?? null },
      draw: (number) => (random.withProbability(52) ? [add, number] : [remove]),
    });
    const spec = make([]);
    const found = order(read(history, spec));
    expect(found && verifyWitness(history, spec, { order: found })).toBeUndefined();
    expect(found).toHaveLength(history.length);
  });
});
