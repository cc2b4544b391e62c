/** A register in etcd with `serializable` reads at one node, which do not ask the others. If paused, the node falls behind. */
import { type Scenario, scenario } from 'straightedge';
import { register } from 'straightedge/objects';
import { EtcdCluster } from './etcd.js';

let cluster: EtcdCluster;
/** The node that is read. */
let follower: number;
let keys = 0;

const etcdSerializable: Scenario = scenario({
  name: 'register in etcd, read at one node',
  setup: async () => {
    cluster = await EtcdCluster.start();
    follower = await cluster.follower();
    return () => cluster.stop();
  },
  create: () => {
    const key = `register-${keys++}`;
    let turn = 0;
    return {
      read: () => cluster.read(follower, key, true),
      write: (value: number) => cluster.write((follower + 1 + (turn++ % 2)) % 3, key, value),
    };
  },
  spec: register<number>(),
  calls: [['read'], { method: 'write', args: (random) => [random.below(1000)], weight: 3 }],
  threads: 4,
  callsPerThread: 10,
  rounds: 100,
  remote: true,
  faults: async ({ annotate }) => {
    await cluster.servers[follower].pause(200, annotate);
    follower = await cluster.follower();
  },
});

export default etcdSerializable;
