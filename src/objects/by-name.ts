/** Objects by name, for who has a name and options as text; each refuses what it does not take. */
import { type Demand, demand } from './common/parameters.js';

/** What the command line can say about an object; undefined is the same as not given. */
export interface ObjectOptions {
  readonly initial?: unknown;
  readonly empty?: unknown;
  readonly permits?: number;
  readonly parties?: number;
}

export type Create<S> = (options: ObjectOptions) => S;
export type Takes = { readonly [name in keyof ObjectOptions]: Demand };
export type Row<S> = readonly [name: string, takes: Takes, create: (options: never) => S];

/** A function that refuses what the object does not take, and what is not of the kind it takes. */
function withChecks<S>([name, takes, create]: Row<S>): Create<S> {
  return (options) => {
    const named = Object.entries(options).filter(([, value]) => value !== undefined);
    for (const [option, value] of named) {
      const wanted = takes[option as keyof ObjectOptions];
      if (!wanted) throw new TypeError(`${name} takes no --${option}`);
      demand(`--${option} of ${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`, value, wanted);
    }
    return create(Object.fromEntries(named) as never);
  };
}

/** Without a prototype, so that "constructor" is no object's name. */
export const byName = <S>(rows: readonly Row<S>[]): Readonly<Record<string, Create<S>>> =>
  Object.assign(
    Object.create(null) as Record<string, Create<S>>,
    Object.fromEntries(rows.map((row) => [row[0], withChecks(row)])),
  );
