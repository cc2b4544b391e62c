/** Predicates that check the shape of a value from outside, and their combinations. A problem names the path of the faulty field. */

/** Returns what is wrong with a value, as `path: expectation`; undefined if nothing is. */
export type Shape<T> = ((value: unknown, path: string) => string | undefined) & {
  /** For the type checker only. */
  readonly of?: () => T;
};

const where =
  <T>(expected: string, isValid: (value: unknown) => boolean): Shape<T> =>
  (value, path) =>
    isValid(value) ? undefined : `${path}: expected ${expected}`;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const text: Shape<string> = where('a text', (value) => typeof value === 'string');
export const flag: Shape<boolean> = where('true or false', (value) => typeof value === 'boolean');
export const number: Shape<number> = where(
  'a number',
  (value) => typeof value === 'number' && Number.isFinite(value),
);
export const count: Shape<number> = where(
  'a whole number of at least 0',
  (value) => Number.isSafeInteger(value) && (value as number) >= 0,
);
/** The deepest nesting of an object from outside: more would exhaust the stack of who prints it. */
const DEEPEST = 200;

const isNestedAtMost = (value: unknown, depth: number): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (depth > 0 && Object.values(value).every((item) => isNestedAtMost(item, depth - 1)));

/** An object whose content the receiver does not interpret, or validates itself. */
export const record = <T>(): Shape<T> =>
  where<T>(
    `an object of at most ${DEEPEST} levels`,
    (value) => isRecord(value) && isNestedAtMost(value, DEEPEST),
  );
export const absent: Shape<undefined> = where('nothing', (value) => value === undefined);
export const oneOf = <T extends string | number>(...values: readonly T[]): Shape<T> =>
  where(`one of ${values.join(', ')}`, (value) => values.includes(value as T));

/** JSON drops undefined fields, and writes `null` in lists. */
export const optional =
  <T>(shape: Shape<T>): Shape<T | undefined> =>
  (value, path) =>
    value === undefined ? undefined : shape(value, path);

export const list =
  <T>(shape: Shape<T>): Shape<readonly T[]> =>
  (value, path) => {
    if (!Array.isArray(value)) return `${path}: expected a list`;
    for (let i = 0; i < value.length; i++) {
      const problem = shape(value[i], `${path}[${i}]`);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };

export const pair =
  <A, B>(first: Shape<A>, second: Shape<B>): Shape<readonly [A, B]> =>
  (value, path) =>
    Array.isArray(value) && value.length === 2
      ? (first(value[0], `${path}[0]`) ?? second(value[1], `${path}[1]`))
      : `${path}: expected a pair`;

/** Optional fields may be absent, others not. */
type Fields<T> = {
  readonly [F in keyof T]-?: object extends Pick<T, F> ? Shape<T[F] | undefined> : Shape<T[F]>;
};

export function object<T extends object>(fields: Fields<T>): Shape<T> {
  const names = new Set(Object.keys(fields));
  return (value, path) => {
    if (!isRecord(value)) return `${path}: expected an object`;
    for (const name of Object.keys(value)) if (!names.has(name)) return `${path}: unknown field`;
    for (const name of names) {
      const own = Object.hasOwn(value, name) ? value[name] : undefined;
      const problem = fields[name as keyof T](own, `${path}.${name}`);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };
}

/** An object whose field `kind` determines the others. */
export const byKind =
  <T extends { readonly kind: string }>(
    shapes: {
      readonly [K in T['kind']]: Shape<Extract<T, { readonly kind: K }>>;
    },
  ): Shape<T> =>
  (value, path) => {
    if (!isRecord(value)) return `${path}: expected an object`;
    const { kind } = value;
    if (typeof kind !== 'string' || !Object.hasOwn(shapes, kind)) return `${path}.kind: unknown`;
    return shapes[kind as T['kind']](value, path);
  };
