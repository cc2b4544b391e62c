/** For jest with ES modules: `import 'straightedge/jest'` adds the matchers, and `holds` is a test of a scenario. */
export { holds, matchers } from '../integrations/jest.js';
export type { HoldOptions } from '../integrations/run-scenario.js';
