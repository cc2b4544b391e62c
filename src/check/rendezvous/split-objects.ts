/**
 * Splits a history by kind of object: plain objects stay together, each rendezvous object stands alone.
 *
 * This is sound by locality (Herlihy and Wing 1990), which holds for rendezvous as well, because each rendezvous is one
 * point inside all of its calls.
 */
import type { History } from '../../history/history.js';
import { type AnySpec, isSyncSpec } from '../../spec/rendezvous/sync-spec.js';
import type { Spec } from '../../spec/spec.js';
import { objectsOf, type SpecOf } from '../parts/parts.js';
import { RendezvousPart } from './search/enabled-rendezvous.js';

/** The spec of each object of a history; `undefined` is the object without a name. */
export type AnySpecOf = (object: string | undefined) => AnySpec;

export interface SplitHistory {
  /** The operations of plain objects; undefined if there are none. */
  readonly plain: History | undefined;
  readonly specOf: SpecOf;
  readonly rendezvous: readonly RendezvousPart[];
}

export function splitObjects(history: History, anySpecOf: AnySpecOf): SplitHistory {
  const specs = new Map<string | undefined, AnySpec>();
  for (const object of history.length === 0 ? [undefined] : history.objects)
    specs.set(object, anySpecOf(object));
  const specOf = (object: string | undefined) => (specs.get(object) ?? anySpecOf(object)) as Spec;
  if (![...specs.values()].some(isSyncSpec)) return { plain: history, specOf, rendezvous: [] };

  const { object } = history.columns;
  const isPlain = history.tables.objects.map((name) => !isSyncSpec(specOf(name)));
  const rendezvous = objectsOf(history).flatMap((own) => {
    const spec = specs.get(own.name);
    return spec && isSyncSpec(spec) ? [new RendezvousPart(own, spec)] : [];
  });
  const hasPlain = rendezvous.length < specs.size;
  return { plain: hasPlain ? history.select((k) => isPlain[object[k]]) : undefined, specOf, rendezvous };
}
