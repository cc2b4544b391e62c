import { type Scenario, scenario } from 'straightedge';
import { waitAsync } from './locks.js';
import { Words } from './words.js';

const words: Scenario = scenario({
  backend: 'workers',
  module: import.meta.url,
  create: () => ({ words: new Int32Array(new SharedArrayBuffer(8)) }),
  attach: ({ words }: { words: Int32Array }) => new Words(words),
  methods: {
    /** A loop without Atomics. */
    hang: (_: Words) => {
      for (;;);
    },
    leave: (_: Words) => process.exit(1),
    fail: (_: Words) => {
      throw new RangeError('as it should');
    },
    give: (_: Words) => () => {},
    waitOn: async ({ words }: Words) => waitAsync(words, 0, 0),
    /** Who gives up is still in the queue. */
    waitOrGiveUp: ({ words }: Words) =>
      Promise.race([waitAsync(words, 0, 0), new Promise((resolve) => setTimeout(resolve, 10, 'late'))]),
  },
  calls: [['hang']],
});
export default words;
