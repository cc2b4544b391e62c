import { AsyncCountdownEvent } from '@esfx/async-countdown';
import { scenario } from 'straightedge';

export default scenario({
  name: 'AsyncCountdownEvent',
  create: () => new AsyncCountdownEvent(2),
  calls: [['signal'], ['wait']],
  methods: { signal: async (it) => it.signal(), wait: async (it) => it.wait() },
  threads: 2,
  callsPerThread: 2,
});
