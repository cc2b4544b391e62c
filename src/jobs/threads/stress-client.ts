/** Thread entry: a client of `stress` on real threads. It loads the scenario and runs its calls of each round. */
import { parentPort, workerData } from 'node:worker_threads';
import { divertStandardOutput } from '../../base/system-files.js';
import { loadModule } from '../../config/load-module.js';
import type { Scenario } from '../../explore/scenario/scenario.js';
import { serveRounds } from '../../stress/thread-client.js';

divertStandardOutput();
const load = async () => (await loadModule((workerData as { file: string }).file, 'scenario')) as Scenario;
if (parentPort) serveRounds(load, parentPort as never);
