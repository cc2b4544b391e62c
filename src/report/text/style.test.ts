import { expect, test } from 'vitest';
import { wrapItems, wrapWords } from './style.js';

test('words fill lines up to the width, and a longer one stands alone', () => {
  expect(wrapWords('one two three four', 9)).toEqual(['one two', 'three', 'four']);
  expect(wrapWords('a verylongword b', 5)).toEqual(['a', 'verylongword', 'b']);
});

test('a number is not broken between its digits', () => {
  expect(wrapWords('of 3 654 tests', 4)).toEqual(['of', '3 654', 'tests']);
  expect(wrapWords('at 10 204 800, 9 of 10', 9)).toEqual(['at', '10 204 800,', '9 of 10']);
});

test('colours take no room', () => {
  expect(wrapWords('\u001b[31mone\u001b[39m two', 7)).toEqual(['\u001b[31mone\u001b[39m two']);
});

test('items keep their commas and are not broken', () => {
  expect(wrapItems(['f(1, 2)', 'g(3)', 'h()'], 14)).toEqual(['f(1, 2), g(3),', 'h()']);
});
