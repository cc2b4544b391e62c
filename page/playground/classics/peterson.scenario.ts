import { scenario } from 'straightedge';

class Peterson {
  private readonly wants = [false, false];
  private turn = 0;
  private inside = 0;

  /** How many were inside, at most. */
  visit(me: 0 | 1): number {
    const other = 1 - me;
    this.turn = other; // these two lines
    this.wants[me] = true; // are swapped
    while (this.wants[other] && this.turn === other);
    this.inside += 1;
    const met = this.inside;
    this.inside -= 1;
    this.wants[me] = false;
    return met;
  }
}

export default scenario({
  name: 'lock of Peterson',
  backend: 'instrumented',
  create: () => new Peterson(),
  test: [[['visit', 0]], [['visit', 1]]],
});
