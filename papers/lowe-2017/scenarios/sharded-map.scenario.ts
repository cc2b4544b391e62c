import { type Scenario, scenario } from 'straightedge';
import { map } from './map.spec.js';
import { ShardedMap } from './sharded-map.js';
import { ShardedMapFaulty } from './sharded-map-faulty.js';

const of = (name: string, create: () => ShardedMap): Scenario =>
  scenario({
    name,
    backend: 'instrumented',
    create,
    spec: map,
    calls: [
      ['update', 0, 1],
      ['update', 0, 2],
      ['delete', 0],
      ['get', 0],
      ['update', 1, 3],
      ['get', 1],
    ],
  });

const right: Scenario = of('sharded map', () => new ShardedMap());
export const faulty: Scenario = of('sharded map, said to be there first', () => new ShardedMapFaulty());
export default right;
