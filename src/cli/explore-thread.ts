/** A thread that is explored (src/explore/workers): loads the scenario by its path, and makes the calls that it is told to. */
import { fileURLToPath } from 'node:url';
import { workerData } from 'node:worker_threads';
import { type Scenario, serveCalls, type ThreadData } from '../explore/index.js';
import { loadModule } from './load-module.js';

const data = workerData as ThreadData;
const path = data.module.startsWith('file:') ? fileURLToPath(data.module) : data.module;
await serveCalls(data, async () => (await loadModule(path, 'scenario')) as Scenario);
