/**
 * What is told where a monitor decides is what ends the shortest prefix without an order, as where a search decides: the operation
 * whose return that is, with the answers that would have been allowed; or operations that have no order by then, of which another is
 * named. `AGREE=all` looks at more histories.
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

/** What is said against a history, if a monitor decides it so. */
function told(history: History, spec: Spec): Counterexample | undefined {
  try {
    const verdict = check(history, spec, { algorithm: 'monitor' });
    return verdict.kind === 'violation' ? verdict.counterexample : undefined;
  } catch (error) {
    if (error instanceof AlgorithmError) return undefined;
    throw error;
  }
}

/** The same by a search, of the operations on the same key only, where there are keys. */
function searched(history: History, spec: Spec, operation: number): Cause {
  const keyOf = (k: number): string => JSON.stringify(history.args(k)[0]);
  const key = keyOf(history.positionsById()[operation]);
  const part = spec.part ? history.select((k) => keyOf(k) === key) : history;
  const verdict = check(part, spec, { algorithm: 'search' });
  if (verdict.kind !== 'violation') throw new Error(`a search says ${verdict.kind}`);
  return verdict.counterexample.cause;
}

/** What of a core had happened when an operation returned. */
function upTo(core: History, history: History, operation: number): History {
  const last = history.columns.return[history.positionsById()[operation]];
  const position = history.positionsById();
  const { events, id } = core.columns;
  const momentOf = (event: number): number =>
    event >= 0 ? history.columns.call[position[id[event]]] : history.columns.return[position[id[~event]]];
  return core.prefix(events.filter((event) => momentOf(event) <= last).length - 1);
}

const allowed = (cause: Cause): string[] => cause.allowed.map((outcome) => JSON.stringify(outcome)).sort();

describe.each(Object.entries(MONITORED))('of a %s', (_, subject) => {
  test('a monitor tells of the first return that no order gets past, and what would have been right', () => {
    const random = new Random(5);
    let violations = 0;
    for (let i = 0; i < HISTORIES; i++) {
      const history = randomHistory({ ...subject, plain: true }, random, 10);
      const found = told(history, subject.spec);
      if (!found) continue;
      violations++;
      const { cause, core } = found;
      const expected = searched(history, subject.spec, cause.operation);
      if (cause.operation === expected.operation) expect(allowed(cause)).toEqual(allowed(expected));
      else expect(isLinearizable(upTo(core, history, expected.operation), subject.spec)).toBe(false);
    }
    expect(violations).toBeGreaterThan(0);
  });
});

test('of a long run, what happened long ago is not searched, and the first return that no order gets past is blamed', () => {
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
    spoil: (answer, number) => {
      if (number === 2_000) tooEarly = items[items.length - 1];
      return number === 2_000 ? tooEarly : answer;
    },
  });
  const spec = queue({ initial }) as Spec;
  const gave = [...history].filter(
    ({ outcome }) => outcome.kind === 'returned' && outcome.value === tooEarly,
  );
  expect(gave).toHaveLength(2);
  const moment = history.columns.return[told(history, spec)?.cause.operation ?? -1];
  const upToThere = (last: number) => check(history.prefix(last), spec, { algorithm: 'monitor' }).kind;
  expect([upToThere(moment - 1), upToThere(moment)]).toEqual(['linearizable', 'violation']);
});
