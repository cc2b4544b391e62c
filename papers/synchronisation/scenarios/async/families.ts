/** Families whose members meet in pairs, each pair once: who comes takes one whom it has not met, or waits. */
interface Waiting {
  readonly me: string;
  readonly meet: (other: string) => void;
}

export class AsyncFamilies {
  /** Names begin with the letter of their family, where there are two. */
  private readonly areTwo: boolean;
  private waiting: Waiting[] = [];
  private readonly met = new Set<string>();
  /** Who came last, where all can see it. */
  protected last = '';

  constructor(areTwo: boolean) {
    this.areTwo = areTwo;
  }

  async meet(me: string): Promise<string> {
    return this.join(me) ?? this.waitFor(me);
  }

  /** One who waits, from now on met. */
  protected join(me: string): string | undefined {
    const partner = this.waiting.find(
      (own) => own.me !== me && !(this.areTwo && own.me[0] === me[0]) && !this.met.has(pairOf(me, own.me)),
    );
    if (!partner) return undefined;
    this.waiting = this.waiting.filter((own) => own !== partner);
    this.met.add(pairOf(me, partner.me));
    this.last = me;
    partner.meet(me);
    return partner.me;
  }

  protected waitFor(me: string): Promise<string> {
    return new Promise((meet) => this.waiting.push({ me, meet }));
  }
}

/** Who is woken reads who came last. */
export class LateReadingFamilies extends AsyncFamilies {
  protected override async waitFor(me: string): Promise<string> {
    await super.waitFor(me);
    return this.last;
  }
}

/** Between looking and waiting there is an await: two may both decide to wait. */
export class HastyFamilies extends AsyncFamilies {
  override async meet(me: string): Promise<string> {
    const partner = this.join(me);
    await Promise.resolve();
    return partner ?? this.waitFor(me);
  }
}

const pairOf = (one: string, other: string): string => (one < other ? `${one} ${other}` : `${other} ${one}`);
