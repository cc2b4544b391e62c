/** Those who meet by name: how many there are, and that each is another. */
import { Canonical } from '../base/index.js';
import { atLeastOne, demand } from './demand.js';

export interface PartiesOptions {
  /** How many there are; 2 unless told. */
  readonly parties?: number;
}

export const partiesOf = (name: string, { parties }: PartiesOptions): number =>
  demand(`the parties of ${name}`, parties ?? 2, atLeastOne);

/** Is each named at most once? Who gives no name is taken for another. */
export function areDistinct(names: readonly unknown[]): boolean {
  const canonical = new Canonical();
  const named = names.filter((name) => name !== undefined && name !== null);
  return new Set(named.map((name) => canonical.key(name))).size === named.length;
}
