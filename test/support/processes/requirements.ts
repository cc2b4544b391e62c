/**
 * Programs that system tests need. If one is missing, its tests are skipped and the summary names it. With `CI` set, a
 * missing program is an error.
 */
import { accessSync, constants, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export type Requirement = 'chromium' | 'redis-server' | 'etcd' | 'postgres' | 'openssl' | 'registry';

const PROGRAMS: Readonly<
  Record<Requirement, { readonly names: readonly string[]; readonly remedy: string }>
> = {
  chromium: {
    names: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
    remedy: 'apt-get install chromium',
  },
  'redis-server': { names: ['redis-server'], remedy: 'apt-get install redis-server' },
  etcd: { names: ['etcd'], remedy: 'apt-get install etcd-server' },
  postgres: { names: ['postgres'], remedy: 'apt-get install postgresql' },
  openssl: { names: ['openssl'], remedy: 'apt-get install openssl' },
  registry: { names: [], remedy: 'MATRIX=1 installs vitest 5 and jest from the npm registry' },
};

/** Debian keeps the programs of PostgreSQL outside of the PATH. */
const POSTGRES = '/usr/lib/postgresql';

function folders(): string[] {
  const path = (process.env.PATH ?? '').split(delimiter);
  try {
    return [...path, ...readdirSync(POSTGRES).map((version) => join(POSTGRES, version, 'bin'))];
  } catch {
    return path;
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The path of a program, if it is installed. */
export function findProgram(requirement: Requirement): string | undefined {
  const files = folders().flatMap((folder) => PROGRAMS[requirement].names.map((name) => join(folder, name)));
  return files.find(isExecutable);
}

function isThere(requirement: Requirement): boolean {
  if (requirement === 'registry') return Boolean(process.env.CI ?? process.env.MATRIX);
  return findProgram(requirement) !== undefined;
}

/** For `describe.skipIf`. */
export function isMissing(requirement: Requirement): boolean {
  if (isThere(requirement)) return false;
  if (process.env.CI)
    throw new Error(`${requirement} is not installed (${PROGRAMS[requirement].remedy}); CI requires it`);
  return true;
}

/** One line for each missing program. */
export function missing(): string[] {
  return (Object.keys(PROGRAMS) as Requirement[])
    .filter((requirement) => !isThere(requirement))
    .map((requirement) => `no ${requirement}: ${PROGRAMS[requirement].remedy}`);
}
