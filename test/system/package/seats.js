/** One free seat. One method checks before an await and sells after it; the other sells before the await. */
import { scenario } from 'straightedge';

class Seats {
  free = 1;
  constructor(isCareful) {
    this.isCareful = isCareful;
  }
  async reserve() {
    if (this.free === 0) return false;
    if (this.isCareful) this.free--;
    await new Promise((resolve) => setTimeout(resolve, 20));
    if (!this.isCareful) this.free--;
    return true;
  }
}

const seats = (name, isCareful, tests) => scenario({ name, create: () => new Seats(isCareful), ...tests });
const two = { test: [[['reserve']], [['reserve']]] };

export const careful = seats('careful', true, two);
export const careless = seats('careless', false, two);
export const chosen = (name) => seats(name, false, { calls: [['reserve']] });
