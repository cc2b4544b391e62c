/** A counter in PostgreSQL, incremented by transactions at the default level, read committed: updates are lost. */
import { type Scenario, scenario } from 'straightedge';
import { fetchAndAdd } from 'straightedge/objects';
import { Postgres } from './postgres.js';

let postgres: Postgres;
let names = 0;

const readCommitted: Scenario = scenario({
  name: 'counter in PostgreSQL, read committed',
  setup: async () => {
    postgres = await Postgres.start();
    return () => postgres.stop();
  },
  create: async () => {
    const name = `counter-${names++}`;
    await postgres.create(name);
    return { add: (n: number) => postgres.add(name, n, 'read committed') };
  },
  spec: fetchAndAdd(),
  calls: [{ method: 'add', args: (random) => [1 + random.below(9)] }],
  threads: 3,
  callsPerThread: 3,
  rounds: 100,
  remote: true,
});

export default readCommitted;
