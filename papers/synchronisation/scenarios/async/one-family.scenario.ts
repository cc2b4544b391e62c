import type { Scenario } from 'straightedge';
import * as threads from '../one-family.scenario.js';
import { AsyncFamilies, HastyFamilies, LateReadingFamilies } from './families.js';
import { ofThreads } from './of-threads.js';

const methods = {
  synchronise: async (families: AsyncFamilies, me: number) => Number(await families.synchronise(`${me}`)),
};

const correct: Scenario = { ...ofThreads(threads.default, () => new AsyncFamilies(false)), methods };
export const late: Scenario = {
  ...ofThreads(threads.late, () => new LateReadingFamilies(false), [
    [['synchronise', 1]],
    [['synchronise', 0]],
    [['synchronise', 0]],
    [['synchronise', 2]],
  ]),
  methods,
};
export const hasty: Scenario = { ...ofThreads(threads.hasty, () => new HastyFamilies(false)), methods };

export default correct;
