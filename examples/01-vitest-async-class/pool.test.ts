import { testScenario } from 'straightedge/vitest';
import { FixedPool } from './fixed-pool.js';
import pool from './pool.scenario.js';

testScenario('concurrent callers share at most two connections', pool);
testScenario('with the fixed pool, too', { ...pool, create: () => new FixedPool() });
