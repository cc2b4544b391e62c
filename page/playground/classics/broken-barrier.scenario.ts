import { scenario } from 'straightedge';
import { Monitor } from 'straightedge/explore';
import { barrier } from 'straightedge/objects';

class Barrier {
  private arrived = 0;
  private readonly monitor = new Monitor();

  sync(): void {
    this.monitor.enter();
    this.arrived += 1;
    if (this.arrived >= 2) this.monitor.notifyAll();
    // the count is never set back, so the second round is open at once
    while (this.arrived < 2) this.monitor.wait();
    this.monitor.exit();
  }
}

export default scenario({
  name: 'broken barrier',
  backend: 'instrumented',
  create: () => new Barrier(),
  spec: barrier({ parties: 2 }),
  test: [[['sync']], [['sync']], [['sync']]],
});
