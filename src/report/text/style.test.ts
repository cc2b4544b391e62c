import { expect, test } from 'vitest';
import { wrapItems, wrapWords } from './style.js';

test('words fill lines up to the width, and a longer one stands alone', () => {
  expect(wrapWords('one two three four', 9)).toEqual(['one two', 'three', 'four']);
  expect(wrapWords('a verylongword b', 5)).toEqual(['a', 'verylongword', 'b']);
});

test('colours take no room', () => {
  expect(wrapWords('\u001b[31mone\u001b[39m two', 7)).toEqual(['\u001b[31mone\u001b[39m two']);
});

test('items keep their commas and are not broken', () => {
  expect(wrapItems(['f(1, 2)', 'g(3)', 'h()'], 14)).toEqual(['f(1, 2), g(3),', 'h()']);
});
