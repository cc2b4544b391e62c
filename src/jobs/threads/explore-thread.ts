/** Thread entry: a real thread under exploration (explore/real-threads). It loads the scenario and makes the calls that it receives. */
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { workerData } from 'node:worker_threads';
import { divertStandardOutput } from '../../base/system-files.js';
import { loadModule, ourselves } from '../../config/load-module.js';
import { serveCalls, type ThreadData } from '../../explore/real-threads/serve.js';
import type { Scenario } from '../../explore/scenario/scenario.js';
import { rewriteElements } from '../../instrument/element-accesses.js';
import { loadInstrumented } from '../../instrument/load.js';

const data = workerData as ThreadData;
const path = data.module.startsWith('file:') ? fileURLToPath(data.module) : data.module;
divertStandardOutput();
await serveCalls(data, load);

/** Files that the scenario names are loaded instrumented, so that their plain accesses are visible. */
async function load(): Promise<Scenario> {
  const given = (await loadModule(path, 'scenario')) as Scenario;
  if (given.instrument === undefined) return given;
  const options = {
    globs: given.instrument,
    from: dirname(path),
    modules: await ourselves(),
    rewrite: rewriteElements,
  };
  return (loadInstrumented(path, options) as { default: Scenario }).default;
}
