import type { Scenario } from 'straightedge';
import * as threads from '../two-families.scenario.js';
import { AsyncFamilies, HastyFamilies, LateReadingFamilies } from './families.js';
import { ofThreads } from './of-threads.js';

/** One of the left or of the right, and who it met. */
const methods = {
  left: async (families: AsyncFamilies, me: number) =>
    Number((await families.synchronise(`l${me}`)).slice(1)),
  right: async (families: AsyncFamilies, me: number) =>
    Number((await families.synchronise(`r${me}`)).slice(1)),
};

const correct: Scenario = { ...ofThreads(threads.default, () => new AsyncFamilies(true)), methods };
export const late: Scenario = { ...ofThreads(threads.late, () => new LateReadingFamilies(true)), methods };
export const hasty: Scenario = { ...ofThreads(threads.hasty, () => new HastyFamilies(true)), methods };

export default correct;
