/**
 * What the loader of user files leaves to others.
 *
 * - Decorators and auto-accessors: the loader knows only some of the experimental ones. TypeScript or esbuild of the user's project
 *   compiles such a file, with the semantics that its `tsconfig.json` chooses. Without one of them the file is refused.
 * - `./part.js` for `part.tsx`, which TypeScript resolves.
 *
 * Tokens stay in their lines, so that reports name lines of the source.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join, relative, resolve } from 'node:path';
import { TraceMap, traceSegment } from '@jridgewell/trace-mapping';
import type { ParseResult } from 'oxc-parser';
import { InputError } from '../base/errors.js';
import { nearestAbove } from '../base/system-files.js';
import { childrenOf, type Node, tools } from './syntax/tree.js';

/** A compiler of the user's project, and what it makes of a file. */
interface Compiler {
  readonly name: string;
  compile(
    text: string,
    file: string,
    isExperimental: boolean,
  ): { readonly code: string; readonly map: string };
}

const MAY_HAVE_DECORATORS = /@[\p{L}_$(]|\baccessor\b/u;
const MAY_IMPORT_JSX = /['"]\.{1,2}\/[^'"\n]*\.jsx?['"]/;

/** The text of a user's file that the loader compiles as it should. */
export function compileForLoader(file: string, text: string): string {
  if (!MAY_HAVE_DECORATORS.test(text) && !MAY_IMPORT_JSX.test(text)) return text;
  const parsed = tools().parser.parseSync(file, text);
  if (parsed.errors.length > 0) return text;
  const found = decoratorIn(parsed.program);
  return withTsxImports(file, found ? withoutDecorators(file, text, found) : text, found !== undefined);
}

/** The compiler that a file is compiled by, as a key; empty if the loader compiles it. */
export function compilerUsedBy(file: string, text: string): string {
  if (!MAY_HAVE_DECORATORS.test(text) || !/\.[cm]?[jt]sx?$/.test(file)) return '';
  return decoratorIn(tools().parser.parseSync(file, text).program) ? compilerKey(file) : '';
}

/** A key for all that decides what files below a folder are compiled to, besides their texts. */
export function compilerKey(file: string): string {
  const compiler = compilerOf(file)?.name ?? 'none';
  return createHash('sha256')
    .update(`${compiler} ${isExperimentalIn(file)}`)
    .digest('hex')
    .slice(0, 16);
}

// ── decorators ──

/** The first decorator or auto-accessor of a file. */
function decoratorIn(node: Node): Node | undefined {
  if (/Decorator|AccessorProperty/.test(node.type)) return node;
  for (const child of childrenOf(node)) {
    const found = decoratorIn(child);
    if (found) return found;
  }
  return undefined;
}

function withoutDecorators(file: string, text: string, found: Node): string {
  const compiler = compilerOf(file);
  if (!compiler) {
    const before = text.slice(0, found.start).split('\n');
    const what = found.type === 'Decorator' ? 'a decorator' : 'an auto-accessor';
    throw new InputError(
      `${relative('.', file)}:${before.length}:${(before.at(-1)?.length ?? 0) + 1}: ${what}, which the TypeScript (5.0 to 6) or the esbuild of your project would compile; install one of them`,
    );
  }
  const { code, map } = compiler.compile(text, file, isExperimentalIn(file));
  return inLinesOfSource(code, map);
}

const compilers = new Map<string, Compiler | undefined>();

function compilerOf(file: string): Compiler | undefined {
  const folder = dirname(file);
  if (!compilers.has(folder)) compilers.set(folder, typeScriptOf(file) ?? esbuildOf(file));
  return compilers.get(folder);
}

function typeScriptOf(file: string): Compiler | undefined {
  const version = versionOf('typescript', file);
  // the compilers before know other decorators, and those after have no interface
  if (version === undefined || !/^[56]\./.test(version)) return undefined;
  return {
    name: `typescript ${version}`,
    compile(text, fileName, experimentalDecorators) {
      const ts = createRequire(file)('typescript') as typeof import('typescript');
      const compilerOptions = {
        ...{ target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, jsx: ts.JsxEmit.Preserve },
        ...{ sourceMap: true, removeComments: true, experimentalDecorators },
        emitDecoratorMetadata:
          experimentalDecorators && compilerOptionOf(fileName, 'emitDecoratorMetadata') === true,
      };
      const { outputText, sourceMapText = '' } = ts.transpileModule(text, { fileName, compilerOptions });
      return { code: outputText.replace(/\/\/# sourceMappingURL=.*\s*$/, ''), map: sourceMapText };
    },
  };
}

interface Esbuild {
  transformSync(text: string, options: object): { readonly code: string; readonly map: string };
}

function esbuildOf(file: string): Compiler | undefined {
  const version = versionOf('esbuild', file);
  // versions before 0.21 know no other decorators than the experimental ones
  if (version === undefined || Number(version.split('.')[1]) < 21) return undefined;
  return {
    name: `esbuild ${version}`,
    compile(text, fileName, experimentalDecorators) {
      const esbuild = createRequire(file)('esbuild') as Esbuild;
      const loader = extname(fileName).replace(/^\.[cm]?/, '');
      return esbuild.transformSync(text, {
        ...{
          loader,
          target: 'es2022',
          format: 'esm',
          jsx: 'preserve',
          sourcemap: 'external',
          sourcefile: fileName,
        },
        tsconfigRaw: { compilerOptions: { experimentalDecorators } },
      });
    },
  };
}

function versionOf(name: string, file: string): string | undefined {
  try {
    return (createRequire(file)(`${name}/package.json`) as { version: string }).version;
  } catch {
    return undefined;
  }
}

// ── tsconfig.json ──

const isExperimentalIn = (file: string): boolean => compilerOptionOf(file, 'experimentalDecorators') === true;

/** A compiler option of the nearest `tsconfig.json`, or of one that it extends. */
export function compilerOptionOf(file: string, name: string): unknown {
  const config = nearestAbove(resolve(file), 'tsconfig.json');
  return config === undefined ? undefined : settingOf(config, name, 0);
}

function settingOf(config: string, name: string, depth: number): unknown {
  let json: { compilerOptions?: Record<string, unknown>; extends?: string | string[] };
  try {
    const withoutComments = readFileSync(config, 'utf8')
      .replaceAll(/("(?:\\.|[^"\\])*")|\/\/.*|\/\*[\s\S]*?\*\//g, '$1')
      .replaceAll(/("(?:\\.|[^"\\])*")|,(?=\s*[}\]])/g, '$1');
    json = JSON.parse(withoutComments);
  } catch {
    return undefined;
  }
  const own = json.compilerOptions?.[name];
  if (own !== undefined || depth > 20) return own;
  // the last one that has the option decides
  const extended = [json.extends ?? []].flat().reverse();
  return extended
    .map((specifier) => settingOf(extendedConfig(config, specifier), name, depth + 1))
    .find((setting) => setting !== undefined);
}

function extendedConfig(config: string, specifier: string): string {
  if (/^(?:\.|\/|[A-Za-z]:)/.test(specifier)) {
    const path = resolve(dirname(config), specifier);
    return existsSync(path) ? path : `${path}.json`;
  }
  const { resolve: find } = createRequire(config);
  for (const name of [specifier, `${specifier}.json`, `${specifier}/tsconfig.json`])
    try {
      const path = find(name);
      if (path.endsWith('.json')) return path;
    } catch {
      // the next name
    }
  return join(dirname(config), specifier);
}

// ── lines ──

/** Compiled code, with its lines at those of the source that they come from. */
function inLinesOfSource(code: string, map: string): string {
  const trace = new TraceMap(map);
  const lines = code.split('\n');
  const inTemplate = linesInTemplates(code);
  const sources = lines.map((content, k) => {
    const [, , source = -1] = traceSegment(trace, k, content.search(/\S|$/)) ?? [];
    return inTemplate.has(k) ? -1 : source;
  });
  const inOrder = longestIncrease(sources);
  let text = '';
  let line = 0;
  for (const [k, content] of lines.entries()) {
    const missing = inOrder.has(k) ? Math.max(0, sources[k] - line) : Number(inTemplate.has(k));
    text += (missing === 0 ? ' ' : '\n'.repeat(missing)) + content;
    line += missing;
  }
  return text;
}

/**
 * Positions of the longest sequence that does not decrease, without negative numbers. What a compiler adds stands for a line far
 * from its place, and is in no such sequence.
 */
function longestIncrease(numbers: readonly number[]): Set<number> {
  // the last position of the sequence of each length whose last number is the smallest
  const ends: number[] = [];
  const before: number[] = [];
  for (const [k, number] of numbers.entries()) {
    if (number < 0) continue;
    const shorter = ends.findLastIndex((end) => numbers[end] <= number);
    before[k] = ends[shorter] ?? -1;
    ends[shorter + 1] = k;
  }
  const positions = new Set<number>();
  for (let k = ends.at(-1) ?? -1; k >= 0; k = before[k]) positions.add(k);
  return positions;
}

/** Lines of code that begin inside a template: their line breaks are part of a text. */
function linesInTemplates(code: string): Set<number> {
  const lines = new Set<number>();
  const lineAt = (offset: number): number => code.slice(0, offset).split('\n').length - 1;
  const enter = (node: Node): void => {
    if (node.type === 'TemplateElement')
      for (let line = lineAt(node.start) + 1; line <= lineAt(node.end); line++) lines.add(line);
    for (const child of childrenOf(node)) enter(child);
  };
  enter(tools().parser.parseSync('compiled.tsx', code).program);
  return lines;
}

// ── imports ──

/** Imports of `./part.js` without their extension where only `part.tsx` exists. */
function withTsxImports(file: string, text: string, isCompiled: boolean): string {
  if (!MAY_IMPORT_JSX.test(text)) return text;
  const { module }: ParseResult = tools().parser.parseSync(isCompiled ? 'compiled.jsx' : file, text);
  const exported = module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest }) => moduleRequest ?? []),
  );
  const requests = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest),
    ...exported,
    ...module.dynamicImports.map(({ moduleRequest }) => moduleRequest),
  ];
  let result = text;
  // from the last one to the first, so that positions stay
  const starts = new Map(requests.map(({ start, end }) => [start, end]));
  for (const [start, end] of [...starts].sort(([a], [b]) => b - a)) {
    const [, quote, stem] = /^(['"])(\.{1,2}\/.*)\.jsx?\1$/.exec(text.slice(start, end)) ?? [];
    if (stem === undefined) continue;
    const exists = (extension: string): boolean => existsSync(resolve(dirname(file), stem + extension));
    const isTsx = exists('.tsx') && !exists('.js') && !exists('.jsx') && !exists('.ts');
    if (isTsx) result = result.slice(0, start) + quote + stem + quote + result.slice(end);
  }
  return result;
}
