/**
 * The fields that a plain line may have, told by their names as bytes.
 *
 * A name with its quotes has 4 to 9 bytes, and so three words of four bytes that overlap
 * cover it: one at its start, one at its end, one between. The first tells which name it can
 * be, by a table without collisions, and the others whether it is that. Three looks are less
 * than one a byte.
 */
import { invariant } from '../../base/invariant.js';

/** Each field has a slot for its value, and a bit. */
export const FIELDS = {
  process: 0,
  method: 1,
  args: 2,
  result: 3,
  call: 4,
  return: 5,
  type: 6,
  id: 7,
  object: 8,
  threw: 9,
  failed: 10,
  unknown: 11,
} as const;

const NAMES = Object.keys(FIELDS).map((name) => new TextEncoder().encode(`"${name}"`));
const wordAt = (name: Uint8Array, at: number): number => new DataView(name.buffer).getInt32(at, true);

/** Field to the length of its name with quotes. */
export const NAME_LENGTH: Int32Array = Int32Array.from(NAMES, ({ length }) => length);
// … and to its words
const FIRST = Int32Array.from(NAMES, (name) => wordAt(name, 0));
const MIDDLE_AT = Int32Array.from(NAMES, ({ length }) => Math.min(4, length - 4));
const MIDDLE = Int32Array.from(NAMES, (name) => wordAt(name, Math.min(4, name.length - 4)));
const LAST = Int32Array.from(NAMES, (name) => wordAt(name, name.length - 4));

/** A mix of the first word to its field, or -1. */
const FIELD = new Int8Array(32).fill(-1);
const mix = (word: number): number => Math.imul(word, 0x9e3779b7) >>> 27;
for (const [field, word] of FIRST.entries()) {
  invariant(FIELD[mix(word)] < 0, 'two fields share a place');
  FIELD[mix(word)] = field;
}

/** The field whose name stands at a place, in quotes; -1 if there is none, or not enough behind it to be a field. */
export function fieldAt(view: DataView, at: number, end: number): number {
  // a colon, a value, a bracket and a newline have to follow
  if (at + 8 > end) return -1;
  const first = view.getInt32(at, true);
  const field = FIELD[mix(first)];
  if (field < 0 || first !== FIRST[field]) return -1;
  const last = at + NAME_LENGTH[field] - 4;
  if (last + 8 > end) return -1;
  const isIt =
    view.getInt32(last, true) === LAST[field] && view.getInt32(at + MIDDLE_AT[field], true) === MIDDLE[field];
  return isIt ? field : -1;
}
