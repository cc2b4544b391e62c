/** The package as published: packed from `dist`, and unpacked where it is used. */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './pages.js';

/** Packs this project into a folder, and returns the path of the archive. */
export function pack(folder: string): string {
  const said = run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder]);
  return join(folder, said.trim().split('\n').at(-1) ?? '');
}

/** Unpacks an archive as a package that the files of a folder can import. */
export function unpack(archive: string, folder: string): void {
  const place = join(folder, 'node_modules/straightedge');
  mkdirSync(place, { recursive: true });
  run('tar', ['-xzf', archive, '-C', place, '--strip-components', '1']);
}

function run(command: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: ROOT,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: process.env.HOME },
  });
  if (status !== 0) throw new Error(`${command} ${args[0]} failed: ${stderr}`);
  return stdout;
}
