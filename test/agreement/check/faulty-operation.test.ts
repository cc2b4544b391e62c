/**
 * Faulty operations that monitors report, against a search.
 *
 * A monitor reports the return that ends the shortest prefix that is not linearizable, with the outcomes that were
 * allowed. If it names another operation, its core must not be linearizable up to that return. `AGREE=all` checks more
 * histories.
 */
import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/base/random.js';
import { check } from '../../../src/check/check.js';
import type { Cause, Counterexample } from '../../../src/check/model/verdict.js';
import { AlgorithmError } from '../../../src/check/search/choose-search.js';
import type { History } from '../../../src/history/history.js';
import { queue } from '../../../src/objects/collections/container.js';
import type { Spec } from '../../../src/spec/spec.js';
import { MONITORED } from '../../support/fixtures/monitored-subjects.js';
import { randomHistory } from '../../support/generators/random-history.js';
import { simulatedHistory } from '../../support/generators/simulated-history.js';
import { isLinearizable } from '../../support/oracles/oracle.js';

const HISTORIES = process.env.AGREE === 'all' ? 20_000 : 150;

/** The counterexample of a monitor; undefined if the history is linearizable or the monitor declines. */
function counterexampleOf(history: History, spec: Spec): Counterexample | undefined {
  try {
    const verdict = check(history, spec, { algorithm: 'monitor' });
    return verdict.kind === 'violation' ? verdict.counterexample : undefined;
  } catch (error) {
    if (error instanceof AlgorithmError) return undefined;
    throw error;
  }
}

/** The cause that a search reports; for a spec with parts, only the operations on the same key are causeBySearch. */
function causeBySearch(history: History, spec: Spec, operation: number): Cause {
  const keyOf = (k: number): string => JSON.stringify(history.args(k)[0]);
  const key = keyOf(history.positionsById()[operation]);
  const part = spec.part ? history.select((k) => keyOf(k) === key) : history;
  const verdict = check(part, spec, { algorithm: 'search' });
  if (verdict.kind !== 'violation') throw new Error(`a search says ${verdict.kind}`);
  return verdict.counterexample.cause;
}

/** The events of a core up to the return of an operation. */
function upTo(core: History, history: History, operation: number): History {
  const last = history.columns.return[history.positionsById()[operation]];
  const position = history.positionsById();
  const { events, id } = core.columns;
  const momentOf = (event: number): number =>
    event >= 0 ? history.columns.call[position[id[event]]] : history.columns.return[position[id[~event]]];
  return core.prefix(events.filter((event) => momentOf(event) <= last).length - 1);
}

const allowed = (cause: Cause): string[] => cause.allowed.map((outcome) => JSON.stringify(outcome)).sort();

describe.each(Object.entries(MONITORED))('the monitor of a %s', (_, subject) => {
  test('reports the first return that no linearization includes, and the allowed outcomes', () => {
    const random = new Random(5);
    let violations = 0;
    for (let i = 0; i < HISTORIES; i++) {
      const history = randomHistory({ ...subject, plain: true }, random, 10);
      const found = counterexampleOf(history, subject.spec);
      if (!found) continue;
      violations++;
      const { cause, core } = found;
      const expected = causeBySearch(history, subject.spec, cause.operation);
      if (cause.operation === expected.operation) expect(allowed(cause)).toEqual(allowed(expected));
      else expect(isLinearizable(upTo(core, history, expected.operation), subject.spec)).toBe(false);
    }
    expect(violations).toBeGreaterThan(0);
  });
});

test('in a long history, the first return that no linearization includes is found without searching older operations', () => {
  const initial = [-1, -2, -3, -4, -5, -6, -7, -8, -9];
  const items = [...initial];
  const random = new Random(1);
  let tooEarly: unknown;
  const history = simulatedHistory(random, {
    operations: 2_500,
    processes: 4,
    object: {
      enqueue: (item: number) => void items.push(item),
      dequeue: () => items.shift() ?? null,
    },
    draw: (number) => (number !== 2_000 && random.withProbability(50) ? ['enqueue', number] : ['dequeue']),
    corrupt: (answer, number) => {
      if (number === 2_000) tooEarly = items[items.length - 1];
      return number === 2_000 ? tooEarly : answer;
    },
  });
  const spec = queue({ initial }) as Spec;
  const removals = [...history].filter(
    ({ outcome }) => outcome.kind === 'returned' && outcome.value === tooEarly,
  );
  expect(removals).toHaveLength(2);
  const moment = history.columns.return[counterexampleOf(history, spec)?.cause.operation ?? -1];
  const verdictUpTo = (last: number) => check(history.prefix(last), spec, { algorithm: 'monitor' }).kind;
  expect([verdictUpTo(moment - 1), verdictUpTo(moment)]).toEqual(['linearizable', 'violation']);
});
