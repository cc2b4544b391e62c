/**
 * A stack of Afek, Gafni and Morrison as CAV 2020 has it, with a mistake: `pop` reads a cell and clears it in two
 * steps. Pushes take a number each and fill the cell of that number; pops go down from the last number.
 */
class Cell {
  value: number | null = null;
}

const CELLS = 8;

export class Stack {
  private readonly range = new Int32Array(new SharedArrayBuffer(4));
  private readonly items = Array.from({ length: CELLS }, () => new Cell());

  push(value: number): void {
    const i = Atomics.add(this.range, 0, 1);
    this.items[i].value = value;
  }

  pop(): number | null {
    for (let i = Atomics.load(this.range, 0) - 1; i >= 0; i--) {
      const value = this.items[i].value;
      this.items[i].value = null;
      if (value !== null) return value;
    }
    return null;
  }
}
