/** Deadline by the processor's time, not by the clock: a busy machine explores no less. */
import { Deadline } from '../src/explore/model/deadline.js';
import { processorTime } from './processor-time.js';

export class ProcessorDeadline extends Deadline {
  readonly #begin = processorTime();
  readonly #milliseconds: number;

  constructor(milliseconds: number) {
    super(milliseconds);
    this.#milliseconds = milliseconds;
  }

  override get left(): number {
    return this.#milliseconds - (processorTime() - this.#begin);
  }

  override fraction(share: number): Deadline {
    return new ProcessorDeadline(Math.max(0, this.left * share));
  }
}
