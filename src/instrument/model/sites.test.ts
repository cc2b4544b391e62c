import { expect, test } from 'vitest';
import { Sites } from './sites.js';

const file = (
  reads: readonly string[],
  writes: readonly string[] = [],
  accessors: readonly string[] = [],
) => ({
  file: 'a.ts',
  sites: reads.flatMap((name) => [1, 1, name]),
  writes: [...writes],
  accessors: [...accessors],
});
const settled = (sites: Sites): number[] => {
  sites.settle();
  return [...sites.immutableReads];
};

test('a field is immutable unless a file assigns it, has an accessor of its name, or it is a part of a container', () => {
  const sites = new Sites();
  sites.add(file(['kept', 'given', 'got', '', '0', 'length'], ['given'], ['got']));
  expect(settled(sites)).toEqual([1, 0, 0, 0, 0, 0]);
});

test('a file that is loaded later decides about the sites of earlier ones too', () => {
  const sites = new Sites();
  sites.add(file(['early', 'computed', 'kept']));
  expect(settled(sites)).toEqual([1, 1, 1]);
  sites.add(file(['kept']));
  expect(settled(sites)).toEqual([1, 1, 1, 1]);
  sites.add(file(['early'], ['early']));
  expect(settled(sites)).toEqual([0, 1, 1, 1, 0]);
  sites.add(file(['other'], [], ['computed']));
  expect(settled(sites)).toEqual([0, 0, 1, 1, 0, 1]);
  sites.becomesMutable('kept');
  expect(settled(sites)).toEqual([0, 0, 0, 0, 0, 1]);
});
