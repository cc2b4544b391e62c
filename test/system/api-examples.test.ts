/**
 * The examples in the doc comments of the public API: each is type-checked as a module of its own and run.
 *
 * Names of the package need no import in an example. The examples of `objects` are drawings, which
 * `src/objects/examples.test.ts` checks; those of test runners are only type-checked.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { afterAll, expect, test } from 'vitest';
import { exportsOf, SUBPATHS, type Subpath, specifierOf } from '../support/fixtures/public-api.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
// inside the package, so that it can import itself by its name
const folder = mkdtempSync(join(ROOT, '.examples-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** What examples may use beside the package, by the name that they mention. */
const GIVEN: Readonly<Record<string, string>> = {
  assert: `import assert from 'node:assert/strict';`,
  expect: `import { expect } from 'vitest';`,
  readFile: `import { readFile } from 'node:fs/promises';`,
  yours: 'declare const yours: any;',
  history: `const history = sketch('A  |- enqueue(1) -|   |- dequeue() -> 2 -|');`,
  exploration: `class Counter {
  n = 0;
  async add(): Promise<number> {
    const before = this.n;
    await null;
    this.n = before + 1;
    return this.n;
  }
}
const exploration = await explore(scenario({
  create: () => new Counter(),
  calls: [['add']],
  threads: 2,
  callsPerThread: 1,
}));`,
};

const RUNNERS: readonly Subpath[] = ['vitest', 'jest', 'node-test'];
const mentions = (code: string, name: string): boolean => new RegExp(`\\b${name}\\b`).test(code);

/** Whether the code declares the name at any level. */
function declares(code: string, name: string): boolean {
  let isFound = false;
  const visit = (node: ts.Node): void => {
    const isDeclaration =
      ts.isVariableDeclaration(node) || ts.isBindingElement(node) || ts.isClassDeclaration(node);
    if (isDeclaration && node.name?.getText() === name) isFound = true;
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('example.mts', code, ts.ScriptTarget.Latest, true));
  return isFound;
}

/** Imports of the names that the code mentions; the subpath of the example goes first. */
function importsFor(code: string, own: Subpath): string {
  const taken = new Set<string>();
  const others = SUBPATHS.filter((subpath) => subpath !== own && !RUNNERS.includes(subpath));
  return [own, ...others]
    .map((subpath) => {
      const names = exportsOf(subpath)
        .map(({ name, isType }) => ({ name, text: isType ? `type ${name}` : name }))
        .filter(({ name }) => !taken.has(name) && mentions(code, name) && !declares(code, name));
      for (const { name } of names) taken.add(name);
      const list = names.map(({ text }) => text).join(', ');
      return list === '' ? '' : `import { ${list} } from '${specifierOf(subpath)}';\n`;
    })
    .join('');
}

function moduleOf(example: string, subpath: Subpath): string {
  const given = Object.entries(GIVEN)
    .filter(([name]) => mentions(example, name) && !declares(example, name))
    .map(([, text]) => text)
    .join('\n');
  const code = `${given}\n${example}\nexport {};\n`;
  return importsFor(code, subpath) + code;
}

const examples = SUBPATHS.filter((subpath) => subpath !== 'objects').flatMap((subpath) =>
  exportsOf(subpath).flatMap(({ name, examples: own }) =>
    own.map((example, i) => ({ name: `${subpath}-${name}-${i}`, subpath, text: moduleOf(example, subpath) })),
  ),
);

test('the examples are well typed, and run', () => {
  mkdirSync(join(folder, 'src'));
  for (const { name, text } of examples) writeFileSync(join(folder, 'src', `${name}.mts`), text);
  const config = {
    extends: '../tsconfig.json',
    compilerOptions: {
      noEmit: false,
      declaration: false,
      isolatedDeclarations: false,
      rootDir: 'src',
      outDir: 'out',
      types: ['node'],
    },
    include: ['src'],
    exclude: [],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const compiled = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', folder], { encoding: 'utf8' });
  expect(compiled.stdout).toBe('');
  const runnable = examples.filter(({ subpath }) => !RUNNERS.includes(subpath));
  writeFileSync(
    join(folder, 'out', 'all.mjs'),
    runnable
      .map(({ name }) => `await import('./${name}.mjs').catch((error) => console.error('${name}', error));\n`)
      .join(''),
  );
  const ran = spawnSync(process.execPath, [join(folder, 'out', 'all.mjs')], {
    encoding: 'utf8',
    cwd: folder,
  });
  expect(ran.stderr).toBe('');
  expect(ran.status).toBe(0);
  expect(runnable.length).toBeGreaterThan(30);
});
