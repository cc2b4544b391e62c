/** A report draws and names operations of the explained part only, for random histories of several objects and keys. */
import { expect, test } from 'vitest';
import { subjects } from '../../../test/support/fixtures/subjects.js';
import { randomHistory } from '../../../test/support/generators/random-history.js';
import { share } from '../../../test/support/share.js';
import { Random } from '../../base/random.js';
import { check } from '../../check/check.js';
import { HistoryBuilder } from '../../history/builder/builder.js';
import type { History } from '../../history/history.js';
import { textReport } from '../text/report.js';
import { styleOf } from '../text/style.js';
import { chooseOperations } from './choose-operations.js';

const HISTORIES = share(400, 150);
const CONTAINERS = share(2_000, 120);

/** Histories of several maps at once; some operations failed. */
function mixed(random: Random): History {
  const builder = new HistoryBuilder();
  for (let object = 0; object < 2; object++)
    for (const { call, return: end, ...operation } of randomHistory(subjects.map, random, 8))
      builder.operation({
        ...operation,
        object: `map ${object}`,
        process: `p${object} ${operation.process}`,
        overlapping: true,
        call,
        return: end === Number.POSITIVE_INFINITY ? undefined : end,
        ...(random.withProbability(25) && { outcome: { kind: 'failed' }, return: call + 3 }),
      });
  return builder.finish();
}

test.each([true, false])('all operations in a report are of one part; with specs: %s', (hasSpecs) => {
  const random = new Random(3);
  let [violations, withFailed] = [0, 0];
  for (let i = 0; i < HISTORIES; i++) {
    const history = mixed(random);
    const { spec } = subjects.map;
    const verdict = check(history, spec);
    if (verdict.kind !== 'violation') continue;
    violations++;
    const { counterexample } = verdict;
    const specOf = hasSpecs ? () => spec : undefined;
    const keysOf = (own: History) =>
      new Set(
        Array.from(own).flatMap(({ object, method, args }) =>
          [spec.part?.(method, args) ?? 'all'].flat().map((key) => `${object} ${key}`),
        ),
      );
    const keys = keysOf(counterexample.core);
    const shown = chooseOperations(counterexample, history, specOf);
    for (const key of keysOf(shown)) expect(keys).toContain(key);
    if (Array.from(shown).some(({ outcome }) => outcome.kind === 'failed')) withFailed++;
    const result = { file: 'f', spec: 'map', history, verdict, ms: { read: 0, check: 0 }, specOf };
    const named = textReport(result, styleOf({})).matchAll(/operations? (\d+)(?! shown)/g);
    for (const [, id] of named)
      for (const key of keysOf(history.select((k) => k === Number(id)))) expect(keys).toContain(key);
  }
  expect(violations).toBeGreaterThan(HISTORIES / 10);
  if (hasSpecs) expect(withFailed).toBeGreaterThan(0);
});

test.each(['queue', 'stack', 'deque', 'priority-queue'] as const)(
  'a removal in a drawing comes with its insertion, and an insertion beside the core with its removal: %s',
  (name) => {
    const random = new Random(5);
    let [violations, large, besides] = [0, 0, 0];
    for (let i = 0; i < CONTAINERS; i++) {
      const history = randomHistory(subjects[name], random, i % 2 === 0 ? 8 : 40);
      const { spec } = subjects[name];
      const verdict = check(history, spec);
      if (verdict.kind !== 'violation') continue;
      violations++;
      const { core, cause } = verdict.counterexample;
      const all = Array.from(history).filter(({ outcome }) => outcome.kind !== 'failed');
      const drawn = new Set(chooseOperations(verdict.counterexample, history, () => spec).columns.id);
      const shown = all.filter(({ id }) => drawn.has(id));
      if (core.length > shown.length) large++;
      const inCore = new Set(core.columns.id);
      const end = shown.find(({ id }) => id === cause.operation)?.return ?? Number.NaN;
      for (const operation of shown) {
        const [value] = operation.args;
        const result = operation.outcome.kind === 'returned' ? operation.outcome.value : undefined;
        const inserts = (own: typeof operation) => own.args[0] === result && own.call < operation.return;
        const from = inCore.has(operation.id) ? all.filter(({ id }) => inCore.has(id)) : all;
        if (typeof result === 'number' && from.some(inserts)) expect(shown.some(inserts), `${i}`).toBe(true);
        if (inCore.has(operation.id)) continue;
        besides++;
        const isSame = (own: typeof operation) =>
          own.call < end &&
          (value ?? result ?? null) !== null &&
          [own.args[0], own.outcome.kind === 'returned' ? own.outcome.value : undefined].includes(
            value ?? result,
          );
        expect(shown.filter(isSame).length, `${i}`).toBe(all.filter(isSame).length);
      }
    }
    expect(violations).toBeGreaterThan(CONTAINERS / 10);
    expect(large).toBeGreaterThan(0);
    if (name === 'stack') expect(besides).toBeGreaterThan(0);
  },
);
