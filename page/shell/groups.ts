/** Operations in groups, each with a colour: by method, process, object, part or outcome. */
import { printable } from '../../src/base/values/show.js';
import { FAILED, NEVER, THREW } from '../../src/history/model/columns.js';
import type { Model } from './model.js';

export const GROUPINGS = ['method', 'process', 'outcome', 'object', 'part'] as const;
export type Grouping = (typeof GROUPINGS)[number];

export interface Groups {
  readonly names: readonly string[];
  /** Position to group. */
  readonly of: ArrayLike<number>;
}

const OUTCOMES = ['returned', 'threw an error', 'never returned', 'failed'];
const COLOURS = 10;

export const groupClass = (group: number): string => `group-${group % COLOURS}`;

export function groupsOf({ history, data }: Model, by: Grouping): Groups {
  const { columns, tables } = history;
  switch (by) {
    case 'method':
      return { names: tables.methods.map(printable), of: columns.method };
    case 'process':
      return { names: tables.processes.map(printable), of: columns.process };
    case 'object':
      return { names: tables.objects.map((name) => printable(name ?? 'unnamed')), of: columns.object };
    case 'part':
      return { names: data.parts.map(({ name }) => printable(name)), of: data.partOf };
    case 'outcome':
      return {
        names: OUTCOMES,
        of: Uint8Array.from(columns.status, (status, k) =>
          status === FAILED ? 3 : columns.return[k] === NEVER ? 2 : status === THREW ? 1 : 0,
        ),
      };
  }
}
