/**
 * A server process on this machine: it can be started, paused, killed, restarted with its persisted data, and stopped.
 *
 * On Linux the server ends with the thread that started it, even if it is paused. Some servers refuse to run as root and
 * run as another user.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

export interface Program {
  /** The name in annotations: `the primary`. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** The text that the server prints when it is ready. */
  readonly ready: string;
  /** The user to run the server as, if this process runs as root. */
  readonly user?: string;
}

type Annotate = (text: string) => void;

export class Server {
  readonly #program: Program;
  #process: ChildProcess | undefined;

  constructor(program: Program) {
    this.#program = program;
  }

  async start(): Promise<void> {
    const { command, args, ready, user } = this.#program;
    const [first, ...rest] = [...BOUND, command, ...args];
    const child = spawn(first, rest, { ...identityOf(user), env: ENVIRONMENT, cwd: tmpdir() });
    this.#process = child;
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (piece) => {
        said += piece;
      });
    while (!said.includes(ready)) {
      if (child.exitCode !== null) throw new Error(`${command} failed to start: ${said}`);
      await setTimeout(5);
    }
    // later output is discarded
    for (const stream of [child.stdout, child.stderr]) stream.removeAllListeners('data').resume();
  }

  /** Pauses the server for some milliseconds. */
  async pause(milliseconds: number, annotate: Annotate): Promise<void> {
    this.#process?.kill('SIGSTOP');
    annotate(`${this.#program.name} is paused`);
    await setTimeout(milliseconds);
    this.#process?.kill('SIGCONT');
    annotate(`${this.#program.name} resumed`);
  }

  /** Kills the server and restarts it with its persisted data. */
  async crash(annotate: Annotate): Promise<void> {
    await this.kill();
    annotate(`${this.#program.name} is killed`);
    await this.#restart();
    annotate(`${this.#program.name} is back`);
  }

  /** Starts the server again. Child processes of the killed one may hold its resources for a moment. */
  async #restart(): Promise<void> {
    for (let attempt = 1; ; attempt++)
      try {
        return await this.start();
      } catch (error) {
        if (attempt === 50) throw error;
        await setTimeout(100);
      }
  }

  kill(): Promise<void> {
    return this.#end('SIGKILL');
  }

  /** Stops the server quickly, but lets it release system resources. */
  stop(): Promise<void> {
    return this.#end('SIGQUIT');
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#process;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }
}

/** On Linux, the command that ends the server with the thread that started it. */
const BOUND = process.platform === 'linux' ? ['setpriv', '--pdeathsig', 'KILL', '--'] : [];

/** Debian installs the programs of PostgreSQL outside of the PATH. */
const POSTGRESQL = '/usr/lib/postgresql';
const ENVIRONMENT: NodeJS.ProcessEnv = {
  ...process.env,
  LC_ALL: 'C',
  PATH: [
    process.env.PATH,
    ...(existsSync(POSTGRESQL) ? readdirSync(POSTGRESQL).map((name) => join(POSTGRESQL, name, 'bin')) : []),
  ].join(delimiter),
};

/** Runs a program and waits for its end. */
export function runAs(user: string, command: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(command, args, {
    ...identityOf(user),
    env: ENVIRONMENT,
    cwd: tmpdir(),
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${command} failed: ${stderr}`);
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Creates a folder for the files of a server. */
export function newFolder(user?: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'straightedge-server-'));
  const { uid, gid } = identityOf(user);
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
  return folder;
}

export const removeFolder = (folder: string): void =>
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });

function identityOf(user: string | undefined): { readonly uid?: number; readonly gid?: number } {
  if (user === undefined || process.getuid?.() !== 0) return {};
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(spawnSync('id', [flag, user]).stdout));
  return { uid, gid };
}
