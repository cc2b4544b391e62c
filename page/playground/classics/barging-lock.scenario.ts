import { scenario } from 'straightedge';

class Lock {
  private isHeld = false;
  private readonly waiting: (() => void)[] = [];

  async acquire(): Promise<void> {
    if (this.isHeld) await new Promise<void>((wake) => this.waiting.push(wake));
    this.isHeld = true; // a newcomer may have it by now
  }

  release(): void {
    this.isHeld = false;
    const wake = this.waiting.shift();
    if (wake) setTimeout(wake);
  }
}

class Room {
  private readonly lock = new Lock();
  private inside = 0;

  /** How many were inside, at most. */
  async visit(): Promise<number> {
    await this.lock.acquire();
    this.inside += 1;
    await new Promise((done) => setTimeout(done, 5));
    const met = this.inside;
    this.inside -= 1;
    this.lock.release();
    return met;
  }
}

export default scenario({
  name: 'room',
  create: () => new Room(),
  calls: [['visit']],
  threads: 3,
  callsPerThread: 1,
});
