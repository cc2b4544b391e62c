import { expect, test } from 'vitest';
import { check } from '../../check/check.js';
import { sketch } from '../../history/drawing/sketch.js';
import type { History } from '../../history/history.js';
import { outcomeInWords } from '../../history/model/outcome-text.js';
import { register } from '../../objects/cells/register.js';
import type { Spec } from '../../spec/spec.js';
import { pageData } from './page-data.js';

test('an order ends with what the sentences say is allowed, though the core of a monitor has few values', () => {
  const history = sketch`
    A  |- write(1) -|
    B                |- write(2) -|
    C                              |- read() -> 7 -|` as History;
  const specOf = () => register() as Spec;
  const verdict = check(history, specOf);
  if (verdict.kind !== 'violation') throw new Error('expected a violation');
  const { core, cause } = verdict.counterexample;
  expect(core.length).toBe(1);
  expect(cause.allowed.map(outcomeInWords)).toEqual(['2']);
  const { orders } = pageData({ file: '', spec: '', history, verdict, ms: { read: 0, check: 0 } }, specOf);
  expect(orders[0]).toMatchObject({ title: 'An order of all before it', order: [0, 1, 2] });
  expect(orders[0].steps.at(-1)).toEqual({ state: null, allowed: ['2'] });
});
