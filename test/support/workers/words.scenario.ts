import { type Scenario, scenario } from 'straightedge';
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
  },
  calls: [['hang']],
});
export default words;
