import { AsyncManualResetEvent } from '@esfx/async-manualresetevent';
import { scenario } from 'straightedge';
import { event } from 'straightedge/objects';

export default scenario({
  name: 'AsyncManualResetEvent',
  create: () => new AsyncManualResetEvent(false),
  spec: event(),
  calls: [['set'], ['reset'], ['wait']],
  methods: {
    set: async (it) => {
      it.set();
    },
    reset: async (it) => {
      it.reset();
    },
    wait: async (it) => {
      await it.wait();
    },
  },
  threads: 2,
  callsPerThread: 2,
});
