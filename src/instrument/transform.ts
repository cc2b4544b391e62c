/**
 * A file of the user's, so that its functions can be stopped at every access to
 * what threads share.
 *
 * The text is parsed, its types are blanked, every function gets a generator as
 * its twin, and all this is written in place: line 17 stays line 17. The first line
 * gets a head, which fetches the run-time half and tells it about the file:
 * where its accesses stand, which fields it assigns, what its variables hold.
 */
import type { SourceMap } from 'magic-string';
import { type Site, Unit } from './coroutines/context.js';
import { declareTwins } from './coroutines/functions.js';
import { rewrite } from './coroutines/visitor.js';
import { type FileInfo, RUNTIME } from './syntax/file-info.js';
import { InstrumentError, type Problem } from './syntax/problem.js';
import type { Scope } from './syntax/scope.js';
import { Scopes } from './syntax/scopes.js';
import { headOf, Source } from './syntax/source.js';
import { TypeEraser } from './syntax/types.js';
import { writesOf } from './syntax/writes.js';

export interface CoroutineOptions {
  /** A module to import first, which brings the run-time half, where that is not there already. */
  readonly runtime?: string;
}

export interface RewrittenFile {
  readonly code: string;
  readonly map: SourceMap;
}

export function rewriteAsCoroutines(
  file: string,
  text: string,
  { runtime }: CoroutineOptions = {},
): RewrittenFile {
  const source = new Source(file, text);
  const scopes = new Scopes(source.program);
  const unit = new Unit(source, scopes, rewrite);
  new TypeEraser(source, scopes, unit.edits, (node, message) => unit.report(node, message)).erase(
    source.program,
  );
  const pairs = declareTwins(unit, source.program.body);
  unit.visitList(source.program.body);
  for (const { isExported, name, node } of scopes.top.tracked)
    if (isExported) unit.report(node, `${name} is exported and changes: export a function that reads it`);
  if (unit.problems.length > 0) throw new InstrumentError(unit.problems.toSorted(byPlace));

  unit.edits.at(headOf(source), head(unit, runtime) + pairs);
  return unit.edits.result(file);
}

function head(unit: Unit, runtime: string | undefined): string {
  const { source, scopes, sites, prefix } = unit;
  const { names, accessors, looksAtNames } = writesOf(source.program);
  const info: FileInfo = {
    file: source.file,
    sites: sites.flatMap(({ line, column, name }: Site) => [line, column, name]),
    writes: [...names],
    accessors: [...accessors],
    looksAtNames,
  };
  const from = JSON.stringify(runtime);
  const imported = runtime === undefined ? '' : source.isModule ? `import ${from};` : `require(${from});`;
  const fetched = `${imported}const ${prefix}rt=globalThis[Symbol.for(${JSON.stringify(RUNTIME)})];`;
  const held = namesOf(scopes.top);
  if (!source.isModule) held.push('(typeof module==="object"?module.exports:0)');
  const told = `var ${prefix}s=${unit.rt('file')}(${JSON.stringify(info)},${unit.reader(held)});`;
  return `;${fetched}${told}${lastingScope(unit)}${temps(unit)}`;
}

/** The variables of the file itself. */
function namesOf(top: Scope): string[] {
  return [...top.bindings.values()]
    .filter(({ kind, isUsed }) => kind !== 'import' || isUsed)
    .map(({ name }) => name);
}

/** The shared scope of the file's own variables, which are put back before each execution. */
function lastingScope(unit: Unit): string {
  const { top } = unit.scopes;
  const names = top.tracked.map(({ name }) => name);
  if (names.length === 0) return '';
  const writer = `(i,v)=>{${names.map((name, i) => `if(i===${i})${name}=v;`).join('')}}`;
  return `const ${unit.sharedScopeOf(top)}=${unit.rt('lasting$')}(${unit.reader(names)},${names.length},${writer});`;
}

function temps({ frame }: Unit): string {
  return frame.temps.length > 0 ? `let ${frame.temps.join()};` : '';
}

function byPlace(a: Problem, b: Problem): number {
  return a.line - b.line || a.column - b.column;
}
