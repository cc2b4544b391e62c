// `npm run demo`: a recorded history of a job queue, the code of another, and what straightedge says about them.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

const statuses = [
  ['check', 'examples/orders.jsonl', '--spec', 'queue', '--html', 'demo.html'],
  ['explore', 'examples/jobs.scenario.ts'],
].map((args) => {
  console.log(`\n$ npx straightedge ${args.join(' ')}\n`);
  return spawnSync(process.execPath, ['dist/cli/main.js', ...args], { cwd: root, stdio: 'inherit' }).status;
});
const isExpected = statuses.every((status) => status === 1);
console.log(
  `\nExit codes ${statuses.join(' and ')}: ${isExpected ? 'violations, as expected. The queues of this demo are broken.' : 'not what this demo is about!'}`,
);
process.exitCode = isExpected ? 0 : 1;
