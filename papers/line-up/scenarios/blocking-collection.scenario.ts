import { type Scenario, scenario } from 'straightedge';
import { BlockingCollection } from './blocking-collection.js';
import { BlockingCollectionBeta } from './blocking-collection-beta.js';
import { BlockingCollectionPre } from './blocking-collection-pre.js';
import { collection } from './collection.spec.js';

const CALLS = [
  ['count'],
  ['toArray'],
  ['tryAdd', 1],
  ['tryAdd', 2, 1],
  ['isCompleted'],
  ['isAddingCompleted'],
  ['completeAdding'],
  ['add', 3],
  ['take'],
  ['takeWithEnum'],
  ['tryTake'],
  ['tryTake', 1],
] as const;

const of = (name: string, create: () => BlockingCollection | BlockingCollectionBeta): Scenario =>
  scenario({ name, create, backend: 'instrumented', calls: [...CALLS, { method: 'cancel', weight: 2 }] });

const right: Scenario = of('BlockingCollection, corrected', () => new BlockingCollection());
export const pre: Scenario = of('BlockingCollection(Pre)', () => new BlockingCollectionPre());
export const beta: Scenario = of('BlockingCollection', () => new BlockingCollectionBeta());
/** H and I as documented; K is no matter of a spec. */
export const documented: Scenario = scenario({
  name: 'BlockingCollection, as documented',
  backend: 'instrumented',
  create: () => new BlockingCollectionBeta(),
  spec: collection,
  calls: CALLS,
});
export default right;
