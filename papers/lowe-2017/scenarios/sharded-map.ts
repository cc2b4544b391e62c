/**
 * A map whose keys share locks for writing; who reads takes none.
 *
 * The value is stored before it is said to be there. Who reads looks again whether it is there: between two
 * looks it may have been deleted, and another value be on its way.
 */
import { Mutex } from 'straightedge/explore';

export class Shard {
  readonly lock: Mutex = new Mutex();
  isThere = false;
  value: number | null = null;
}

export class ShardedMap {
  private readonly even = new Shard();
  private readonly odd = new Shard();

  update(key: number, value: number): void {
    const shard = this.shardOf(key);
    shard.lock.lock();
    this.store(shard, value);
    shard.lock.unlock();
  }

  delete(key: number): void {
    const shard = this.shardOf(key);
    shard.lock.lock();
    shard.isThere = false;
    shard.lock.unlock();
  }

  get(key: number): number | null {
    const shard = this.shardOf(key);
    while (shard.isThere) {
      const value = shard.value;
      if (shard.isThere) return value;
    }
    return null;
  }

  protected store(shard: Shard, value: number): void {
    shard.value = value;
    shard.isThere = true;
  }

  /** Keys are 0 and 1: each has a shard of its own. */
  private shardOf(key: number): Shard {
    return key % 2 === 0 ? this.even : this.odd;
  }
}
