import { scenario } from 'straightedge';

/** A listener of `once` runs at the first of several calls of `emit`, and at no other one. */
export const once = (name, create) =>
  scenario({
    name,
    create: () => {
      const own = { emitter: create(), runs: 0 };
      own.emitter.once('ready', async () => {
        own.runs++;
        await new Promise((resolve) => setTimeout(resolve, 1));
      });
      return own;
    },
    methods: {
      emit: async (own) => {
        await own.emitter.emit('ready');
        return own.runs;
      },
    },
    spec: { name: 'once', initial: 0, methods: { emit: (state) => [state, 1] } },
    test: [[['emit']], [['emit']]],
  });
