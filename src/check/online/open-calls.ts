/**
 * Which calls are open, and whether an event can follow those before it.
 *
 * A process makes one call after another, unless its calls have ids. What was open
 * once is forgotten: an id may come again when the call that had it has ended.
 */
import { show } from '../../base/values/show.js';
import { type CallEvent, type EndEvent, EventError } from '../../history/model/event.js';
import type { OnlineOperation } from '../stream/operation.js';

export class OpenCalls {
  /** Process to its open call without an id; and id to its open call. */
  readonly #ofProcess = new Map<string, OnlineOperation>();
  readonly #ofId = new Map<string, OnlineOperation>();
  /** Process to how many calls with ids it has open. */
  readonly #withIds = new Map<string, number>();

  /** Throws where a call can not begin. */
  check({ process, method, id }: CallEvent): void {
    const busy = this.#ofProcess.get(process);
    if (busy) throw new EventError(overlap(process, method, busy), 'process');
    if (id === undefined && this.#withIds.has(process))
      throw new EventError(
        `process ${show(process)} calls ${method} without an id while its calls with ids are open`,
        'process',
      );
    if (id !== undefined && this.#ofId.has(String(id)))
      throw new EventError(`id ${show(id)} again, while the call that has it is open`, 'id');
  }

  add({ process, id }: CallEvent, operation: OnlineOperation): void {
    if (id === undefined) this.#ofProcess.set(process, operation);
    else {
      this.#ofId.set(String(id), operation);
      this.#withIds.set(process, (this.#withIds.get(process) ?? 0) + 1);
    }
  }

  /** The open call that an event ends. */
  callOf({ process, id, object }: EndEvent): OnlineOperation {
    const call = id === undefined ? this.#ofProcess.get(process) : this.#ofId.get(String(id));
    if (!call)
      throw id === undefined
        ? new EventError(
            `the end of a call, but process ${show(process)} has no open call${this.#withIds.has(process) ? ' without an id' : ''}`,
            'process',
          )
        : new EventError(`the end of a call, but no open call has id ${show(id)}`, 'id');
    if (call.process !== process)
      throw new EventError(`id ${show(id)} was called by process ${show(call.process)}`, 'process');
    if (object !== undefined && object !== call.object)
      throw new EventError(
        `the call was of ${call.object === undefined ? 'no object' : `object ${show(call.object)}`}`,
        'object',
      );
    return call;
  }

  remove({ process, id }: EndEvent): void {
    if (id === undefined) {
      this.#ofProcess.delete(process);
      return;
    }
    this.#ofId.delete(String(id));
    const left = (this.#withIds.get(process) ?? 0) - 1;
    if (left > 0) this.#withIds.set(process, left);
    else this.#withIds.delete(process);
  }
}

function overlap(process: string, method: string, { method: open, line }: OnlineOperation): string {
  const where = line === undefined ? '' : ` (line ${line})`;
  return `process ${show(process)} calls ${method} while its call of ${open} is open${where}`;
}
