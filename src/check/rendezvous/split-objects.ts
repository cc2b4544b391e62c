/**
 * A history of several objects: those that are plain stay together, those whose calls meet stand each alone.
 *
 * A history has an order and meetings that explain it exactly when each object alone has: Herlihy and
 * Wing's locality holds for meetings too, since each is one point inside all of its calls.
 */
import type { History } from '../../history/history.js';
import { type AnySpec, isSyncSpec } from '../../spec/rendezvous/sync-spec.js';
import type { Spec } from '../../spec/spec.js';
import { objectsOf, type SpecOf } from '../parts/parts.js';
import { SyncPart } from './search/part.js';

/** The spec of each object of a history; `undefined` is the object without a name. */
export type AnySpecOf = (object: string | undefined) => AnySpec;

export interface TakenApart {
  /** The plain objects; none where there are none. */
  readonly plain: History | undefined;
  readonly specOf: SpecOf;
  readonly meeting: readonly SyncPart[];
}

export function takeApart(history: History, anySpecOf: AnySpecOf): TakenApart {
  const specs = new Map<string | undefined, AnySpec>();
  for (const object of history.length === 0 ? [undefined] : history.objects)
    specs.set(object, anySpecOf(object));
  const specOf = (object: string | undefined) => (specs.get(object) ?? anySpecOf(object)) as Spec;
  if (![...specs.values()].some(isSyncSpec)) return { plain: history, specOf, meeting: [] };

  const { object } = history.columns;
  const isPlain = history.tables.objects.map((name) => !isSyncSpec(specOf(name)));
  const meeting = objectsOf(history).flatMap((own) => {
    const spec = specs.get(own.name);
    return spec && isSyncSpec(spec) ? [new SyncPart(own, spec)] : [];
  });
  const hasPlain = meeting.length < specs.size;
  return { plain: hasPlain ? history.select((k) => isPlain[object[k]]) : undefined, specOf, meeting };
}
