/**
 * Tests for `node:test`: a scenario as a test, and test bodies under every schedule.
 *
 * @module straightedge/node-test
 */
export { everySchedule, testScenario } from '../integrations/node-test.js';
