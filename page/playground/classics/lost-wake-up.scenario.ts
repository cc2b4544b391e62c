import { scenario } from 'straightedge';
import { Monitor } from 'straightedge/explore';

class Mailbox {
  private letters = 0;
  private readonly monitor = new Monitor();

  put(): void {
    this.letters += 1;
    this.monitor.enter();
    this.monitor.notify();
    this.monitor.exit();
  }

  take(): void {
    // looks before it holds the lock: a notification in between is lost
    if (this.letters === 0) {
      this.monitor.enter();
      this.monitor.wait();
      this.monitor.exit();
    }
    this.letters -= 1;
  }
}

export default scenario({
  name: 'mailbox',
  backend: 'instrumented',
  create: () => new Mailbox(),
  test: [[['put']], [['take']]],
});
