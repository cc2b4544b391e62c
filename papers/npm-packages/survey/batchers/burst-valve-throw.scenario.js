import { BurstValve } from 'burst-valve';
import { scenario } from 'straightedge';

/** A fetch that throws fails its own calls, and no later ones. */
export default scenario({
  name: 'burst-valve throw',
  create: () => {
    let fetches = 0;
    return new BurstValve(() => {
      if (fetches++ === 0) throw new Error('no such host');
      return Promise.resolve('value');
    });
  },
  methods: { fetch: (valve) => valve.fetch().catch(() => 'refused') },
  spec: {
    name: 'one fetch fails',
    initial: 0,
    methods: { fetch: (fetches) => [fetches + 1, fetches === 0 ? 'refused' : 'value'] },
  },
  test: [[['fetch'], ['fetch']]],
});
