import assert from 'node:assert/strict';
import { everySchedule } from 'straightedge/node-test';
import { defineBodies } from './bodies.js';

defineBodies(everySchedule, (actual, expected) => assert.deepEqual(actual, expected));
