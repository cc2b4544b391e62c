/**
 * The projects of the matrix: what each one installs beside the packed package. Versions are pinned, except `latest` of Node, so
 * that a new Node is seen on the day of its release. No install script runs.
 */
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Programs of Node, Bun and Deno come as packages of one platform, whose names contain it. */
const PLATFORM = `${process.platform}-${process.arch}`;
const isLinux = process.platform === 'linux';

const NODES: Readonly<Record<string, string>> = {
  '20.19': '20.19.0',
  '22': '22.23.3',
  '24': '24.21.0',
  newest: 'latest',
};

const JEST = { '@babel/preset-env': '7.29.14', '@babel/preset-typescript': '7.29.7', typescript: '5.9.3' };
const SWC = { '@swc/core': '1.16.22', '@swc/jest': '0.2.39' };

export const PROJECTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  runtimes: {
    ...Object.fromEntries(
      Object.entries(NODES).map(([name, version]) => [`node-${name}`, `npm:node-${PLATFORM}@${version}`]),
    ),
    [`@oven/bun-${PLATFORM}`]: '1.4.4',
    [`@deno/${PLATFORM}${isLinux ? '-glibc' : ''}`]: '2.9.6',
    '@yarnpkg/cli-dist': '4.18.1',
    pnpm: '10.34.8',
  },
  vitest3: { vitest: '3.2.7' },
  vitest4: { vitest: '4.1.12', '@vitest/browser-playwright': '4.1.12', playwright: '1.65.0' },
  vitest5: { vitest: '5.1.0' },
  jest29: {
    ...{ ...JEST, ...SWC, jest: '29.7.0', 'ts-jest': '29.4.15' },
    ...{ 'babel-jest': '29.7.0', '@jest/globals': '29.7.0', '@types/jest': '29.5.14' },
  },
  jest30: {
    ...{ ...JEST, ...SWC, jest: '30.5.2', 'ts-jest': '29.4.15' },
    ...{ 'babel-jest': '30.5.2', '@jest/globals': '30.5.2', '@types/jest': '30.0.0' },
  },
  others: { mocha: '12.0.3', ava: '7.0.0' },
  bundlers: {
    ...{ esbuild: '0.28.2', rollup: '4.68.3', '@rollup/plugin-node-resolve': '16.0.3' },
    ...{ '@rollup/plugin-terser': '1.0.2', vite: '8.3.8', 'vite-7': 'npm:vite@7.3.8' },
  },
  compilers: {
    ...Object.fromEntries(
      ['5.4.5', '5.5.4', '5.6.3', '5.7.3', '5.8.3', '5.9.3', '6.0.3', '7.0.2'].map((version) => [
        `typescript-${version}`,
        `npm:typescript@${version}`,
      ]),
    ),
    '@typescript/native-preview': '7.0.0-dev.20260707.2',
  },
};

export interface Answer {
  readonly status: number | null;
  readonly said: string;
}

interface RunOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Ends the program when it has said this. */
  readonly until?: (said: string) => boolean;
  readonly timeout?: number;
}

/** Runs a program to its end, and returns all that it said. */
export function run(command: string, args: readonly string[], options: RunOptions): Promise<Answer> {
  const { cwd, env = {}, until, timeout = 300_000 } = options;
  const { PATH, HOME, NODE_EXTRA_CA_CERTS } = process.env;
  const child = spawn(command, args, {
    cwd,
    timeout,
    // a runner must not believe that it is run by another
    env: { PATH, HOME, NO_COLOR: '1', ...(NODE_EXTRA_CA_CERTS && { NODE_EXTRA_CA_CERTS }), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (until?.(said)) child.kill();
    });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, said }));
  });
}

export const INSTALL: readonly string[] = [
  ...['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'],
];

const FILES = [new URL('files', import.meta.url), new URL('../system/package', import.meta.url)];

/** Writes the manifest and the suites of a project. */
export function prepare(folder: string, dependencies: object, manifest: object = {}): void {
  mkdirSync(folder, { recursive: true });
  for (const files of FILES) cpSync(fileURLToPath(files), folder, { recursive: true });
  const type = 'module';
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'project', private: true, type, dependencies, ...manifest }),
  );
}
