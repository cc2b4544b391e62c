/** Installs the packages of a kind in `.npm-packages`, pinned by integrity and without their scripts. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { entriesOf, scenarioFile, scenarioText } from './entries.js';

/** In the project's root, where tables run. */
export const FOLDER = '.npm-packages';

/** Copies the entries, writes their scenario files, and installs what is missing; returns the folder. */
export async function install(survey: string, kind: string): Promise<void> {
  const folder = join(FOLDER, kind);
  linkOurselves(FOLDER);
  cpSync(join(survey, kind), folder, { recursive: true });
  await writeScenarios(survey, kind, folder);
  const lock = readFileSync(join(folder, 'package-lock.json'), 'utf8');
  const installed = join(folder, 'node_modules', '.installed-lock.json');
  if (existsSync(installed) && readFileSync(installed, 'utf8') === lock) return;
  const { status } = spawnSync(
    'npm',
    ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund'],
    {
      cwd: folder,
      stdio: ['ignore', process.stderr, process.stderr],
    },
  );
  if (status !== 0) throw new Error(`npm install failed in ${folder}: no network?`);
  writeFileSync(installed, lock);
}

/** Scenario files in this folder import this package. */
export function linkOurselves(folder: string): void {
  const link = join(folder, 'node_modules', 'straightedge');
  mkdirSync(dirname(link), { recursive: true });
  rmSync(link, { force: true });
  symlinkSync(resolve('.'), link, 'junction');
}

export async function writeScenarios(survey: string, kind: string, folder: string): Promise<void> {
  for (const [name, entry] of Object.entries(await entriesOf(survey, kind)))
    if (entry.file === undefined)
      writeFileSync(join(folder, scenarioFile(name, entry)), scenarioText(name, entry));
}
