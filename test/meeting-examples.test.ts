/**
 * The objects of examples/meetings: every faulty version is found, with its property, and the correct ones hold
 * under every schedule of a larger program.
 */
import { expect, test } from 'vitest';
import { MEETING_ROWS } from '../bench/tables/meeting-rows.js';
import { lineUp, Patience, type Scenario, trace } from '../src/explore/index.js';
import { check } from '../src/index.js';
import { scenariosIn } from './support/examples.js';

const explored = (scenario: Scenario) => {
  const { test: threads = [], before, after } = scenario;
  return lineUp(scenario, { threads, before, after }, { seed: 1, isExhaustive: true }, new Patience(60_000));
};

const faults = MEETING_ROWS.filter(({ property }) => property).map(
  (row) => [row.file, row.export, row] as const,
);
const files = [...new Set(MEETING_ROWS.map(({ file }) => file))];

test.each(faults)('%s, %s: the fault is found', (file, name, { property }) => {
  const scenario = scenariosIn(`meetings/${file}.scenario.ts`)[name];
  const { violation, program } = explored(scenario);
  if (!violation || violation.kind === 'nondeterminism' || !scenario.spec)
    throw new Error('no violation found');
  const { spec } = scenario;
  const verdict = check(trace(program, violation.schedule).history, () => spec);
  expect(verdict).toMatchObject({ kind: 'violation', counterexample: { property } });
});

test.each(files)('%s: the correct one holds under every schedule', (file) => {
  const { violation, coverage } = explored(scenariosIn(`meetings/${file}.scenario.ts`).default);
  expect(violation).toBeUndefined();
  expect(coverage).toEqual([{ kind: 'all' }]);
});

test('the correct ones also hold with the programs of their faulty versions', () => {
  for (const file of files) {
    const { default: correct, ...others } = scenariosIn(`meetings/${file}.scenario.ts`);
    for (const { test: threads = [] } of Object.values(others)) {
      const { violation, coverage } = explored({ ...correct, test: threads });
      expect([file, violation]).toEqual([file, undefined]);
      expect(coverage).toEqual([{ kind: 'all' }]);
    }
  }
});

test('a barrier with `if` for `while` is found with spurious wake-ups only; the correct one holds with them', () => {
  const { default: correct, trusting } = scenariosIn('meetings/barrier.scenario.ts');
  expect(explored(trusting).violation).toBeUndefined();
  expect(explored({ ...trusting, spuriousWakeups: true }).violation).toBeDefined();
  const { violation, coverage } = explored({ ...correct, test: trusting.test, spuriousWakeups: true });
  expect(violation).toBeUndefined();
  expect(coverage).toEqual([{ kind: 'all' }]);
});
