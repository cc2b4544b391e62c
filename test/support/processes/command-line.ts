/** The built command line, run in a folder as a user types it. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const MAIN: string = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));

/** `node`: flags of Node itself. `main`: where another copy of the command line is. */
export function runIn(
  folder: string,
  args: readonly string[],
  { input = '', node = [], main = MAIN }: { input?: string; node?: readonly string[]; main?: string } = {},
): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...node, main, ...args], {
    input,
    encoding: 'utf8',
    cwd: folder,
    timeout: 120_000,
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined },
  });
  return { status, stdout, stderr };
}
