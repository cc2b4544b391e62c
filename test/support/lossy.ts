/** A register that is wrong by what is written, not by luck: the same rounds of a stress run are wrong wherever they run. */
export const LOSSY = `import { scenario } from 'straightedge';
import { register } from 'straightedge/objects';

class Lossy {
  value: number | null = null;
  async write(value: number) {
    if (value === 13) for (;;);
    this.value = value === 7 ? 8 : value;
  }
  async read() { return this.value }
}

const of = (most: number) => scenario({
  name: 'lossy',
  create: () => new Lossy(),
  spec: register<number>(),
  calls: [['read'], { method: 'write', args: (random) => [random.below(most)] }],
  threads: 1,
  callsPerThread: 4,
});
`;
