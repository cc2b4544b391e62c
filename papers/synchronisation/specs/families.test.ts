import { refuse } from 'straightedge';
import { expect, test } from 'vitest';
import { oneFamily, twoFamilies } from './families.js';

test('two calls with one name do not synchronise', () => {
  expect(oneFamily<string>().rendezvous['meet+meet']?.([], ['x'], ['x'])).toEqual(
    refuse('two calls have the same name, "x"'),
  );
});

test('each pair synchronises once', () => {
  const met = refuse('these two have met already');
  expect(oneFamily().rendezvous['meet+meet']?.(['[1,2]', '[2,1]'], [2], [1])).toEqual(met);
  expect(twoFamilies().rendezvous['left+right']?.(['[1,2]'], [1], [2])).toEqual(met);
  expect(twoFamilies().rendezvous['left+right']?.(['[1,2]'], [2], [1])).toEqual([
    ['[1,2]', '[2,1]'],
    [1, 2],
  ]);
});
