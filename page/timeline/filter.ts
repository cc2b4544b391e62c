/**
 * Selects the operations to show: those of a part, of groups that are not hidden, and that match a query.
 *
 * A query is a list of words, all of which must match: `enqueue`, or in a field, `process:A method:enqueue value:5 key:x
 * id:7 is:pending`. Case is ignored.
 */
import { show } from '../../src/base/values/show.js';
import { FAILED, NEVER, THREW } from '../../src/history/model/columns.js';
import type { Groups } from '../shell/groups.js';
import type { Model } from '../shell/model.js';

export interface Filter {
  readonly query: string;
  readonly part: number | undefined;
  readonly groups: Groups;
  readonly hidden: ReadonlySet<number>;
}

export interface Shown {
  /** 1 at the positions that are shown. */
  readonly mask: Uint8Array;
  /** The positions shown. */
  readonly list: Int32Array;
}

type Test = (k: number) => boolean;

export function shownBy(model: Model, { query, part, groups, hidden }: Filter): Shown {
  const { partOf } = model.data;
  const tests: Test[] = [
    ...(part === undefined ? [] : [(k: number) => partOf[k] === part]),
    ...(hidden.size === 0 ? [] : [(k: number) => !hidden.has(groups.of[k])]),
    ...query
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '')
      .map((word) => testOf(model, word)),
  ];
  const { length } = model.history;
  const mask = new Uint8Array(length);
  const list = new Int32Array(length);
  let count = 0;
  for (let k = 0; k < length; k++) {
    if (!tests.every((test) => test(k))) continue;
    mask[k] = 1;
    list[count++] = k;
  }
  return { mask, list: list.subarray(0, count) };
}

function testOf(model: Model, word: string): Test {
  const [, field, text] = /^(\w+):(.*)$/.exec(word) ?? [];
  const { columns, tables } = model.history;
  switch (field) {
    case 'process':
      return named(columns.process, tables.processes, text);
    case 'method':
      return named(columns.method, tables.methods, text);
    case 'object':
      return named(
        columns.object,
        tables.objects.map((name) => name ?? ''),
        text,
      );
    case 'key':
    case 'part':
      return named(
        model.data.partOf,
        model.data.parts.map(({ name }) => name),
        text,
      );
    case 'value':
      return hasValue(model, text);
    case 'id':
      return (k) => columns.id[k] === Number(text);
    case 'is':
      return hasProperty(model, text);
    default:
      return (k) => model.searched(k).includes(word);
  }
}

function named(column: ArrayLike<number>, names: readonly string[], text: string): Test {
  const wanted = names.map((name) => name.toLowerCase().includes(text));
  return (k) => wanted[column[k]];
}

/** Is the value an argument or the result? */
function hasValue({ history }: Model, text: string): Test {
  const { argumentStart, argument, result } = history.columns;
  const wanted = history.tables.values.values.map((value) => {
    const shown = show(value).toLowerCase();
    return shown === text || shown === `"${text}"`;
  });
  return (k) => {
    if (wanted[result[k]]) return true;
    for (let i = argumentStart[k]; i < argumentStart[k + 1]; i++) if (wanted[argument[i]]) return true;
    return false;
  };
}

function hasProperty({ history, core }: Model, text: string): Test {
  const { status, return: returned, id } = history.columns;
  const tests: Readonly<Record<string, Test>> = {
    pending: (k) => returned[k] === NEVER,
    failed: (k) => status[k] === FAILED,
    threw: (k) => status[k] === THREW,
    core: (k) => core.has(id[k]),
  };
  return Object.hasOwn(tests, text) ? tests[text] : () => false;
}

/** The next or previous operation shown, cyclically; by id. */
export function neighbour(
  model: Model,
  { list }: Shown,
  picked: number | undefined,
  by: 1 | -1,
): number | undefined {
  if (list.length === 0) return undefined;
  const { id } = model.history.columns;
  const k = picked === undefined ? -1 : model.position(picked);
  const at = list.indexOf(k);
  if (at >= 0) return id[list[(at + by + list.length) % list.length]];
  const after = list.findIndex((other) => other > k);
  const next = after < 0 ? list.length : after;
  return id[list[by > 0 ? next % list.length : (next - 1 + list.length) % list.length]];
}
