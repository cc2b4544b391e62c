import { type Scenario, scenario } from 'straightedge';
import { HashMap } from './hash-map.js';
import { HashMapFaulty } from './hash-map-faulty.js';
import { map } from './map.spec.js';

const of = (name: string, create: () => HashMap): Scenario =>
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
    ],
  });

const right: Scenario = of('hash map', () => new HashMap(1));
export const faulty: Scenario = of('hash map, delete without compare-and-set', () => new HashMapFaulty(1));
export default right;
