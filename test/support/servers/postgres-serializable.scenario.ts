/** A counter in PostgreSQL, incremented by serializable transactions that are retried on conflict: no update is lost. */
import { type Scenario, scenario } from 'straightedge';
import { fetchAndAdd } from 'straightedge/objects';
import { Postgres } from './postgres.js';

let postgres: Postgres;
let names = 0;

const serializable: Scenario = scenario({
  name: 'counter in PostgreSQL, serializable',
  setup: async () => {
    postgres = await Postgres.start();
    return () => postgres.stop();
  },
  create: async () => {
    const name = `counter-${names++}`;
    await postgres.create(name);
    return { add: (n: number) => postgres.add(name, n, 'serializable') };
  },
  spec: fetchAndAdd(),
  calls: [{ method: 'add', args: (random) => [1 + random.below(9)] }],
  threads: 3,
  callsPerThread: 3,
  rounds: 20,
  remote: true,
  faults: ({ annotate, round }) =>
    round % 2 === 0 ? postgres.server.pause(50, annotate) : postgres.server.crash(annotate),
});

export default serializable;
