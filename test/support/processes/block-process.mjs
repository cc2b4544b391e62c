/**
 * Runs modules, one after another, each as if it were the only one of its process: a message names its folder and file; the
 * answer, sent when nothing that it began is left to do, is what it wrote to standard error and how it ended.
 *
 * One process for all modules loads the package once.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { createJiti } from 'jiti';

const { cache } = createRequire(import.meta.url);
// a module may replace the timers
const { setTimeout } = globalThis;
const pause = () => new Promise((resolve) => setTimeout(resolve, 5));

let said = '';
process.stderr.write = (text) => {
  said += text;
  return true;
};
let failed = false;
const fail = (error) => {
  failed = true;
  said += `${inspect(error)}\n`;
};
process.on('uncaughtException', fail);

/** How many timers, sockets, threads and other sources of events this process has, apart from the pause. */
const sources = async () => {
  await pause();
  return process.getActiveResourcesInfo().length;
};

/** Runs a file, and sends its exit code and what it wrote to standard error. */
const run = async ({ folder, file }) => {
  const before = await sources();
  [said, failed] = ['', false];
  process.chdir(folder);
  process.exitCode = 0;
  await createJiti(folder).import(join(folder, file)).catch(fail);
  while ((await sources()) > before);
  for (const path of Object.keys(cache)) if (path.startsWith(folder)) delete cache[path];
  process.send({ status: failed ? 1 : process.exitCode, stderr: said });
};

process.on('message', (message) => {
  void run(message);
});
process.send('ready');
