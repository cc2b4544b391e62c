/** Rendezvous of three: names are written in turn, by a, b and c, and then collected in turn; c starts the next round. */
import { News } from './news.js';

export class AsyncAbc {
  private readonly news = new News();
  /** The next step: 0, 1, 2 may write, 3, 4, 5 may collect. */
  private turn = 0;
  protected readonly names: number[] = [-1, -1, -1];

  async a(me: number): Promise<readonly number[]> {
    await this.write(0, me);
    await this.turnOf(3);
    return this.collect(1, 2);
  }

  async b(me: number): Promise<readonly number[]> {
    await this.write(1, me);
    await this.turnOf(4);
    const others = [this.names[0], this.names[2]];
    this.pass();
    return others;
  }

  async c(me: number): Promise<readonly number[]> {
    await this.write(2, me);
    await this.turnOf(5);
    const others = [this.names[0], this.names[1]];
    this.give(0);
    return others;
  }

  /** Of a: copies first, then lets b continue. */
  protected async collect(one: number, two: number): Promise<readonly number[]> {
    const others = [this.names[one], this.names[two]];
    this.give(4);
    return others;
  }

  /** Of b: lets c continue. */
  protected pass(): void {
    this.give(5);
  }

  protected give(turn: number): void {
    this.turn = turn;
    this.news.notifyAll();
  }

  private async write(place: number, me: number): Promise<void> {
    await this.turnOf(place);
    this.names[place] = me;
    this.give(place + 1);
  }

  private async turnOf(turn: number): Promise<void> {
    while (this.turn !== turn) await this.news.wait();
    this.turn = -1;
  }
}

/** a lets b continue, and copies a little later: a second round may overtake it. */
export class OvertakenAbc extends AsyncAbc {
  protected override async collect(one: number, two: number): Promise<readonly number[]> {
    this.give(4);
    await new Promise((resolve) => setImmediate(resolve));
    return [this.names[one], this.names[two]];
  }
}

/** b does not let c continue. */
export class ForgetfulAbc extends AsyncAbc {
  protected override pass(): void {}
}
