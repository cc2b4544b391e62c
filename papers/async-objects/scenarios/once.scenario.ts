/** A value that is made when it is first asked for. */
import { type Scenario, scenario } from 'straightedge';

class Once<T> {
  protected made: Promise<T> | undefined;

  protected readonly make: () => Promise<T>;

  constructor(make: () => Promise<T>) {
    this.make = make;
  }

  async get(): Promise<T | undefined> {
    this.made ??= this.make();
    return this.made;
  }

  async reset(): Promise<void> {
    this.made = undefined;
  }
}

/** Fault: calls that come while the value is made make another one. */
class Twice<T> extends Once<T> {
  private value: T | undefined;

  override async get(): Promise<T | undefined> {
    this.value ??= await this.make();
    return this.value;
  }

  override async reset(): Promise<void> {
    this.value = undefined;
  }
}

/** Fault: calls that come while the value is made get nothing. */
class TooEarly<T> extends Once<T> {
  private value: T | undefined;
  private started = false;

  override async get(): Promise<T | undefined> {
    if (this.started) return this.value;
    this.started = true;
    this.value = await this.make();
    return this.value;
  }

  override async reset(): Promise<void> {
    this.started = false;
  }
}

const using = (create: (make: () => Promise<string>) => Once<string>): Scenario =>
  scenario({
    create: () => {
      let made = 0;
      return create(async () => {
        await new Promise((resolve) => setTimeout(resolve, 10));
        made++;
        return `value ${made}`;
      });
    },
    calls: [['get'], ['reset']],
    threads: 2,
    callsPerThread: 2,
  });

export const correct: Scenario = using((make) => new Once(make));
export const madeTwice: Scenario = using((make) => new Twice(make));
export const notReady: Scenario = using((make) => new TooEarly(make));
