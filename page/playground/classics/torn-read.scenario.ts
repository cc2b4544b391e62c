import { scenario } from 'straightedge';

class Range {
  private low = 0;
  private high = 9;

  move(by: number): void {
    this.low += by;
    this.high += by;
  }

  read(): string {
    return `${this.low} to ${this.high}`;
  }
}

export default scenario({
  name: 'range',
  backend: 'instrumented',
  create: () => new Range(),
  test: [[['move', 10]], [['read']]],
});
