import pDebounce from 'p-debounce';
import { scenario } from 'straightedge';

/** A call in the microtasks after the end of the function runs, too. */
export default scenario({
  name: 'p-debounce after',
  create: () => {
    const own = {};
    own.debounced = pDebounce.promise(
      () => {
        own.work = Promise.resolve('ran');
        return own.work;
      },
      { after: true },
    );
    return own;
  },
  methods: {
    check: async ({ debounced, ...own }) => {
      void own;
      return debounced();
    },
    after: async (own) => {
      const first = own.debounced();
      const last = own.work.then(() => own.debounced());
      await first;
      return last;
    },
  },
  spec: {
    name: 'every call ends',
    initial: 0,
    methods: { check: (state) => [state, 'ran'], after: (state) => [state, 'ran'] },
  },
  test: [[['after']]],
});
