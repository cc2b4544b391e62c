/** Families whose members synchronise in pairs, each pair once: a call takes a waiting partner that it has not had, or waits. */
interface Waiting {
  readonly me: string;
  readonly resolve: (other: string) => void;
}

export class AsyncFamilies {
  /** Names begin with the letter of their family, where there are two. */
  private readonly areTwo: boolean;
  private waiting: Waiting[] = [];
  private readonly paired = new Set<string>();
  /** The last caller, in a field that all calls share. */
  protected last = '';

  constructor(areTwo: boolean) {
    this.areTwo = areTwo;
  }

  async synchronise(me: string): Promise<string> {
    return this.join(me) ?? this.waitFor(me);
  }

  /** Pairs with a waiting call, if there is one. */
  protected join(me: string): string | undefined {
    const partner = this.waiting.find(
      (own) => own.me !== me && !(this.areTwo && own.me[0] === me[0]) && !this.paired.has(pairOf(me, own.me)),
    );
    if (!partner) return undefined;
    this.waiting = this.waiting.filter((own) => own !== partner);
    this.paired.add(pairOf(me, partner.me));
    this.last = me;
    partner.resolve(me);
    return partner.me;
  }

  protected waitFor(me: string): Promise<string> {
    return new Promise((resolve) => this.waiting.push({ me, resolve }));
  }
}

/** A call that is woken reads the last caller, which may be another one. */
export class LateReadingFamilies extends AsyncFamilies {
  protected override async waitFor(me: string): Promise<string> {
    await super.waitFor(me);
    return this.last;
  }
}

/** There is an await between search and wait: two calls may both decide to wait. */
export class HastyFamilies extends AsyncFamilies {
  override async synchronise(me: string): Promise<string> {
    const partner = this.join(me);
    await Promise.resolve();
    return partner ?? this.waitFor(me);
  }
}

const pairOf = (one: string, other: string): string => (one < other ? `${one} ${other}` : `${other} ${one}`);
