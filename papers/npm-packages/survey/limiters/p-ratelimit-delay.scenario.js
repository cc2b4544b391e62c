import module from 'p-ratelimit';
import { scenario } from 'straightedge';

const { pRateLimit } = module;

/** After a job that waited too long, another one gets the place. */
export default scenario({
  name: 'p-ratelimit maxDelay',
  create: () => pRateLimit({ concurrency: 1, maxDelay: 100 }),
  methods: {
    check: async (limit) => {
      const first = limit(() => new Promise((resolve) => setTimeout(resolve, 150)));
      await limit(async () => 'late').catch(() => {});
      await first;
      return limit(async () => 'ran').catch(() => 'refused');
    },
  },
  spec: { name: 'the place is free again', initial: 0, methods: { check: (state) => [state, 'ran'] } },
  test: [[['check']]],
});
