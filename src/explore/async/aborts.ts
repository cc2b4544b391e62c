/** The aborts that could come in an execution: one of each call between the first and the last that is open. Only one comes. */
import type { Task } from '../../event-loop/event-loop.js';
import type { AsyncProgram } from './program.js';

export class Aborts {
  readonly #program: AsyncProgram;
  readonly #tasks: Task[] = [];
  /** The operation whose abort came. */
  #aborted = -1;

  constructor(program: AsyncProgram) {
    this.#program = program;
  }

  get possible(): readonly Task[] {
    return this.#aborted < 0 ? this.#tasks : [];
  }

  isAborted(operation: number): boolean {
    return this.#aborted === operation;
  }

  /** An operation of an object is called. */
  opens(k: number, object: object, controller: AbortController): void {
    const { abort, calls, beforeTo, afterFrom } = this.#program;
    if (!abort || this.#aborted >= 0 || k < beforeTo || k >= afterFrom) return;
    this.#tasks.push({
      kind: 'abort',
      does: `${calls[k].method} is aborted`,
      operation: k,
      run: () => {
        this.#aborted = k;
        abort(object, calls[k], controller);
      },
    });
  }

  ends(operation: number): void {
    const abort = this.#tasks.findIndex((task) => task.operation === operation);
    if (abort >= 0) this.#tasks.splice(abort, 1);
  }
}
