import Emittery from 'emittery';
import { scenario } from 'straightedge';

/** A call of `once` that waits gets the first event. */
export default scenario({
  name: 'emittery',
  create: () => new Emittery(),
  methods: {
    next: async (emitter) => {
      const first = emitter.once('ready');
      await emitter.emit('ready', 1);
      await emitter.emit('ready', 2);
      const event = await first;
      return event.data ?? event;
    },
  },
  spec: { name: 'the first event', initial: 0, methods: { next: (state) => [state, 1] } },
  test: [[['next']]],
});
