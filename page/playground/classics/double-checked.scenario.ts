import { scenario } from 'straightedge';
import { Mutex } from 'straightedge/explore';

class Settings {
  private isReady = false;
  private settings: string | undefined;
  private readonly mutex = new Mutex();

  get(): string | undefined {
    if (!this.isReady) {
      this.mutex.lock();
      if (!this.isReady) {
        this.isReady = true; // these two lines
        this.settings = 'loaded'; // are in the wrong order
      }
      this.mutex.unlock();
    }
    return this.settings;
  }
}

export default scenario({
  name: 'settings',
  backend: 'instrumented',
  create: () => new Settings(),
  calls: [['get']],
  threads: 2,
  callsPerThread: 1,
});
