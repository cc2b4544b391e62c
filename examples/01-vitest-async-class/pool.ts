/** A pool of at most two connections, with a fault: two calls of `take` can both see that one may still be opened. */
export class Pool {
  private readonly idle: number[] = [];
  private opened = 0;

  /** A connection, or null if two are in use. */
  async take(): Promise<number | null> {
    const free = this.idle.pop();
    if (free !== undefined) return free;
    if (this.opened === 2) return null;
    const connection = await this.open(); // other callers run here
    this.opened++;
    return connection;
  }

  async give(connection: number): Promise<void> {
    this.idle.push(connection);
  }

  private open(): Promise<number> {
    return new Promise((resolve) => setTimeout(() => resolve(this.opened + 1), 5));
  }
}
