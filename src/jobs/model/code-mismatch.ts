/**
 * Compares the code of coordinator and worker by a hash, without running any of it.
 *
 * Tasks name files by paths below the folder in which a worker was started. A worker whose code differs returns a task to the queue; another worker may have the same code.
 *
 * Tasks and failure files name modules to load, and both may come from elsewhere. They may name only files below the working folder,
 * without packages. So a path is followed to its real file, through all symbolic links, before anything is read.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { packageFile } from '../../base/package-file.js';
import { UsageError } from '../../config/usage-error.js';
import type { Notes } from '../../explore/result.js';
import { compilerOptionOf, compilerUsedBy } from '../../instrument/compile.js';

/** Rebases the paths in notes: relative ones travel, since folders differ between machines. */
export function rebaseNotes({ atomic, controlled }: Notes, rebase: (file: string) => string): Notes {
  const all = (list: Notes['atomic']) => list.map((called) => ({ ...called, file: rebase(called.file) }));
  return { atomic: all(atomic), controlled: all(controlled) };
}

const LOCKS = ['package-lock.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock'];
const IMPORTED = /\b(?:from|import|require)\s*\(?\s*['"](\.[^'"]+)['"]/g;
const ENDINGS = ['ts', 'mts', 'cts', 'tsx', 'js', 'mjs', 'cjs', 'jsx', 'json'];

export const hashOf = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex');

/**
 * A hash of the code that runs: the modules and what they import by relative paths, the lock file of the packages, the
 * compiler of files with decorators, and the build of straightedge, whose entry names its other files by their content.
 */
export function codeOf(modules: readonly string[]): string {
  const hashes = [...withImports(modules), ...lockFiles(resolve('.'))].map((file) => {
    const content = readFileSync(file);
    const compiler = compilerUsedBy(file, content.toString());
    return `${relative('.', file).replaceAll('\\', '/')} ${hashOf(content)}${compiler}`;
  });
  return hashOf([hashOf(readFileSync(packageFile('#worker'))), ...hashes.sort()].join('\n')).slice(0, 16);
}

/** Modules of Node through which code can depend on more than its own text. */
const OUTSIDE = /^(node:)?(fs|child_process|http|https|http2|net|dgram|dns|os|sqlite)(\/promises)?$/;
const SPECIFIER = /\b(?:from|import|require)\s*\(?\s*['"]([^'"]+)['"]/g;
/** An import whose module is computed, or a variable of the environment. */
const COMPUTED = /\b(?:import|require)\s*\(\s*(?!['"\s])|\bprocess\.env\b/;

/** The first input of some modules that `codeOf` does not contain, as text; undefined if there is none. */
export function hiddenInputIn(modules: readonly string[]): string | undefined {
  for (const file of withImports(modules)) {
    const text = readFileSync(file, 'utf8');
    const computed = COMPUTED.exec(text)?.[0];
    if (computed !== undefined) return computed;
    for (const [, name] of text.matchAll(SPECIFIER)) {
      const isContained = name.startsWith('.')
        ? fileAt(join(dirname(file), name)) !== undefined
        : isOwnOrLocked(name, dirname(file)) && !isAlias(name, file);
      if (!isContained || OUTSIDE.test(name)) return name;
    }
  }
  return undefined;
}

/** Is it a module of Node or of straightedge, or of a package that a lock file describes? Linked packages may change without it. */
function isOwnOrLocked(specifier: string, from: string): boolean {
  if (isBuiltin(specifier) || /^straightedge(\/|$)/.test(specifier)) return true;
  const [name] = /^(@[^/]+\/)?[^/]+/.exec(specifier) ?? [''];
  for (let folder = from; ; folder = dirname(folder)) {
    const path = join(folder, 'node_modules', name);
    if (existsSync(path))
      return lockFiles(from).length > 0 && /[\\/]node_modules[\\/]/.test(realpathSync(path));
    if (dirname(folder) === folder) return false;
  }
}

/** Does `paths` of `tsconfig.json` name the file of an import? */
function isAlias(specifier: string, file: string): boolean {
  return Object.keys(Object(compilerOptionOf(file, 'paths')) as object).some((pattern) => {
    const [start, end] = pattern.split('*');
    return end === undefined ? specifier === pattern : specifier.startsWith(start) && specifier.endsWith(end);
  });
}

function withImports(modules: readonly string[]): Set<string> {
  const found = new Set(modules.map((path) => resolve(path)));
  // imports that are added meanwhile are visited too
  for (const file of found)
    for (const [, path] of readFileSync(file, 'utf8').matchAll(IMPORTED)) {
      const imported = fileAt(join(dirname(file), path));
      if (imported !== undefined) found.add(imported);
    }
  return found;
}

/** The file of an import: as written, with another extension, or the index of a folder. */
function fileAt(path: string): string | undefined {
  const bare = path.replace(/\.[cm]?jsx?$/, '');
  const names = [bare, path, join(path, 'index')].flatMap((name) => ENDINGS.map((end) => `${name}.${end}`));
  return [path, ...names].find((name) => statSync(name, { throwIfNoEntry: false })?.isFile());
}

/** The lock files of the nearest folder that has one. */
function lockFiles(folder: string): string[] {
  const found = LOCKS.map((name) => join(folder, name)).filter((path) => existsSync(path));
  if (found.length > 0 || dirname(folder) === folder) return found;
  return lockFiles(dirname(folder));
}

/** This worker cannot run a task, since its files differ from those of the coordinator. */
export class CodeMismatch extends Error {
  override readonly name = 'CodeMismatch';
}

/** Throws `CodeMismatch` unless the modules are here, with the same content. `conceal` is applied to the hash of ours. */
export function checkCode(modules: readonly string[], code: string, conceal: (code: string) => string): void {
  for (const path of modules) {
    const refusal = taskRefusalOf(path);
    if (refusal !== undefined) throw new CodeMismatch(`${path} ${refusal}`);
  }
  const what = modules[0] ?? 'straightedge itself';
  const here = readable(() => codeOf(modules), what);
  if (conceal(here) !== code)
    throw new CodeMismatch(`${what} differs from the coordinator's; update the checkout`);
}

function readable<T>(read: () => T, what: string): T {
  try {
    return read();
  } catch {
    throw new CodeMismatch(`${what} is not here`);
  }
}

const PACKAGES = /(^|\/)node_modules(\/|$)/i;
/** A URL, or a path with encoded dots or slashes, which another reader may decode. */
const ENCODED = /^[a-z][a-z+.-]+:|%(2e|2f|5c|00)|\0/i;

/**
 * Why a module must not be loaded for someone else; undefined if it may. A missing file may: loading reports it.
 */
export function refusalOf(path: string): string | undefined {
  if (ENCODED.test(path)) return 'is not a plain path';
  const inside = relativeTo(resolve('.'), resolve(path));
  if (inside === undefined) return 'is outside of this folder';
  if (PACKAGES.test(inside)) return 'is in node_modules';
  const real = realPath(path);
  const realInside = real === undefined ? inside : relativeTo(realpathSync('.'), real);
  if (realInside === undefined) return 'leads out of this folder by a symbolic link';
  return PACKAGES.test(realInside) ? 'leads into node_modules by a symbolic link' : undefined;
}

/** The same for paths in tasks, which are relative, so that they mean the same on every machine. */
export const taskRefusalOf = (path: string): string | undefined =>
  isAbsolute(path) ? 'is outside of this folder' : refusalOf(path);

/** The path relative to this folder, with slashes, for a task. */
export function pathFromHere(path: string): string {
  const inside = relativeTo(resolve('.'), resolve(path));
  const refusal = refusalOf(path);
  if (inside !== undefined && refusal === undefined) return inside;
  throw new UsageError(
    `${path} ${refusal}; Redis workers use only files below it, without node_modules. Start coordinator and workers in a parent folder`,
  );
}

/** With slashes; undefined if the path leads out of the folder. */
function relativeTo(folder: string, path: string): string | undefined {
  const inside = relative(folder, path).replaceAll('\\', '/');
  return isAbsolute(inside) || inside === '..' || inside.startsWith('../') ? undefined : inside;
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}
