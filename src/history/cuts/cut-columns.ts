/**
 * Columns of some operations of a larger history. Checkers look at ids and events
 * only; what people look at is picked from the larger history when somebody asks,
 * and so are the times made of the events.
 */
import { pick } from '../../base/collections/ints.js';
import { type Columns, NEVER } from '../model/columns.js';

type Own = Pick<Columns, 'id' | 'events' | 'after'>;
type Lists = { readonly start: Int32Array; readonly items: Int32Array };
type Times = { readonly call: Int32Array; readonly return: Int32Array };

export class CutColumns implements Columns {
  readonly id: Int32Array;
  readonly events: Int32Array;
  declare readonly after?: Lists;
  readonly #from: Columns;
  readonly #kept: Int32Array;
  #times: Times | undefined;
  readonly #picked = new Map<Int32Array, Int32Array>();
  #status: Uint8Array | undefined;
  #arguments: Lists | undefined;

  /** `kept`: the operations of the larger history, in order; `own`: what is made already. */
  constructor(from: Columns, kept: Int32Array, { id, events, after }: Own) {
    this.#from = from;
    this.#kept = kept;
    this.id = id;
    this.events = events;
    if (after) this.after = after;
  }

  get call(): Int32Array {
    return this.#madeTimes().call;
  }
  get return(): Int32Array {
    return this.#madeTimes().return;
  }
  get object(): Int32Array {
    return this.#pick(this.#from.object);
  }
  get process(): Int32Array {
    return this.#pick(this.#from.process);
  }
  get method(): Int32Array {
    return this.#pick(this.#from.method);
  }
  get result(): Int32Array {
    return this.#pick(this.#from.result);
  }
  get status(): Uint8Array {
    if (!this.#status) {
      this.#status = new Uint8Array(this.#kept.length);
      for (let k = 0; k < this.#kept.length; k++) this.#status[k] = this.#from.status[this.#kept[k]];
    }
    return this.#status;
  }
  get argumentStart(): Int32Array {
    return this.#argumentLists().start;
  }
  get argument(): Int32Array {
    return this.#argumentLists().items;
  }

  /** Of the first so many operations; `own`: what is made already. */
  beginning(length: number, own: Own): CutColumns {
    return new CutColumns(this.#from, this.#kept.subarray(0, length), own);
  }

  #madeTimes(): Times {
    this.#times ??= timesOf(this.events, this.#kept.length);
    return this.#times;
  }

  #pick(column: Int32Array): Int32Array {
    let picked = this.#picked.get(column);
    if (!picked) {
      picked = pick(column, this.#kept);
      this.#picked.set(column, picked);
    }
    return picked;
  }

  #argumentLists(): Lists {
    this.#arguments ??= pickLists(this.#kept, {
      start: this.#from.argumentStart,
      items: this.#from.argument,
    });
    return this.#arguments;
  }
}

/** When each operation is called and returns, by the calls and returns that there are. */
function timesOf(events: Int32Array, operations: number): Times {
  const call = new Int32Array(operations);
  const returned = new Int32Array(operations).fill(NEVER);
  for (let m = 0; m < events.length; m++) {
    if (events[m] >= 0) call[events[m]] = m;
    else returned[~events[m]] = m;
  }
  return { call, return: returned };
}

/** The lists of the kept operations, where list k is `items[start[k]]` up to `items[start[k + 1]]`. */
function pickLists(kept: Int32Array, { start, items }: Lists): Lists {
  let room = 0;
  for (const k of kept) room += start[k + 1] - start[k];
  const keptStart = new Int32Array(kept.length + 1);
  const keptItems = new Int32Array(room);
  let end = 0;
  for (let position = 0; position < kept.length; position++) {
    for (let i = start[kept[position]]; i < start[kept[position] + 1]; i++) keptItems[end++] = items[i];
    keptStart[position + 1] = end;
  }
  return { start: keptStart, items: keptItems };
}
