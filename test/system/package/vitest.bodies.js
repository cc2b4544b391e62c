import { everySchedule } from 'straightedge/vitest';
import { expect } from 'vitest';
import { defineBodies } from './bodies.js';

defineBodies(everySchedule, (actual, expected) => expect(actual).toEqual(expected));
