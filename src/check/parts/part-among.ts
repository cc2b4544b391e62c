/** The operations on one key as a part, where a monitor has read those on all keys as one. */
import { show } from '../../base/values/show.js';
import { Part } from './part.js';

/** The operations that an operation has to do with, as a part. */
export function partAmong(part: Part, operation: number, among: (k: number) => boolean): Part {
  const { history, spec, objectMachine } = part;
  return new Part({
    name: nameOf(part, operation),
    history: history.select(among),
    spec,
    objectMachine,
    cuts: [...part.cuts, 'part'],
    monitored: undefined,
  });
}

/** The name of the part that an operation belongs to, where a monitor has read several as one. */
function nameOf({ name, history, spec, cuts }: Part, operation: number): string {
  if (cuts.includes('part')) return name;
  const { columns, tables } = history;
  const keys = spec.part?.(tables.methods[columns.method[operation]], history.args(operation)) ?? [];
  return [name, keys]
    .flat()
    .map((key) => (typeof key === 'string' ? key : show(key)))
    .filter((key) => key !== '')
    .join(' ');
}
