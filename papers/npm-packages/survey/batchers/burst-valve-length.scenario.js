import { BurstValve } from 'burst-valve';
import { scenario } from 'straightedge';

/** A batch whose answer is too short fails its own calls, and no later ones. */
export default scenario({
  name: 'burst-valve length',
  create: () => {
    let batches = 0;
    return new BurstValve({ batch: async (keys) => (batches++ === 0 ? [] : keys.map(() => 'value')) });
  },
  methods: { fetch: (valve) => valve.fetch('a').catch(() => 'refused') },
  spec: {
    name: 'one batch fails',
    initial: 0,
    methods: { fetch: (batches) => [batches + 1, batches === 0 ? 'refused' : 'value'] },
  },
  test: [[['fetch'], ['fetch']]],
});
