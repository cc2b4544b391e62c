import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { codeOf } from './code-mismatch.js';

const folder = mkdtempSync(join(tmpdir(), 'straightedge-code-'));
afterAll(() => rmSync(folder, { recursive: true }));
const write = (name: string, text: string) => writeFileSync(join(folder, name), text);

mkdirSync(join(folder, 'parts'));
const main = join(folder, 'main.ts');
const files = {
  'main.ts': `import { a } from './a.js';\nimport b from "./parts";\nconst c = require('./c.json');`,
  'a.ts': `export * from './a.js'; export const a = await import('./lazy');`,
  'lazy.mjs': '1',
  'parts/index.ts': `import '../a'`,
  'c.json': '{}',
};
for (const [name, text] of Object.entries(files)) write(name, text);

test('the same files have the same code', () => {
  expect(codeOf([main])).toBe(codeOf([main]));
  expect(codeOf([main])).toMatch(/^[0-9a-f]{16}$/);
});

test.each(['main.ts', 'a.ts', 'lazy.mjs', 'parts/index.ts', 'c.json'])('%s is part of the code', (name) => {
  const before = codeOf([main]);
  const text = files[name as keyof typeof files];
  write(name, `${text} `);
  expect(codeOf([main])).not.toBe(before);
  write(name, text);
  expect(codeOf([main])).toBe(before);
});

test('a file that is not imported is not part of the code', () => {
  const before = codeOf([main]);
  write('other.ts', 'anything');
  expect(codeOf([main])).toBe(before);
});

test('the kind of decorators is part of the code of a file with decorators', () => {
  mkdirSync(join(folder, 'decorated'));
  const kind = (isExperimental: boolean): void =>
    write(
      'decorated/tsconfig.json',
      `{ "compilerOptions": { "experimentalDecorators": ${isExperimental} } }`,
    );
  write('decorated/with.ts', 'class A { @d f() {} }');
  write('decorated/without.ts', '/** @param a */ class A { f() {} }');
  const codes = (): string[] =>
    ['with.ts', 'without.ts'].map((name) => codeOf([join(folder, 'decorated', name)]));
  kind(false);
  const [standard, plain] = codes();
  kind(true);
  const [experimental, same] = codes();
  expect(experimental).not.toBe(standard);
  expect(same).toBe(plain);
});
