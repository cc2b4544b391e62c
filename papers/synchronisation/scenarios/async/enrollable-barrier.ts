/** A barrier whose parties come and go. */
export class AsyncEnrollableBarrier {
  protected enrolled = 0;
  protected waiting: (() => void)[] = [];

  async enrol(_me: number): Promise<void> {
    this.enrolled++;
  }

  async resign(_me: number): Promise<void> {
    this.enrolled--;
    this.leave();
  }

  async sync(_me: number): Promise<void> {
    const left = new Promise<void>((resolve) => this.waiting.push(resolve));
    if (this.waiting.length === this.enrolled) this.open();
    return left;
  }

  /** Those who wait may be all that are left. */
  protected leave(): void {
    if (this.waiting.length > 0 && this.waiting.length === this.enrolled) this.open();
  }

  protected open(): void {
    const all = this.waiting;
    this.waiting = [];
    for (const go of all) go();
  }
}

/** Waiting calls leave in sequence: a call that arrives meanwhile is counted as one of them. */
export class ReentrantEnrollableBarrier extends AsyncEnrollableBarrier {
  private leaving = 0;

  override async sync(me: number): Promise<void> {
    if (this.leaving > 0) this.leaving--;
    else await super.sync(me);
  }

  protected override open(): void {
    this.leaving = this.waiting.length - 1;
    super.open();
  }
}

/** Who enrols while others leave is taken for one of them: its first rendezvous is over at once. */
export class EagerEnrollableBarrier extends AsyncEnrollableBarrier {
  private leaving = 0;
  private newcomer = -1;

  override async enrol(me: number): Promise<void> {
    if (this.leaving > 0) this.newcomer = me;
    this.enrolled++;
  }

  override async sync(me: number): Promise<void> {
    if (this.newcomer !== me) {
      await super.sync(me);
      this.leaving--;
    } else this.newcomer = -1;
  }

  protected override open(): void {
    this.leaving = this.waiting.length;
    super.open();
  }
}

/** Who resigns forgets those who wait. */
export class ForgetfulEnrollableBarrier extends AsyncEnrollableBarrier {
  protected override leave(): void {}
}
