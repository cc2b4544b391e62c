import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { escapingPaths } from '../../../test/support/fixtures/escaping-paths.js';
import { CodeMismatch, checkCode, pathFromHere, refusalOf, taskRefusalOf } from './code-mismatch.js';

const parent = realpathSync(mkdtempSync(join(tmpdir(), 'straightedge-contained-')));
const { own, paths } = escapingPaths(parent, '');
const before = process.cwd();
beforeAll(() => process.chdir(own));
afterAll(() => {
  process.chdir(before);
  rmSync(parent, { recursive: true });
});

describe.each(paths)('$name', ({ path }) => {
  test('is refused in a task, before its code is compared', () => {
    expect(taskRefusalOf(path)).toBeTypeOf('string');
    expect(() => checkCode([path], 'any', String)).toThrow(CodeMismatch);
    expect(() => checkCode([path], 'any', String)).not.toThrow(/differs|not here/);
  });

  test('is refused in a failure file', () => {
    expect(refusalOf(path)).toBeTypeOf('string');
  });

  test('is not put into a task', () => {
    expect(() => pathFromHere(path)).toThrow(/Redis workers use only files below it/);
  });
});

test('files below the folder are accepted: plain, by dots, by a link inside, absent', () => {
  mkdirSync(join(own, 'my_node_modules'));
  for (const name of ['x.ts', '..x.ts', 'node_modules.ts', 'my_node_modules/x.ts', 'a/100%.ts'])
    writeFileSync(join(own, name), '');
  symlinkSync('../x.ts', join(own, 'a/inside.ts'));
  for (const path of [
    'x.ts',
    './x.ts',
    'a/../x.ts',
    '..x.ts',
    'node_modules.ts',
    'my_node_modules/x.ts',
    'a/100%.ts',
    'a/inside.ts',
    'absent/x.ts',
  ]) {
    expect(taskRefusalOf(path), path).toBeUndefined();
    expect(refusalOf(join(own, path)), path).toBeUndefined();
  }
  expect(pathFromHere(join(own, 'a/../x.ts'))).toBe('x.ts');
  // an absolute path means another file on another machine
  expect(taskRefusalOf(join(own, 'x.ts'))).toBe('is outside of this folder');
});
