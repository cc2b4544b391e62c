/**
 * The objects of papers/synchronisation, for threads and as asynchronous code.
 *
 * Every faulty version is found, with its property. The correct versions hold under every schedule of a larger program.
 * Asynchronous versions are also tested under stress.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { moduleOf, RENDEZVOUS_ROWS, type RendezvousRow } from '../../papers/synchronisation/rows.js';
import { check } from '../../src/check/check.js';
import { inOwnTask } from '../../src/event-loop/own-task.js';
import { lineUp } from '../../src/explore/line-up.js';
import { Deadline } from '../../src/explore/model/deadline.js';
import type { Scenario } from '../../src/explore/scenario/scenario.js';
import type { History } from '../../src/history/history.js';
import { stress } from '../../src/stress/stress.js';
import { scenariosIn } from '../support/fixtures/papers.js';
import { runIn } from '../support/processes/command-line.js';

const explored = (scenario: Scenario) => {
  const { test: threads = [], before, after } = scenario;
  return lineUp(scenario, { threads, before, after }, { seed: 1, isExhaustive: true }, new Deadline(60_000));
};

const scenarioOf = (row: RendezvousRow): Scenario => {
  const given = scenariosIn(moduleOf(row))[row.export];
  return row.spuriousWakeups ? { ...given, spuriousWakeups: true } : given;
};

/** The history of a violation. */
function wrong(scenario: Scenario): History {
  const { violation, backend } = explored(scenario);
  if (!violation || violation.kind === 'nondeterminism') throw new Error('no violation found');
  return backend.trace(violation.schedule).history;
}

const named = (rows: readonly RendezvousRow[]) =>
  rows.map(
    (row) => [row.backend, row.file, `${row.export}${row.spuriousWakeups ? ', woken' : ''}`, row] as const,
  );
const faults = RENDEZVOUS_ROWS.filter(({ property }) => property);

test.each(named(faults))('%s: %s, %s: the fault is found', async (_, __, ___, row) => {
  const scenario = scenarioOf(row);
  const history = await inOwnTask(() => wrong(scenario));
  expect(check(history, () => scenario.spec!)).toMatchObject({
    kind: 'violation',
    counterexample: { property: row.property },
  });
});

test.each(named(RENDEZVOUS_ROWS.filter(({ property }) => !property)))(
  '%s: %s, %s holds under every schedule',
  async (_, __, ___, row) => {
    const { violation, coverage } = await inOwnTask(() => explored(scenarioOf(row)));
    expect(violation).toBeUndefined();
    expect(coverage).toEqual([{ kind: 'all' }]);
  },
);

/** The programs with one call removed. */
const shorter = (test: NonNullable<Scenario['test']>) =>
  test.flatMap((calls, thread) =>
    calls.map((_, call) => test.with(thread, calls.toSpliced(call, 1)).filter(({ length }) => length > 0)),
  );

test('the programs of the faulty versions are minimal: with a call removed, they pass, or the correct version fails too', async () => {
  for (const row of faults) {
    const faulty = scenarioOf(row);
    const correct = scenarioOf({ ...row, export: 'default' });
    for (const threads of shorter(faulty.test ?? [])) {
      const isWrong = (scenario: Scenario) =>
        inOwnTask(() => {
          const { violation, backend } = explored({ ...scenario, before: faulty.before, test: threads });
          if (!violation || violation.kind === 'nondeterminism') return false;
          const verdict = check(backend.trace(violation.schedule).history, () => scenario.spec!);
          return verdict.kind === 'violation' && verdict.counterexample.property === row.property;
        });
      const isShown = (await isWrong(faulty)) && !(await isWrong(correct));
      expect([row, threads, isShown]).toEqual([row, threads, false]);
    }
  }
});

const modules = [...new Set(RENDEZVOUS_ROWS.map(moduleOf))];

/** The number of calls up to which a program is explored quickly. */
const FEW = 6;

test('the correct versions hold with the programs of the faulty versions', async () => {
  for (const module of modules) {
    const { default: correct, ...others } = scenariosIn(module);
    for (const { test: threads = [] } of Object.values(others)) {
      if (threads.flat().length > FEW) continue;
      const { violation, coverage } = await inOwnTask(() => explored({ ...correct, test: threads }));
      expect([module, violation]).toEqual([module, undefined]);
      expect(coverage).toEqual([{ kind: 'all' }]);
    }
  }
});

const still = { settle: 5, stallTimeout: 50 };

test.each(named(faults.filter(({ backend }) => backend === 'async')))(
  '%s: %s, %s: a fault is found under stress',
  async (_, __, ___, row) => {
    // some versions violate both properties, and either may be found first
    const { verdict } = await stress(scenarioOf(row), { ...still, rounds: 1_000 });
    expect(verdict).toBe('violation');
  },
);

test('the correct versions hold under stress', async () => {
  for (const module of modules.filter((path) => path.includes('/async/'))) {
    const { verdict } = await stress(scenariosIn(module).default, { ...still, rounds: 5 });
    expect([module, verdict]).toEqual([module, 'holds']);
  }
});

const folder = mkdtempSync(join(tmpdir(), 'straightedge-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** On real threads, with a fault that every schedule shows. */
test.each([
  ['channel', ['stress', '--rounds', '3'], 0, '✓ no violation'],
  ['hasty-channel', ['stress', '--rounds', '3'], 1, '✗ not synchronisation linearizable'],
  ['hasty-channel', ['explore'], 1, '✗ not synchronisation linearizable'],
])('%s on real threads: %s', (name, [command, ...flags], code, headline) => {
  const path = `../../papers/synchronisation/scenarios/real-threads/${name}.scenario.ts`;
  const file = fileURLToPath(new URL(path, import.meta.url));
  const { status, stdout, stderr } = runIn(folder, [command, file, ...flags]);
  expect([status, stderr]).toEqual([code, '']);
  expect(stdout).toContain(headline);
});
