/**
 * Equal values made different, so that a history tells which was which.
 *
 *   P. A. Abdulla, S. Grahn, B. Jonsson, S. Krishna, O. R. Mishra. Efficient linearizability monitoring.
 *   PLDI 2025, section 3.1.4: a wrapper that makes all values differ. For objects that do not look at their values it
 *   hides no violation, and may show one more.
 *
 * What goes into the object is a tag; what comes out is its value again. So this is right only for objects that hand
 * values on as they are, and in the memory of one process.
 */
import { show } from '../base/values/show.js';

class Tag {
  readonly value: unknown;
  /** How the history shows it. */
  readonly text: string;

  constructor(value: unknown, number: number) {
    this.value = value;
    this.text = `${show(value)}#${number}`;
  }
}

export class Tags {
  #made = 0;

  /** The first argument tagged. */
  tagged(args: readonly unknown[]): readonly unknown[] {
    return args.length === 0 ? args : [new Tag(args[0], ++this.#made), ...args.slice(1)];
  }
}

/** As the history shows it. */
export const shown = (value: unknown): unknown => each(value, (tag) => tag.text);
/** As the caller gets it. */
export const untagged = (value: unknown): unknown => each(value, (tag) => tag.value);

function each(value: unknown, of: (tag: Tag) => unknown): unknown {
  if (value instanceof Tag) return of(value);
  return Array.isArray(value) && value.some((item) => item instanceof Tag)
    ? value.map((item) => each(item, of))
    : value;
}
