/** Cells of value numbers. */
import { type Acts, DIFFERS, READ, SWAP, TAKE, WRITE } from './operations.js';

export function cellModel({ role, cell, seen, made, initial, cells }: Acts): (operation: number) => boolean {
  const held = new Int32Array(cells).fill(initial);
  return (k) => {
    const before = held[cell[k]];
    switch (role[k]) {
      case READ:
        return before === seen[k];
      case DIFFERS:
        return before !== seen[k];
      case WRITE:
      case TAKE:
        held[cell[k]] = made[k];
        return role[k] === WRITE || before !== initial;
      case SWAP:
        held[cell[k]] = made[k];
        return before === seen[k];
      default:
        return true;
    }
  };
}
