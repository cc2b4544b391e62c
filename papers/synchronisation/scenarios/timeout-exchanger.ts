/** An exchanger whose callers may give up. */
import { Monitor } from 'straightedge/explore';

export class SyncTimeoutExchanger {
  protected readonly monitor: Monitor = new Monitor();
  protected stage = 'empty';
  protected first = 0;
  protected second = 0;

  exchange(value: number): number | null {
    this.monitor.enter();
    const other = this.synchronise(value);
    this.monitor.exit();
    return other;
  }

  protected synchronise(value: number): number | null {
    if (this.stage === 'two') this.pause();
    if (this.stage === 'two') return null;
    return this.stage === 'empty' ? this.wait(value) : this.answer(value);
  }

  /** The first: leaves its value, and looks again after a while. */
  protected wait(value: number): number | null {
    this.first = value;
    this.stage = 'one';
    this.pause();
    const hasMet = this.stage === 'two';
    this.stage = 'empty';
    return hasMet ? this.second : null;
  }

  /** The second: takes it, and leaves its own. */
  protected answer(value: number): number {
    this.second = value;
    this.stage = 'two';
    return this.first;
  }

  /** A timeout may come at any moment. */
  protected pause(): void {
    this.monitor.exit();
    this.monitor.enter();
  }
}

/** Who gives up leaves its value behind. */
export class LittererExchanger extends SyncTimeoutExchanger {
  protected override wait(value: number): number | null {
    this.first = value;
    this.stage = 'one';
    this.pause();
    if (this.stage === 'one') return null;
    this.stage = 'empty';
    return this.second;
  }
}

/** A third is taken for the second. */
export class CrowdedExchanger extends SyncTimeoutExchanger {
  protected override synchronise(value: number): number | null {
    return this.stage === 'empty' ? this.wait(value) : this.answer(value);
  }
}

/** The time-out never starts. */
export class EndlessExchanger extends SyncTimeoutExchanger {
  protected override pause(): void {
    this.monitor.wait();
  }
}
