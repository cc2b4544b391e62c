/** A history as plain data: two histories are equal if and only if their data are. */
import type { History } from '../../../src/history/history.js';

export function wholeHistory({ columns, tables, annotations, stuck }: History): unknown {
  const { after, id, object, process, method, argumentStart, argument, status, result, events } = columns;
  const { call, return: returned } = columns;
  const lists = {
    id,
    object,
    process,
    method,
    argumentStart,
    argument,
    status,
    result,
    call,
    returned,
    events,
  };
  return {
    columns: Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, Array.from(list)])),
    after: after && [Array.from(after.start), Array.from(after.items)],
    objects: tables.objects,
    processes: tables.processes,
    methods: tables.methods,
    values: tables.values.values,
    // each value is found under its own number
    numbers: tables.values.values.map((value) => tables.values.find(value)),
    undefinedIsNull: tables.undefinedIsNull,
    lines: tables.lines && Array.from(tables.lines),
    annotations,
    stuck,
  };
}
