/** The same register, read at node 3 without asking the others: `serializable`. Paused, it falls behind. */
import { type Scenario, scenario } from 'straightedge';
import { register } from 'straightedge/objects';
import { EtcdCluster } from './etcd.js';

let cluster: EtcdCluster;
let keys = 0;

const etcdSerializable: Scenario = scenario({
  name: 'register in etcd, read at one node',
  setup: async () => {
    cluster = await EtcdCluster.start();
    return () => cluster.stop();
  },
  create: () => {
    const key = `register-${keys++}`;
    let turn = 0;
    return {
      read: () => cluster.read(2, key, true),
      write: (value: number) => cluster.write(turn++ % 2, key, value),
    };
  },
  spec: register<number>(),
  calls: [['read'], { method: 'write', args: (random) => [random.below(1000)], weight: 3 }],
  threads: 4,
  callsPerThread: 10,
  rounds: 100,
  remote: true,
  faults: ({ annotate }) => cluster.servers[2].pause(200, annotate),
});

export default etcdSerializable;
