import { type Scenario, scenario } from 'straightedge';
import { TaskCompletionSource } from './task-completion-source.js';
import { TaskCompletionSourceBeta } from './task-completion-source-beta.js';
import { TaskCompletionSourcePre } from './task-completion-source-pre.js';

const of = (name: string, create: () => TaskCompletionSource): Scenario =>
  scenario({
    name,
    backend: 'instrumented',
    create,
    calls: [
      ['exception'],
      ['trySetCanceled'],
      ['trySetException', 1],
      ['trySetResult', 2],
      ['setCanceled'],
      ['setException', 3],
      ['setResult', 4],
      ['wait'],
      ['tryResult'],
    ],
  });

const source: Scenario = of('TaskCompletionSource, corrected', () => new TaskCompletionSource());
export const pre: Scenario = of('TaskCompletionSource(Pre)', () => new TaskCompletionSourcePre());
export const beta: Scenario = of('TaskCompletionSource', () => new TaskCompletionSourceBeta());
export default source;
