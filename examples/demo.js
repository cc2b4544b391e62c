// `npm run demo`: a recorded history of a job queue, and what straightedge says about it.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
console.log('\n$ npx straightedge check examples/orders.jsonl --spec queue\n');
const { status } = spawnSync(
  process.execPath,
  ['dist/cli/main.js', 'check', 'examples/orders.jsonl', '--spec', 'queue'],
  { cwd: root, stdio: 'inherit' },
);
console.log(
  `\nExit code ${status}: ${status === 1 ? 'a violation, as expected. The queue of this demo is broken.' : 'not what this demo is about!'}`,
);
process.exitCode = status === 1 ? 0 : 1;
