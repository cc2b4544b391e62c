import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { loadInstrumented } from '../instrument/load.js';
import { loadModule } from './load-module.js';

const require = createRequire(import.meta.url);
const root = realpathSync(mkdtempSync(join(tmpdir(), 'straightedge-constructs-')));
const at = (...names: string[]): string => join(root, ...names);
afterAll(() => rmSync(root, { recursive: true }));

/** A construct of the language: the files of a project, whose first one exports the value, and the value. */
interface Construct {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly value: unknown;
  /** Are the decorators experimental ones? */
  readonly isExperimental?: boolean;
  /** Is it refused in threads? */
  readonly isRefused?: boolean;
  /** Does it need a compiler of the project? */
  readonly needsCompiler?: boolean;
}

const one = (name: string, code: string, value: unknown, more: Partial<Construct> = {}): Construct => ({
  name,
  files: { 'main.ts': code },
  value,
  ...more,
});
const refused = { isRefused: true };
const compiled = { ...refused, needsCompiler: true };
const experimental = { ...compiled, isExperimental: true };
const H = 'const React = { createElement: (...all: unknown[]) => all };';
/** The line of a call in the file. */
const LINE = `const line = () => Number(/main\\.tsx?:(\\d+)/.exec(new Error().stack?.split('\\n')[2] ?? '')?.[1]);`;

const CONSTRUCTS: readonly Construct[] = [
  one('an enum', 'enum E { A = 1, B = A << 2 }\nexport default [E.B, E[1]];', [4, 'A']),
  one('a const enum', `const enum E { A = 'a' }\nexport default E.A;`, 'a'),
  one('a namespace', 'namespace N { export const x = 1; }\nexport default N.x;', 1, refused),
  one('a namespace of types', 'namespace N { export type T = number }\nexport default 1 as N.T;', 1),
  one(
    'a parameter property',
    'class A { constructor(readonly x = 1, private y = 2) {} get sum() { return this.x + this.y } }\nexport default new A().sum;',
    3,
  ),
  one('a declared field', 'class A { declare x?: number }\nexport default Object.keys(new A());', []),
  one(
    'types in expressions',
    'const f = <T,>(x: T): T => x!;\nexport default f<number>(1 satisfies 1) as 1;',
    1,
  ),
  one(
    'abstract members and overloads',
    'abstract class A { abstract f(): number; g(): number; g() { return this.f() } }\nclass B extends A { override f() { return 1 } }\nexport default new B().g();',
    1,
  ),
  one('a top-level await', 'const x = await Promise.resolve(1);\nexport default x;', 1, refused),
  one(
    'using',
    `const log: string[] = [];\n{ using x = { [Symbol.dispose]() { log.push('end') } }; log.push('in'); void x; }\nexport default log;`,
    ['in', 'end'],
  ),
  one(
    'using in a function',
    `const log: string[] = [];\nfunction f() { using x = { [Symbol.dispose]() { log.push('end') } }; void x; return 1 }\nf();\nexport default log;`,
    ['end'],
    refused,
  ),
  one(
    'a regular expression, a private name and a logical assignment',
    'class A { #x?: number; f() { return (this.#x ??= 1), #x in this } }\nexport default [new A().f(), /(?<a>a)/v.test("a")];',
    [true, true],
  ),
  // standard decorators
  one(
    'a decorator of a method',
    `const twice = (f: Function, c: any) => function (this: unknown) { return [c.kind, c.name, f.call(this) * 2] };
class A { n = 2; @twice f() { return this.n } }
export default new A().f();`,
    ['method', 'f', 4],
    compiled,
  ),
  one(
    'a decorator of a field',
    `const plus = (by: number) => (_: undefined, c: any) => (x: number) => x + by + c.name.length;
class A { @plus(10) n = 1 }
export default new A().n;`,
    12,
    compiled,
  ),
  one(
    'a decorator of a class',
    `const named = (c: any, { kind, name }: any) => class extends c { is = kind + name };
@named
class A {}
export default (new A() as any).is;`,
    'classA',
    compiled,
  ),
  one('an auto-accessor', 'class A { static accessor n = 1 }\nA.n++;\nexport default A.n;', 2, compiled),
  one(
    'a decorator of an auto-accessor and of a private method',
    `const log: string[] = [];
const d = (v: any, c: any) => { log.push(c.kind, String(c.private)); c.addInitializer?.(() => log.push('made')); return v };
class A { @d accessor n = 1; @d #f() { return 2 } f() { return this.n + this.#f() } }
export default [new A().f(), ...log];`,
    [3, 'accessor', 'false', 'method', 'true', 'made', 'made'],
    compiled,
  ),
  one(
    'lines below decorators and templates',
    `${LINE}
const d = (f: Function, _: any) => f;

class A {
  // a comment

  @d f(text = \`
    a template
  \`) { return [line(),
    line(), text.length] }
  @d
  accessor x = line();
}
const a = new A();
export default [...a.f(), line(), a.x];`,
    [9, 10, 18, 15, 12],
    compiled,
  ),
  // experimental decorators
  one(
    'an experimental decorator of a method',
    `const twice = (_: unknown, k: string, d: PropertyDescriptor) => { const f = d.value; d.value = function () { return [k, f.call(this) * 2] } };
class A { n = 2; @twice f() { return this.n } }
export default (new A() as any).f();`,
    ['f', 4],
    experimental,
  ),
  one(
    'experimental decorators of fields, classes and parameters',
    `const log: unknown[] = [];
const field = (o: object, k: string) => { log.push(k) };
const param = (o: object, k: string, n: number) => { log.push(k + n) };
const type = (c: Function) => { log.push(c.name) };
@type class A { @field n = 1; f(_: number, @param x = 1) { return x } }
export default [new A().n, ...log];`,
    [1, 'n', 'f1', 'A'],
    experimental,
  ),
  // files
  {
    name: 'JSX',
    files: { 'main.tsx': `${H}\nexport default <a b={1}>c</a>;` },
    value: ['a', { b: 1 }, 'c'],
  },
  {
    name: 'JSX beside a decorator',
    files: {
      'main.tsx': `${H}\nconst d = (f: Function, _: any) => f;\nclass A { @d f() { return <a b={1} /> } }\nexport default new A().f();`,
    },
    value: ['a', { b: 1 }],
    ...compiled,
  },
  {
    name: 'imports of .js for .ts, .tsx and folders',
    files: {
      'main.ts': `import { a } from './a.js';\nimport { b } from './b.js';\nimport { c } from './c';\nexport * from './b.js';\nexport default [a, b, c, './b.js'];`,
      'a.ts': 'export const a = 1;',
      'b.tsx': `${H}\nexport const b = <b />;`,
      'c/index.ts': 'export const c = 3;',
    },
    value: [1, ['b', null], 3, './b.js'],
  },
  {
    name: 'a decorator beside a top-level await and an import of .js for .tsx',
    files: {
      'main.ts': `import { b } from './b.js';\nconst d = (f: Function, _: any) => f;\nclass A { @d f() { return b } }\nexport default await Promise.resolve(new A().f());`,
      'b.tsx': `${H}\nexport const b = <b />;`,
    },
    value: ['b', null],
    ...compiled,
  },
  {
    name: '.mts and .cts',
    files: {
      'main.mts': `import { a } from './a.mjs';\nimport { b } from './b.cjs';\nexport default [a, b];`,
      'a.mts': 'export const a: number = 1;',
      'b.cts': 'export const b: number = 2;',
    },
    value: [1, 2],
  },
  {
    name: 'paths of tsconfig.json',
    files: {
      'main.ts': `import { a } from '@/a';\nimport { b } from '#b';\nexport default [a, b];`,
      'tsconfig.json': `{ "compilerOptions": { "paths": { "@/*": ["./src/*"], "#b": ["./src/b.ts"] } } }`,
      'src/a.ts': 'export const a = 1;',
      'src/b.ts': 'export const b = 2;',
    },
    value: [1, 2],
  },
];

const slug = (name: string): string => name.replaceAll(/[^\w]+/g, '-');

/** Writes the files of a construct, and returns the path of the first one. */
function write(folder: string, { files, name, isExperimental }: Construct): string {
  const place = at(folder, slug(name));
  const config = { 'tsconfig.json': JSON.stringify({ extends: './base' }) };
  // comments and trailing commas are usual
  const base = `{ // of all\n "compilerOptions": { "experimentalDecorators": ${isExperimental === true}, /* the last */ },\n}`;
  for (const [file, text] of Object.entries({ ...config, 'base.json': base, ...files })) {
    mkdirSync(dirname(join(place, file)), { recursive: true });
    writeFileSync(join(place, file), text);
  }
  return join(place, Object.keys(files)[0]);
}

/** One sentence that begins with a place in a file, and has no code of a compiler in it. */
const AT_PLACE = /[\w./-]+\.[cm]?tsx?:\d+(?::\d+)?: [^\n]{10,250}$/;

describe('with a compiler in the project', () => {
  mkdirSync(at('node_modules'));
  symlinkSync(
    fileURLToPath(new URL('../../node_modules/typescript', import.meta.url)),
    at('node_modules/typescript'),
  );

  test.each(CONSTRUCTS)('$name works in asynchronous code', async (construct) => {
    const file = write('async', construct);
    expect(await loadModule(file, 'scenario')).toEqual(construct.value);
  });

  test.each(CONSTRUCTS)('$name works in threads or is refused', (construct) => {
    const file = write('threads', construct);
    const load = (): unknown => (loadInstrumented(file, {}) as { default: unknown }).default;
    if (!construct.isRefused) return expect(load()).toEqual(construct.value);
    let message = '';
    try {
      load();
    } catch (error) {
      ({ message } = error as Error);
    }
    const [first, ...others] = message.split('\n');
    expect(first).toMatch(AT_PLACE);
    // one line for each place
    for (const other of others) expect(other).toMatch(AT_PLACE);
    const [, name, line] = /([^/]+\.tsx?):(\d+):/.exec(first) ?? [];
    expect(readFileSync(file, 'utf8').split('\n')[Number(line) - 1], name).toMatch(
      /@|accessor|using|await|namespace/,
    );
  });

  test('the semantics of decorators follow tsconfig.json between runs', async () => {
    const code = `const d = (...all: any[]) => { kinds.push(all.length) };\nconst kinds: number[] = [];\nclass A { @d f() {} }\nvoid A;\nexport default kinds;`;
    const given = one('both kinds', code, undefined);
    expect(await loadModule(write('kinds', given), 'scenario')).toEqual([2]);
    // another process would not have the module
    for (const file of Object.keys(require.cache)) if (file.startsWith(root)) delete require.cache[file];
    expect(await loadModule(write('kinds', { ...given, isExperimental: true }), 'scenario')).toEqual([3]);
  });
});

describe('without a compiler', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'straightedge-uncompiled-')));
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each(CONSTRUCTS.filter(({ needsCompiler }) => needsCompiler))(
    '$name is refused',
    async (construct) => {
      const file = join('..', folder, write(join('..', folder.split('/').at(-1) ?? ''), construct));
      await expect(loadModule(file.slice(file.lastIndexOf(folder)), 'scenario')).rejects.toThrow(
        /^cannot load [^\n]+: [^\n]+\.tsx?:\d+:\d+: (a decorator|an auto-accessor), which the TypeScript \(5\.0 to 6\) or the esbuild of your project would compile; install one of them$/,
      );
    },
  );
});
