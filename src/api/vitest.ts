/** For vitest: `import 'straightedge/vitest'` adds the matchers, and `holds` is a test of a scenario. */
export type { HoldOptions } from '../integrations/run-scenario.js';
export { holds, matchers } from '../integrations/vitest.js';
