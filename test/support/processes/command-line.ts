/** Runs the command line as a user types it: the built one in a separate process, or the source in this process. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const MAIN: string = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));

interface CommandLineResult {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** `node` are flags of Node itself; `main` is the path of another copy of the command line. */
export function runIn(
  folder: string,
  args: readonly string[],
  { input = '', node = [], main = MAIN }: { input?: string; node?: readonly string[]; main?: string } = {},
): CommandLineResult {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...node, main, ...args], {
    input,
    encoding: 'utf8',
    cwd: folder,
    timeout: 120_000,
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined },
  });
  return { status, stdout, stderr };
}

/** Runs a command line in this process: for usage errors, which need no separate process. */
export async function runHere(args: readonly string[], folder = '.'): Promise<CommandLineResult> {
  // most tests run only the built command line, and need not load all sources
  const { run } = await import('../../../src/cli/run.js');
  const before = process.cwd();
  const written = { stdout: '', stderr: '' };
  const collect = (name: keyof typeof written) => ({
    write: (text: string) => {
      written[name] += text;
    },
  });
  process.chdir(folder);
  try {
    const status = await run(args, { stdout: collect('stdout'), stderr: collect('stderr') });
    return { status, ...written };
  } finally {
    process.chdir(before);
  }
}
