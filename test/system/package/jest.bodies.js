import { everySchedule } from 'straightedge/jest';
import { defineBodies } from './bodies.js';

defineBodies(everySchedule, (actual, expected) => expect(actual).toEqual(expected));
