import { type Scenario, scenario } from 'straightedge';
import { set } from 'straightedge/objects';
import { SkipList } from './skip-list.js';
import { SkipListFaulty } from './skip-list-faulty.js';

const of = (name: string, create: () => SkipList): Scenario =>
  scenario({
    name,
    backend: 'instrumented',
    create,
    spec: set<number>(),
    calls: [
      ['add', 1],
      ['add', 3],
      ['add', 4],
      ['contains', 1],
      ['contains', 3],
      ['contains', 4],
    ],
  });

const right: Scenario = of('skip list', () => new SkipList());
export const faulty: Scenario = of('skip list, equal hashes', () => new SkipListFaulty());
export default right;
