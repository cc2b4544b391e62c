/**
 * Matchers and scenario tests for vitest: importing it adds `toBeLinearizable` and `toHold` to `expect`.
 *
 * @module straightedge/vitest
 */
export { everySchedule, matchers, testScenario } from '../integrations/vitest.js';
