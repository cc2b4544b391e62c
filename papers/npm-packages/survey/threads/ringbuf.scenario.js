/** One thread writes, another reads, and none waits. There is room for two. */
import { RingBuffer } from 'ringbuf.js';
import { scenario } from 'straightedge';

/** First in, first out, as long as there is room. */
const spec = {
  name: 'ring of two',
  initial: [],
  methods: {
    push: (items, value) => (items.length === 2 ? [items, 0] : [[...items, value], 1]),
    pop: (items) => (items.length === 0 ? [items, null] : [items.slice(1), items[0]]),
  },
};

export default scenario({
  name: 'RingBuffer on threads',
  backend: 'threads',
  create: () => RingBuffer.getStorageForCapacity(2, Uint8Array),
  attach: (memory) => new RingBuffer(memory, Uint8Array),
  spec,
  methods: {
    push: (ring, value) => ring.push(Uint8Array.of(value)),
    pop: (ring) => {
      const read = new Uint8Array(1);
      return ring.pop(read) === 0 ? null : read[0];
    },
  },
  test: [
    [
      ['push', 1],
      ['push', 2],
      ['push', 3],
    ],
    [['pop'], ['pop']],
  ],
});
