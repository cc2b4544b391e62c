/** Those who meet by name: how many there are, and that each is another. */
import { Canonical } from '../../base/values/canonical.js';
import { show } from '../../base/values/show.js';
import { type Refused, refuse } from '../../spec/spec.js';
import { atLeastOne, demand } from '../common/parameters.js';

export interface PartiesOptions {
  /** How many there are; 2 unless told. */
  readonly parties?: number;
}

export const partiesOf = (name: string, { parties }: PartiesOptions): number =>
  demand(`the parties of ${name}`, parties ?? 2, atLeastOne);

/** Of two that give one name. */
export const refuseBoth = (name: unknown): Refused => refuse(`two calls give the same name, ${show(name)}`);

/** Refuses those of whom two give one name, and tells which. Who gives no name is taken for another. */
export function sameName(names: readonly unknown[]): Refused | undefined {
  const canonical = new Canonical();
  const met = new Set<string>();
  for (const name of names) {
    if (name === undefined || name === null) continue;
    const key = canonical.key(name);
    if (met.has(key)) return refuseBoth(name);
    met.add(key);
  }
  return undefined;
}
