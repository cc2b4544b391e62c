import { type Scenario, scenario } from 'straightedge';
import { bag } from './bag.spec.js';
import { ConcurrentBag } from './concurrent-bag.js';
import { ConcurrentBagPre } from './concurrent-bag-pre.js';

const THREADS = 3;
const CALLS = [
  ['count'],
  ['add', 10],
  ['add', 20],
  ['tryTake'],
  ['isEmpty'],
  ['tryPeek'],
  ['toArray'],
] as const;

const of = (name: string, create: () => ConcurrentBag): Scenario =>
  scenario({ name, create, backend: 'instrumented', calls: CALLS });

const beta: Scenario = of('ConcurrentBag', () => new ConcurrentBag(THREADS));
export const pre: Scenario = of('ConcurrentBag(Pre)', () => new ConcurrentBagPre(THREADS));

const withSpec = (name: string, create: () => ConcurrentBag): Scenario =>
  scenario({
    name,
    backend: 'instrumented',
    create,
    spec: bag,
    calls: CALLS,
    methods: { toArray: (it) => it.toArray().sort((a, b) => a - b) },
  });

/** J as documented: any item will do. */
export const documented: Scenario = withSpec(
  'ConcurrentBag, as documented',
  () => new ConcurrentBag(THREADS),
);
/** What is wrong even so. */
export const documentedPre: Scenario = withSpec(
  'ConcurrentBag(Pre), as documented',
  () => new ConcurrentBagPre(THREADS),
);
export default beta;
