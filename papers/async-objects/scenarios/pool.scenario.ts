/** A pool of connections: at most one is open. A query returns the number of its connection. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Scenario, scenario } from 'straightedge';

class Connection {
  private busy = false;

  readonly id: number;

  constructor(id: number) {
    this.id = id;
  }

  async query(): Promise<number> {
    if (this.busy) throw new Error('the connection is busy');
    this.busy = true;
    await sleep(5);
    this.busy = false;
    return this.id;
  }
}

class Pool {
  protected readonly idle: Connection[] = [];
  protected readonly waiters: ((connection: Connection) => void)[] = [];
  protected opened = 0;

  async query(): Promise<number> {
    const connection = await this.acquire();
    try {
      return await connection.query();
    } finally {
      this.release(connection);
    }
  }

  protected async acquire(): Promise<Connection> {
    const connection = this.idle.pop();
    if (connection) return connection;
    if (this.opened === 0) {
      this.opened++;
      return this.connect(1);
    }
    return new Promise((resolve) => this.waiters.push(resolve));
  }

  protected async connect(id: number): Promise<Connection> {
    await sleep(10);
    return new Connection(id);
  }

  protected release(connection: Connection): void {
    const next = this.waiters.shift();
    if (next) next(connection);
    else this.idle.push(connection);
  }
}

/** Fault: a connection counts as open when it is open, not when it is opened. */
class GrowingPool extends Pool {
  protected override async acquire(): Promise<Connection> {
    const connection = this.idle.pop();
    if (connection) return connection;
    if (this.opened > 0) return new Promise((resolve) => this.waiters.push(resolve));
    const made = await this.connect(this.opened + 1);
    this.opened++;
    return new Connection(this.opened + made.id - 1);
  }
}

/** Fault: the connection is handed to a waiter, and is idle as well. */
class SharingPool extends Pool {
  protected override release(connection: Connection): void {
    this.idle.push(connection);
    this.waiters.shift()?.(connection);
  }
}

const using = (create: () => Pool): Scenario =>
  scenario({ create, calls: [['query']], threads: 2, callsPerThread: 2 });

export const correct: Scenario = using(() => new Pool());
export const tooMany: Scenario = using(() => new GrowingPool());
export const shared: Scenario = using(() => new SharingPool());
