/** The pool without the fault: it counts a connection before it opens one. */
export class FixedPool {
  private readonly idle: number[] = [];
  private opened = 0;

  async take(): Promise<number | null> {
    const free = this.idle.pop();
    if (free !== undefined) return free;
    if (this.opened === 2) return null;
    return this.open(++this.opened);
  }

  async give(connection: number): Promise<void> {
    this.idle.push(connection);
  }

  private open(connection: number): Promise<number> {
    return new Promise((resolve) => setTimeout(() => resolve(connection), 5));
  }
}
