import { expect, test } from 'vitest';
import { globPattern, packagesIn } from './glob.js';

test.each([
  ['src/*.ts', '/project/src/a.ts', true],
  ['src/*.ts', '/project/src/deep/a.ts', false],
  ['src/**', '/project/src/deep/a.ts', true],
  ['src/**/*.ts', '/project/src/a.ts', true],
  ['src/**/*.ts', '/project/src/x/y/a.ts', true],
  ['src/**/*.ts', '/project/src/x/y/axts', false],
  ['**/{queue,stack}.{ts,js}', '/project/lib/stack.js', true],
  ['**/{queue,stack}.{ts,js}', '/project/lib/stacks.js', false],
  ['a?c.js', '/project/abc.js', true],
  ['a?c.js', '/project/a/c.js', false],
  ['./here.js', '/project/here.js', true],
  ['../other/*.js', '/other/x.js', true],
  ['/elsewhere/(x)/a+b.js', '/elsewhere/(x)/a+b.js', true],
  ['a,b.js', '/project/a,b.js', true],
])('%s, %s: %s', (glob, file, matches) => {
  expect(globPattern(glob, '/project').test(file)).toBe(matches);
});

test('packages that globs go into', () => {
  expect(
    packagesIn([
      'src/**',
      'node_modules/queue/**',
      '../x/node_modules/@scope/stack/lib/*.js',
      'node_modules/**',
    ]),
  ).toEqual(['queue', '@scope/stack']);
});
