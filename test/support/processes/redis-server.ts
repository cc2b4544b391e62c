/** A Redis server for one test: can be started, killed, and restarted with its persisted data. */
import { freePort, Server } from '../../../examples/08-redis-server/server.js';

export class RedisServer {
  readonly port: number;
  readonly #server: Server;

  /** `flags` of redis-server; `{port}` in them is its port. */
  static async start(folder: string, flags: readonly string[] = []): Promise<RedisServer> {
    const server = new RedisServer(await freePort(), folder, flags);
    await server.begin();
    return server;
  }

  private constructor(port: number, folder: string, flags: readonly string[]) {
    this.port = port;
    const own = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
    const given = flags.map((flag) => flag.replace('{port}', String(port)));
    this.#server = new Server({
      name: 'Redis',
      command: 'redis-server',
      args: [...own, '--appendonly', 'yes', ...given],
      ready: 'Ready to accept connections',
    });
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  begin(): Promise<void> {
    return this.#server.start();
  }

  kill(): Promise<void> {
    return this.#server.kill();
  }
}
