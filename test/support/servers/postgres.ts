/** A PostgreSQL server with counters: each is a row that a transaction reads and then writes. */
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import {
  freePort,
  newFolder,
  removeFolder,
  runAs,
  Server,
} from '../../../examples/08-redis-server/server.js';

/** PostgreSQL refuses to run as root. */
const USER = 'postgres';
/** Error codes of transactions that were rolled back because of a conflict and can be retried. */
const CONFLICTS = ['40001', '40P01'];

type Level = 'read committed' | 'serializable';

export class Postgres {
  readonly server: Server;
  readonly #folder: string;
  readonly #pool: pg.Pool;

  static async start(): Promise<Postgres> {
    const postgres = new Postgres(await freePort());
    const access = ['--auth', 'trust', '--username', USER];
    runAs(USER, 'initdb', ['--pgdata', postgres.#data, '--no-sync', ...access]);
    await postgres.server.start();
    await postgres.#pool.query('create table counters (name text primary key, total int not null)');
    return postgres;
  }

  private constructor(port: number) {
    this.#folder = newFolder(USER);
    // only the process is killed, not the machine, so nothing needs to reach the disk
    const settings = { listen_addresses: '127.0.0.1', unix_socket_directories: '', fsync: 'off' };
    this.server = new Server({
      name: 'the server',
      command: 'postgres',
      args: [
        ...['-D', this.#data, '-p', `${port}`],
        ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      ready: 'database system is ready to accept connections',
      user: USER,
    });
    this.#pool = new pg.Pool({ host: '127.0.0.1', port, user: USER, database: 'postgres' });
    // connections end with the server; the query that uses one fails, and idle ones need no report
    this.#pool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}));
  }

  async create(name: string): Promise<void> {
    await this.#pool.query('insert into counters values ($1, 0)', [name]);
  }

  /** Adds by reading and then writing; returns the value read. */
  async add(name: string, n: number, level: Level): Promise<number> {
    for (;;) {
      const client = await this.#connected();
      try {
        await client.query(`begin isolation level ${level}`);
        const { rows } = await client.query('select total from counters where name = $1', [name]);
        const { total } = rows[0] as { total: number };
        await client.query('update counters set total = $1 where name = $2', [total + n, name]);
        await client.query('commit');
        client.release();
        return total;
      } catch (error) {
        client.release(true);
        if (!CONFLICTS.includes((error as pg.DatabaseError).code ?? '')) throw error;
      }
    }
  }

  async stop(): Promise<void> {
    await this.#pool.end();
    await this.server.stop();
    removeFolder(this.#folder);
  }

  /** Connects, and retries until the server is running. */
  async #connected(): Promise<pg.PoolClient> {
    for (;;)
      try {
        return await this.#pool.connect();
      } catch {
        await setTimeout(20);
      }
  }

  get #data(): string {
    return join(this.#folder, 'data');
  }
}
