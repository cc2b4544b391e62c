import { scenario } from 'straightedge';

const network = () => new Promise((done) => setTimeout(done, 5));

class CachedPrice {
  private stored = 1;
  private cached: number | undefined;

  async read(): Promise<number> {
    if (this.cached === undefined) {
      const price = this.stored;
      await network();
      this.cached = price; // the price may have changed on the way
    }
    return this.cached;
  }

  async change(price: number): Promise<void> {
    this.stored = price;
    this.cached = undefined;
  }
}

export default scenario({
  name: 'cached price',
  create: () => new CachedPrice(),
  test: [[['read']], [['change', 2], ['read']]],
});
