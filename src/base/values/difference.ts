/** Where two structured values differ: the path to the first difference, and how often they differ in all. */
import { Canonical } from './canonical.js';
import { show } from './show.js';

export interface Difference {
  /** `.items[2].price`; empty if the values differ as a whole. */
  readonly path: string;
  readonly left: unknown;
  readonly right: unknown;
}

/** An absent field or element. */
export const ABSENT_VALUE: unique symbol = Symbol('absent');

const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

/** All differences of two values, from left to right. Values of other kinds than lists, maps and plain objects are compared as a whole. */
export function differencesOf(left: unknown, right: unknown): Difference[] {
  const canonical = new Canonical();
  const found: Difference[] = [];
  const visit = (a: unknown, b: unknown, path: string): void => {
    if (
      Object.is(a, b) ||
      (a !== ABSENT_VALUE && b !== ABSENT_VALUE && canonical.key(a) === canonical.key(b))
    )
      return;
    const [own, other] = [entriesOf(a), entriesOf(b)];
    if (!own || !other || own.kind !== other.kind) {
      found.push({ path, left: a, right: b });
      return;
    }
    const before = found.length;
    for (const key of new Set([...own.entries.keys(), ...other.entries.keys()])) {
      const [one, two] = [own, other].map(({ entries }) =>
        entries.has(key) ? entries.get(key) : ABSENT_VALUE,
      );
      visit(one, two, `${path}${stepTo(key, own.kind)}`);
    }
    // they differ in what is not an entry
    if (found.length === before) found.push({ path, left: a, right: b });
  };
  visit(left, right, '');
  return found;
}

type Entries = { readonly kind: string; readonly entries: ReadonlyMap<unknown, unknown> };

function entriesOf(value: unknown): Entries | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) return { kind: 'list', entries: new Map(value.entries()) };
  if (value instanceof Map) return { kind: 'map', entries: value };
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null
    ? { kind: 'object', entries: new Map(Object.entries(value)) }
    : undefined;
}

function stepTo(key: unknown, kind: string): string {
  if (kind === 'object' && IDENTIFIER.test(String(key))) return `.${String(key)}`;
  return kind === 'map' ? `.get(${show(key)})` : `[${show(key)}]`;
}
