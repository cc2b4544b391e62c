/** One free seat. One method checks before an await and sells after it; the other sells before the await. */
import { type Scenario, scenario } from 'straightedge';

class Seats {
  free = 1;
  private readonly isCareful: boolean;
  constructor(isCareful: boolean) {
    this.isCareful = isCareful;
  }
  async reserve(): Promise<boolean> {
    if (this.free === 0) return false;
    if (this.isCareful) this.free--;
    await new Promise((resolve) => setTimeout(resolve, 20));
    if (!this.isCareful) this.free--;
    return true;
  }
}

const seats = (name: string, isCareful: boolean): Scenario =>
  scenario({ name, create: () => new Seats(isCareful), test: [[['reserve']], [['reserve']]] });

export const careful: Scenario = seats('careful', true);
export const careless: Scenario = seats('careless', false);
