import { scenario } from 'straightedge';

class Counter {
  value = 0;

  add(): number {
    const before = this.value;
    this.value = before + 1;
    return before + 1;
  }
}

export default scenario({
  name: 'counter',
  backend: 'instrumented',
  create: () => new Counter(),
  calls: [['add']],
  threads: 2,
  callsPerThread: 1,
});
