import { expect, test } from 'vitest';
import { ChoiceTree } from './engine.js';

test('each path is walked once', () => {
  const tree = new ChoiceTree();
  const paths: string[] = [];
  do {
    // two of three, then one of two after the first
    const first = tree.take(0, 0b110, 2);
    if (first === 2) tree.take(1, 0b11);
    paths.push(tree.path.join());
  } while (tree.next());
  expect(paths).toEqual(['2,0', '2,1', '1']);
});

test('`repeated` is the place at which a path leaves the previous one', () => {
  const tree = new ChoiceTree();
  const repeated: number[] = [];
  do {
    repeated.push(tree.repeated);
    for (let place = 0; place < 2; place++) tree.take(place, 0b11);
  } while (tree.next());
  expect(repeated).toEqual([-1, 1, 0, 1]);
});

test('a path may be long', () => {
  const tree = new ChoiceTree();
  for (let place = 0; place < 1000; place++) tree.take(place, 0b10);
  expect(tree.path).toEqual(new Array(1000).fill(1));
  expect(tree.next()).toBe(false);
});
