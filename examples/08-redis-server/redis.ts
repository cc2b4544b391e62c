/** A Redis server with registers. Acknowledged writes are in its log, so they survive a kill. */
import { Redis } from 'ioredis';
import { freePort, newFolder, removeFolder, Server } from './server.js';

const CONNECTIONS = 4;

export class RedisNode {
  readonly port: number;
  readonly #server: Server;
  readonly #folder: string;
  readonly #clients: readonly Redis[];
  #turn = 0;

  static async start(name: string, flags: readonly string[] = []): Promise<RedisNode> {
    const node = new RedisNode(name, await freePort(), flags);
    await node.#server.start();
    return node;
  }

  private constructor(name: string, port: number, flags: readonly string[]) {
    this.port = port;
    this.#folder = newFolder();
    const place = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', this.#folder];
    const own = ['--save', '', '--appendonly', 'yes', '--repl-diskless-sync-delay', '0'];
    this.#server = new Server({
      name,
      command: 'redis-server',
      args: [...place, ...own, ...flags],
      ready: 'Ready to accept connections',
    });
    this.#clients = Array.from({ length: CONNECTIONS }, () => {
      const client = new Redis({
        port,
        // a call that may have taken effect must not be repeated: it would take effect twice
        autoResendUnfulfilledCommands: false,
        maxRetriesPerRequest: 0,
        retryStrategy: () => 50,
      });
      return client.on('error', () => {});
    });
  }

  /** Chooses one of several connections, so that calls overlap in the server. */
  get client(): Redis {
    return this.#clients[this.#turn++ % CONNECTIONS];
  }

  get server(): Server {
    return this.#server;
  }

  async read(key: string): Promise<number | null> {
    const value = await this.client.get(key);
    return value === null ? null : Number(value);
  }

  async write(key: string, value: number): Promise<void> {
    await this.client.set(key, value);
  }

  async stop(): Promise<void> {
    for (const client of this.#clients) client.disconnect();
    await this.#server.stop();
    removeFolder(this.#folder);
  }
}
