/** Copies the scenarios of npm packages to `.npm-packages` and installs the packages there, at their fixed versions. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';

/** In the project's root, where tables run. */
export const FOLDER = '.npm-packages';

export function install(): void {
  cpSync('papers/npm-packages/scenarios', FOLDER, { recursive: true });
  if (existsSync(join(FOLDER, 'node_modules'))) return;
  const { status } = spawnSync('npm', ['install', '--no-audit', '--no-fund'], {
    cwd: FOLDER,
    stdio: ['ignore', process.stderr, process.stderr],
  });
  if (status !== 0) throw new Error(`npm install failed in ${FOLDER}: no network?`);
}
