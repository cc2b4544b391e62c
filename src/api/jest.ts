/**
 * Matchers and scenario tests for jest: importing it adds `toBeLinearizable` and `toHold` to `expect`.
 *
 * @module straightedge/jest
 */
export { everySchedule, matchers, testScenario } from '../integrations/jest.js';
