/**
 * Some operations of a larger history, as columns of their own.
 *
 * The calls and returns to keep are handed over one after another, by the numbers
 * of the larger history. An operation whose return is not among them keeps its
 * outcome but returns NEVER: if it took effect, then with that result.
 *
 * Checkers look at ids and times only; what people look at is picked from the
 * larger history when somebody asks.
 */
import { GrowingInts, pick } from '../base/index.js';
import { type Columns, NEVER } from './columns.js';

export class Cut {
  readonly #from: Columns;
  /** Operation of the larger history to its number here; shared scratch space, right for those kept. */
  readonly #local: Int32Array;
  /** And back. */
  readonly #kept: Int32Array;
  readonly #call: Int32Array;
  readonly #return: Int32Array;
  readonly #events: Int32Array;
  #operations = 0;
  #moments = 0;

  constructor(from: Columns, local: Int32Array, operations: number, events: number) {
    this.#from = from;
    this.#local = local;
    this.#kept = new Int32Array(operations);
    this.#call = new Int32Array(operations);
    this.#return = new Int32Array(operations).fill(NEVER);
    this.#events = new Int32Array(events);
  }

  take(event: number): void {
    if (event >= 0) {
      const position = this.#operations++;
      this.#local[event] = position;
      this.#kept[position] = event;
      this.#call[position] = this.#moments;
      this.#events[this.#moments++] = position;
    } else {
      const position = this.#local[~event];
      this.#return[position] = this.#moments;
      this.#events[this.#moments++] = ~position;
    }
  }

  columns(): Columns {
    const times = { call: this.#call, return: this.#return, events: this.#events };
    const after = this.#after();
    return new CutColumns(this.#from, this.#kept, { ...times, ...(after && { after }) });
  }

  /** Through an operation that is left out, what it came after comes before what came after it. */
  #after(): Columns['after'] {
    const { after } = this.#from;
    if (!after) return undefined;
    const start = new Int32Array(this.#kept.length + 1);
    const items = new GrowingInts();
    for (let position = 0; position < this.#kept.length; position++) {
      const own = this.#kept[position];
      const earlier = new Set(after.items.subarray(after.start[own], after.start[own + 1]));
      for (const k of earlier) {
        if (this.#keeps(k)) items.push(this.#local[k]);
        else for (let i = after.start[k]; i < after.start[k + 1]; i++) earlier.add(after.items[i]);
      }
      start[position + 1] = items.length;
    }
    return { start, items: items.toArray() };
  }

  #keeps(k: number): boolean {
    return this.#kept[this.#local[k]] === k;
  }
}

/** The columns of a cut made of `events` alone. */
export function cut(from: Columns, events: Int32Array): Columns {
  let operations = 0;
  for (const event of events) if (event >= 0) operations++;
  const made = new Cut(from, new Int32Array(from.call.length), operations, events.length);
  for (const event of events) made.take(event);
  return made.columns();
}

type Times = Pick<Columns, 'call' | 'return' | 'events' | 'after'>;
type Lists = { readonly start: Int32Array; readonly items: Int32Array };

class CutColumns implements Columns {
  readonly id: Int32Array;
  readonly call: Int32Array;
  readonly return: Int32Array;
  readonly events: Int32Array;
  declare readonly after?: Lists;
  readonly #from: Columns;
  readonly #kept: Int32Array;
  readonly #picked = new Map<Int32Array, Int32Array>();
  #status: Uint8Array | undefined;
  #arguments: Lists | undefined;

  constructor(from: Columns, kept: Int32Array, { call, return: returned, events, after }: Times) {
    this.#from = from;
    this.#kept = kept;
    this.id = pick(from.id, kept);
    this.call = call;
    this.return = returned;
    this.events = events;
    if (after) this.after = after;
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
