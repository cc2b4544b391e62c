/** `npm run wild`: the packages, at their fixed versions, and the scenarios of them, in `.wild`. */
import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../.wild', import.meta.url));
cpSync(fileURLToPath(new URL('.', import.meta.url)), folder, { recursive: true });
const { status } = spawnSync('npm', ['install', '--no-audit', '--no-fund'], {
  cwd: folder,
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
