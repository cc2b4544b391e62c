import { scenario } from 'straightedge';

const pay = () => new Promise<void>((done) => setTimeout(done, 5));

class Seats {
  private free = 1;

  async reserve(): Promise<boolean> {
    if (this.free === 0) return false;
    await pay(); // another call may run here
    this.free -= 1;
    return true;
  }
}

export default scenario({
  name: 'seats',
  create: () => new Seats(),
  calls: [['reserve']],
  threads: 2,
  callsPerThread: 1,
});
