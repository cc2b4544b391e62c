/** Traced code has known accesses between its awaits; steps of other code conflict with all steps. */
import { expect, test } from 'vitest';
import { programIn } from '../../../test/support/fixtures/async-program.js';
import { control } from '../../event-loop/control.js';
import { inOwnTask } from '../../event-loop/own-task.js';
import { READ } from '../../execution/memory/access.js';
import type { TraceStep } from '../model/trace-types.js';
import { asyncTrace } from './trace.js';

const accounts = (outside: string) => `
const later = () => new Promise((resolve) => setTimeout(resolve, 1));
export const make = () => new (class {
  balance = 0; notes = 0;
  async deposit() { const before = this.balance; await later(); this.balance = before + 1; }
  async note() { ${outside}; const before = this.notes; await later(); this.notes = before + 1; }
  async look() { await later(); return this.balance; }
})();`;

async function awaitsOf(code: string, isRecorded: boolean): Promise<(operation: number) => TraceStep[]> {
  control();
  const { awaits } = await inOwnTask(() =>
    asyncTrace(programIn(code, [['deposit'], ['note'], ['look']], isRecorded), []),
  );
  return (operation) => awaits!.filter((step) => step.operation === operation);
}

const changed = (steps: readonly TraceStep[]) =>
  steps.filter(({ location, kind }) => location && kind !== READ).map(({ location }) => location);
const touched = (steps: readonly TraceStep[]) =>
  steps.flatMap(({ location }) => (location ? [location] : []));

test('calls on different fields do not conflict; a read conflicts with a write of the same field', async () => {
  const of = await awaitsOf(accounts(''), true);
  const [deposit, note, look] = [of(0), of(1), of(2)];
  expect([deposit, note, look].map((steps) => steps.length > 1)).toEqual([true, true, true]);
  for (const location of changed(deposit)) expect(touched(note)).not.toContainEqual(location);
  for (const location of changed(note)) expect(touched(deposit)).not.toContainEqual(location);
  expect(touched(look).some((location) => changed(deposit).some((own) => same(own, location)))).toBe(true);
  expect(changed(look).some((location) => touched(deposit).some((own) => same(own, location)))).toBe(false);
});

test('every step of code that is untraced, or calls untraced code, conflicts with all others', async () => {
  Object.assign(globalThis, { stranger: () => 0 });
  for (const of of [await awaitsOf(accounts(''), false), await awaitsOf(accounts('stranger()'), true)])
    expect(new Set([of(0), of(1), of(2)].flat().map(({ location }) => JSON.stringify(location))).size).toBe(
      1,
    );
});

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
