/** A thread of `straightedge stress`: loads the scenario by its path, and serves rounds. */
import { parentPort, workerData } from 'node:worker_threads';
import { loadModule } from '../config/index.js';
import { type Scenario, serveRounds } from '../explore/index.js';

const load = async () => (await loadModule((workerData as { file: string }).file, 'scenario')) as Scenario;
if (parentPort) serveRounds(load, parentPort as never);
