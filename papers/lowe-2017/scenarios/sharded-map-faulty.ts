/** A value is said to be there before it is stored: who reads gets the one that was deleted. */
import { type Shard, ShardedMap } from './sharded-map.js';

export class ShardedMapFaulty extends ShardedMap {
  protected override store(shard: Shard, value: number): void {
    shard.isThere = true;
    shard.value = value;
  }
}
