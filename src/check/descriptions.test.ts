/** The hooks `describeOperation` and `describeValue` reach text, JSON and page; one that fails hides nothing. */
import { describe, expect, test } from 'vitest';
import { HistoryBuilder } from '../history/builder/builder.js';
import type { History } from '../history/history.js';
import { map } from '../objects/collections/map.js';
import { Labels } from '../report/common/label.js';
import { packHistory, unpackHistory } from '../report/html/history-data.js';
import { pageData } from '../report/html/page-data.js';
import { jsonReport } from '../report/json/json.js';
import { textReport } from '../report/text/report.js';
import type { Spec } from '../spec/spec.js';
import { check } from './check.js';

interface Lease {
  readonly owner: string;
  readonly until: number;
}

/** One lease; `of` adds hooks. */
const leases = (of: Partial<Spec>): Spec => ({
  name: 'lease',
  initial: null,
  methods: {
    acquire: (_: Lease | null, owner: string, until: number) => [{ owner, until }, true],
    read: (lease: Lease | null) => [lease, lease],
  },
  ...of,
});

const inWords = (value: unknown): string | undefined =>
  typeof value === 'object' && value !== null ? `lease of ${(value as Lease).owner}` : undefined;

function staleRead(object?: string): History {
  const builder = new HistoryBuilder();
  let time = 0;
  const add = (method: string, args: readonly unknown[], value: unknown): void => {
    builder.operation({
      process: 'P',
      ...(object !== undefined && { object }),
      method,
      args: args as never,
      outcome: { kind: 'returned', value },
      call: time++,
      return: time++,
    });
  };
  add('acquire', ['A', 5], true);
  add('acquire', ['B', 9], true);
  add('read', [], { owner: 'A', until: 5 });
  return builder.finish();
}

function reports(history: History, spec: Spec) {
  const verdict = check(history, spec);
  const result = { file: 'f', spec: 'lease', history, verdict, ms: { read: 0, check: 0 } };
  const { counterexample } = jsonReport(result) as { counterexample: Record<string, unknown> };
  const page = pageData(result, () => spec);
  const seen = unpackHistory(JSON.parse(JSON.stringify(page.history)));
  const labels = new Labels(seen, '→');
  return {
    verdict,
    text: textReport(result),
    json: counterexample,
    page: Array.from(seen.columns.id.keys(), (k) => labels.operation(k)),
    reasons: JSON.stringify(page.core?.reasons),
  };
}

describe.each([undefined, 'leases'])('of the object %s', (object) => {
  test('describeValue describes arguments, results and allowed results', () => {
    const { text, json, page, reasons } = reports(staleRead(object), leases({ describeValue: inWords }));
    expect(text).toContain('returned lease of A; allowed: lease of B.');
    expect(json.allowedTexts).toEqual(['lease of B']);
    expect(json.operationTexts).toContainEqual(expect.stringContaining('read() → lease of A'));
    expect(page[2]).toContain('read() → lease of A');
    expect(reasons).toContain('lease of B');
  });

  test('describeOperation describes calls, with and without an outcome', () => {
    const describeOperation: Spec['describeOperation'] = (method, args, outcome) => {
      if (method === 'read') return undefined;
      return `${args[0]} until ${args[1]}${outcome?.kind === 'returned' ? ` (${outcome.value})` : ''}`;
    };
    const { text, json, page } = reports(staleRead(object), leases({ describeOperation }));
    expect(text).toContain('B until 9 (true)');
    expect(json.operationTexts).toContain('B until 9 (true)');
    expect(page.slice(0, 2)).toEqual(['A until 5 (true)', 'B until 9 (true)']);
    expect(page[2]).toContain('read() → ');
  });
});

test.each([
  [
    'describeValue',
    { describeValue: () => 7 as never },
    'describeValue returned 7; expected a string or undefined',
  ],
  [
    'describeOperation',
    {
      describeOperation: () => {
        throw new TypeError('no');
      },
    },
    'describeOperation threw TypeError: no',
  ],
])('if %s fails, the violation is reported with the usual texts and the failure', (_, hooks, failure) => {
  const { verdict, text, page } = reports(staleRead(), leases(hooks));
  expect(verdict).toMatchObject({
    kind: 'violation',
    counterexample: { failure: expect.stringContaining(failure) },
  });
  expect(text).toContain('returned {owner: "A", until: 5}; allowed: {owner: "B", until: 9}');
  expect(page[2]).toContain('read() → ');
});

test('without hooks, a history keeps its tables and JSON has no texts', () => {
  const history = staleRead();
  const { verdict, json } = reports(history, leases({}));
  if (verdict.kind !== 'violation') throw new Error(verdict.kind);
  expect(verdict.counterexample.core.tables).toBe(history.tables);
  expect(json).not.toHaveProperty('operationTexts');
  expect(packHistory(history)).not.toHaveProperty('texts');
});

test('values of a monitored object are described in its reasons', () => {
  const builder = new HistoryBuilder();
  const add = (method: string, args: readonly unknown[], value: unknown, call: number): number =>
    builder.operation({
      process: 'P',
      method,
      args: args as never,
      outcome: { kind: 'returned', value },
      call,
      return: call + 1,
    });
  add('put', ['x', 1], undefined, 0);
  add('get', ['x'], 2, 2);
  const spec = {
    ...map(),
    describeValue: (value: unknown) => (typeof value === 'number' ? `#${value}` : undefined),
  };
  const { text } = reports(builder.finish(), spec as Spec);
  expect(text).toContain('returned #2');
  expect(text).toContain('allowed: #1.');
});
