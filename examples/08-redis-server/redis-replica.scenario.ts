/** A register in Redis that is read at a replica. While the replica is paused, it falls behind the primary. */
import { type Scenario, scenario } from 'straightedge';
import { register } from 'straightedge/objects';
import { RedisNode } from './redis.js';

let primary: RedisNode;
let replica: RedisNode;
let keys = 0;

const redisReplica: Scenario = scenario({
  name: 'register in Redis, read at a replica',
  setup: async () => {
    primary = await RedisNode.start('the primary');
    replica = await RedisNode.start('the replica', ['--replicaof', `127.0.0.1 ${primary.port}`]);
    await primary.client.wait(1, 0);
    return async () => {
      await replica.stop();
      await primary.stop();
    };
  },
  create: () => {
    const key = `register-${keys++}`;
    return { read: () => replica.read(key), write: (value: number) => primary.write(key, value) };
  },
  spec: register<number>(),
  calls: [['read'], { method: 'write', args: (random) => [random.below(1000)], weight: 3 }],
  threads: 4,
  callsPerThread: 20,
  rounds: 1000,
  remote: true,
  faults: ({ annotate }) => replica.server.pause(20, annotate),
});

export default redisReplica;
