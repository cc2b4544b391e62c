/** A register in a Redis that is paused and killed: each read returns the last written value. */
import { type Scenario, scenario } from 'straightedge';
import { register } from 'straightedge/objects';
import { RedisNode } from './redis.js';

let primary: RedisNode;
let keys = 0;

const redis: Scenario = scenario({
  name: 'register in Redis',
  setup: async () => {
    primary = await RedisNode.start('the primary');
    return () => primary.stop();
  },
  create: () => {
    const key = `register-${keys++}`;
    return { read: () => primary.read(key), write: (value: number) => primary.write(key, value) };
  },
  spec: register<number>(),
  calls: [['read'], { method: 'write', args: (random) => [random.below(1000)] }],
  threads: 4,
  callsPerThread: 20,
  rounds: 40,
  remote: true,
  faults: ({ annotate, round }) =>
    round % 2 === 0 ? primary.server.pause(20, annotate) : primary.server.crash(annotate),
});

export default redis;
