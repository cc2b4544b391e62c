/** A Redis of a test's own, on this machine: started, killed, started again with what it had written, stopped. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout } from 'node:timers/promises';

/** Is there one? With CI set there has to be. */
export function hasRedis(): boolean {
  const isThere = spawnSync('redis-server', ['--version']).status === 0;
  if (!isThere && process.env.CI) throw new Error('redis-server is not installed: .ci/run installs it');
  if (!isThere) console.warn('NOT TESTED: there is no redis-server (apt-get install redis-server)');
  return isThere;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

export class RedisServer {
  readonly port: number;
  readonly #folder: string;
  readonly #flags: readonly string[];
  #process: ChildProcess | undefined;

  /** `flags` of redis-server; `{port}` in them is its port. */
  static async start(folder: string, flags: readonly string[] = []): Promise<RedisServer> {
    const server = new RedisServer(await freePort(), folder, flags);
    await server.begin();
    return server;
  }

  private constructor(port: number, folder: string, flags: readonly string[]) {
    this.port = port;
    this.#folder = folder;
    this.#flags = flags.map((flag) => flag.replace('{port}', String(port)));
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async begin(): Promise<void> {
    const own = ['--port', `${this.port}`, '--bind', '127.0.0.1', '--dir', this.#folder, '--save', ''];
    this.#process = spawn('redis-server', [...own, '--appendonly', 'yes', ...this.#flags]);
    let output = '';
    this.#process.stdout?.on('data', (piece) => {
      output += piece;
    });
    while (!output.includes('Ready to accept connections')) {
      if (this.#process.exitCode !== null) throw new Error(`redis-server: ${output}`);
      await setTimeout(20);
    }
  }

  async kill(): Promise<void> {
    const ended = this.#process && once(this.#process, 'exit');
    this.#process?.kill('SIGKILL');
    await ended;
    this.#process = undefined;
  }
}
