import { refuse } from 'straightedge';
import { expect, test } from 'vitest';
import { oneFamily, twoFamilies } from './families.js';

test('two calls with one name do not synchronise', () => {
  expect(oneFamily<string>().rendezvous['synchronise+synchronise']?.([], ['x'], ['x'])).toEqual(
    refuse('two calls have the same name, "x"'),
  );
});

test('each pair synchronises once', () => {
  const refused = refuse('these two have synchronised already');
  expect(oneFamily().rendezvous['synchronise+synchronise']?.(['[1,2]', '[2,1]'], [2], [1])).toEqual(refused);
  expect(twoFamilies().rendezvous['left+right']?.(['[1,2]'], [1], [2])).toEqual(refused);
  expect(twoFamilies().rendezvous['left+right']?.(['[1,2]'], [2], [1])).toEqual([
    ['[1,2]', '[2,1]'],
    [1, 2],
  ]);
});
