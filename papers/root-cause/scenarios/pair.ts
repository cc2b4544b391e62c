/** Two cells that are set one by one and read together, with a mistake: `scan` reads them in two steps. */
export class Pair {
  private x = 0;
  private y = 0;

  setX(): void {
    this.x = 1;
  }

  setY(): void {
    this.y = 1;
  }

  scan(): readonly [number, number] {
    const x = this.x;
    const y = this.y;
    return [x, y];
  }
}
