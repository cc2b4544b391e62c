/** Patience by the processor's time, not by the clock: a busy machine explores no less. */
import { Patience } from 'straightedge/explore';
import { processorTime } from './processor-time.js';

export class ProcessorPatience extends Patience {
  readonly #begin = processorTime();
  readonly #milliseconds: number;

  constructor(milliseconds: number) {
    super(milliseconds);
    this.#milliseconds = milliseconds;
  }

  override get left(): number {
    return this.#milliseconds - (processorTime() - this.#begin);
  }

  override part(share: number): Patience {
    return new ProcessorPatience(Math.max(0, this.left * share));
  }
}
