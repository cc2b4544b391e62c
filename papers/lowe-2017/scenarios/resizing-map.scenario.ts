import { type Scenario, scenario } from 'straightedge';
import { map } from './map.spec.js';
import { ResizingMap } from './resizing-map.js';
import { ResizingMapFaulty } from './resizing-map-faulty.js';

/** Keys 0 and 2 collide, so the next update of 0 makes the map grow. */
const of = (name: string, create: () => ResizingMap): Scenario =>
  scenario({
    name,
    backend: 'instrumented',
    create,
    spec: map,
    before: [['update', 2, 9]],
    calls: [
      ['update', 0, 1],
      ['update', 1, 2],
      ['get', 0],
      ['get', 1],
      ['get', 2],
    ],
  });

const right: Scenario = of('resizing map', () => new ResizingMap());
export const faulty: Scenario = of(
  'resizing map, marked without compare-and-set',
  () => new ResizingMapFaulty(),
);
export default right;
