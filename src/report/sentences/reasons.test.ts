import { describe, expect, test } from 'vitest';
import { PICTURES } from '../../../test/support/fixtures/pictures.js';
import { check } from '../../check/check.js';
import { reasons } from './reasons.js';
import { join, operationsIn, SIGNS, say } from './words.js';

const violations = PICTURES.flatMap(({ name, history, spec, algorithm, steps }) => {
  const verdict = check(history, () => spec, { algorithm, maxSteps: steps });
  return verdict.kind === 'violation' ? [{ name, history, counterexample: verdict.counterexample }] : [];
});

describe.each(violations)('$name', ({ history, counterexample }) => {
  const explanation = reasons(counterexample, history, SIGNS);

  test('is explained in at most six sentences', () => {
    expect(explanation.length).toBeGreaterThan(0);
    expect(explanation.length).toBeLessThanOrEqual(6);
  });

  test('begins with the operation at fault', () => {
    expect(operationsIn(explanation[0].sentence)).toContain(counterexample.cause.operation);
  });

  test('points only at operations of the history', () => {
    const ids = explanation.flatMap(({ sentence, steps = [] }) => [sentence, ...steps].flatMap(operationsIn));
    expect(ids.filter((id) => history.positionsById()[id] === undefined)).toEqual([]);
  });
});

test('most explanations point at more than one operation', () => {
  const several = violations.filter(
    ({ history, counterexample }) =>
      new Set(
        reasons(counterexample, history, SIGNS).flatMap(({ sentence, steps = [] }) =>
          [sentence, ...steps].flatMap(operationsIn),
        ),
      ).size > 1,
  );
  expect(several.length).toBeGreaterThan(violations.length * 0.75);
});

test('sentences are made of texts, phrases and other sentences', () => {
  const who = { text: 'pop()', operations: [3] };
  const inner = say`${who} took ${{ text: '1', tone: 'strong' }}`;
  const sentence = say`But ${inner}${''}.`;
  expect(sentence).toEqual([
    { text: 'But ' },
    who,
    { text: ' took ' },
    { text: '1', tone: 'strong' },
    { text: '.' },
  ]);
  expect(operationsIn(join([sentence, [who]], ' '))).toEqual([3]);
});
