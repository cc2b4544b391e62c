import type { Scenario } from 'straightedge';
import * as threads from '../one-family.scenario.js';
import { AsyncFamilies, HastyFamilies, LateReadingFamilies } from './families.js';
import { ofThreads } from './of-threads.js';

const methods = {
  meet: async (families: AsyncFamilies, me: number) => Number(await families.meet(`${me}`)),
};

const correct: Scenario = { ...ofThreads(threads.default, () => new AsyncFamilies(false)), methods };
export const late: Scenario = {
  ...ofThreads(threads.late, () => new LateReadingFamilies(false), [
    [['meet', 1]],
    [['meet', 0]],
    [['meet', 0]],
    [['meet', 2]],
  ]),
  methods,
};
export const hasty: Scenario = { ...ofThreads(threads.hasty, () => new HastyFamilies(false)), methods };

export default correct;
