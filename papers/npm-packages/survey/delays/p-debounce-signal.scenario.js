import pDebounce from 'p-debounce';
import { scenario } from 'straightedge';

/** An abort while a later call waits cancels it, though an earlier run has ended meanwhile. */
export default scenario({
  name: 'p-debounce signal',
  create: () => {
    const controller = new AbortController();
    const work = () => new Promise((resolve) => setTimeout(resolve, 50, 'ran'));
    return { controller, debounced: pDebounce(work, 100, { signal: controller.signal }) };
  },
  methods: {
    check: async ({ controller, debounced }) => {
      const first = debounced();
      await new Promise((resolve) => setTimeout(resolve, 110));
      const second = debounced().catch(() => 'aborted');
      await first;
      controller.abort();
      return second;
    },
  },
  spec: { name: 'an abort cancels', initial: 0, methods: { check: (state) => [state, 'aborted'] } },
  test: [[['check']]],
});
