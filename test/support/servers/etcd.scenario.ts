/** A register in etcd, written and read at all nodes, while the nodes are paused or killed in turn. */
import { type Scenario, scenario } from 'straightedge';
import { register } from 'straightedge/objects';
import { EtcdCluster } from './etcd.js';

let cluster: EtcdCluster;
let keys = 0;

const etcd: Scenario = scenario({
  name: 'register in etcd',
  setup: async () => {
    cluster = await EtcdCluster.start();
    return () => cluster.stop();
  },
  create: () => {
    const key = `register-${keys++}`;
    let turn = 0;
    return {
      read: () => cluster.read(turn++ % 3, key, false),
      write: (value: number) => cluster.write(turn++ % 3, key, value),
    };
  },
  spec: register<number>(),
  calls: [['read'], { method: 'write', args: (random) => [random.below(1000)] }],
  threads: 4,
  callsPerThread: 10,
  rounds: 12,
  remote: true,
  faults: ({ annotate, round }) => {
    const server = cluster.servers[round % 3];
    return round % 2 === 0 ? server.pause(200, annotate) : server.crash(annotate);
  },
});

export default etcd;
