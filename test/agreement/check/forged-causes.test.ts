/**
 * Forged causes, against `verifyCause` and the brute-force oracle.
 *
 * Correct causes are changed at random: other operations, other values, items omitted or duplicated. `verifyCause`
 * confirms no forgery if the history is linearizable, or if the operations that the forgery is about are.
 */
import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/base/random.js';
import { check } from '../../../src/check/check.js';
import { verifyCause } from '../../../src/check/monitors/registry.js';
import { AlgorithmError } from '../../../src/check/search/choose-search.js';
import { draw } from '../../../src/history/drawing/sketch.js';
import type { History } from '../../../src/history/history.js';
import type { Spec } from '../../../src/spec/spec.js';
import { MONITORED } from '../../support/fixtures/monitored-subjects.js';
import { randomHistory, type Subject } from '../../support/generators/random-history.js';
import { isLinearizable } from '../../support/oracles/oracle.js';
import { share } from '../../support/share.js';

type FamilyCause = Parameters<typeof verifyCause>[2];

const HISTORIES = share(20_000, 100);
const FORGERIES = 20;
/** Fields of causes whose numbers are not operations. */
const AMOUNTS = new Set(['sum', 'each']);
const VALUES = new Set(['value', 'owner']);

/** The cause that a monitor reports for a violation, if any. */
function causeOf(history: History, spec: Spec): FamilyCause | undefined {
  try {
    const verdict = check(history, spec, { algorithm: 'monitor' });
    if (verdict.kind !== 'violation') return undefined;
    const { allowed: _, refused: __, ...cause } = verdict.counterexample.cause;
    return cause.kind === 'stuck' || cause.kind === 'late' ? undefined : (cause as FamilyCause);
  } catch (error) {
    if (error instanceof AlgorithmError) return undefined;
    throw error;
  }
}

/** A randomly changed copy of a field of a cause. */
function forge(field: unknown, history: History, random: Random, key = ''): unknown {
  if (Array.isArray(field)) {
    const items = field.flatMap((item) =>
      random.withProbability(5) ? [] : random.withProbability(5) ? [item, item] : [item],
    );
    return items.map((item) => forge(item, history, random, key));
  }
  if (VALUES.has(key)) return random.withProbability(40) ? random.pick(history.tables.values.values) : field;
  if (AMOUNTS.has(key)) return random.withProbability(40) ? random.below(5) : field;
  if (typeof field === 'number' || (field === undefined && key !== ''))
    return random.withProbability(50)
      ? field
      : random.withProbability(15)
        ? undefined
        : random.below(history.length);
  if (typeof field !== 'object' || field === null) return field;
  return Object.fromEntries(
    Object.entries(field).map(([name, own]) => [name, forge(own, history, random, name)]),
  );
}

/** The operations that a cause is about: those on its key or its values, and pending removals. */
function operationsAbout(history: History, { family }: Spec, cause: FamilyCause): History {
  const named = history.positionsById()[cause.operation] ?? -1;
  if (family?.kind.startsWith('map'))
    return history.select((k) => named >= 0 && history.args(k)[0] === history.args(named)[0]);
  if (family?.roles.add === undefined || typeof family.initial === 'number') return history;
  const values = new Set([...(family.initial as unknown[]), ...valuesIn(cause)]);
  if (named >= 0) values.add(operandOf(history, named));
  return history.select(
    (k) => k === named || values.has(operandOf(history, k)) || history.at(k).outcome.kind === 'pending',
  );
}

const operandOf = (history: History, k: number): unknown => {
  const { args, outcome } = history.at(k);
  return args.length > 0 ? args[0] : outcome.kind === 'returned' ? (outcome.value ?? NaN) : NaN;
};

function valuesIn(field: unknown): unknown[] {
  if (typeof field !== 'object' || field === null) return [];
  return Object.entries(field).flatMap(([key, own]) => (key === 'value' ? [own] : valuesIn(own)));
}

const drawn = (subject: Omit<Subject, 'plain'>, random: Random): History =>
  randomHistory({ ...subject, plain: true }, random, 8);

/** Families without causes: a violation may need many operations, so allowed outcomes are searched instead. */
const CAUSELESS = new Set(['set', 'multiset', 'counter', 'mutex', 'semaphore']);
const CAUSED = Object.entries(MONITORED).filter(
  ([, { spec }]) => !CAUSELESS.has(spec.family?.kind as string),
);

describe.each(CAUSED)('for a %s', (_, subject) => {
  test('forged causes are refused', () => {
    const random = new Random(11);
    const { spec } = subject;
    const causes: FamilyCause[] = [];
    let refused = 0;
    for (let i = 0; i < HISTORIES; i++) {
      const history = drawn(subject, random);
      const cause = causeOf(history, spec);
      if (cause) causes.push(cause);
      if (causes.length === 0) continue;
      const isWrong = !isLinearizable(history, spec);
      for (let j = 0; j < FORGERIES; j++) {
        const forgery = forge(cause ?? random.pick(causes), history, random) as FamilyCause;
        if (!verifyCause(history, spec, forgery)) refused++;
        else if (!isWrong || isLinearizable(operationsAbout(history, spec, forgery), spec))
          throw new Error(`${JSON.stringify(forgery)} is confirmed of\n${draw(history)}`);
      }
    }
    expect(refused).toBeGreaterThan(HISTORIES);
  });
});
