/**
 * The coroutine rewriter: functions of a file can be suspended at every access to shared objects.
 *
 * The file is parsed, its types are blanked, and every function gets a generator as its *coroutine version*. All edits are in
 * place, so line 17 stays line 17. The first line gets a head that fetches the runtime and describes the file to it: its
 * sites, the fields that it assigns, the variables that it holds.
 *
 * This file has the entry point and the table of node types. The files beside it generate the text.
 */
import type { Scope } from '../syntax/scope.js';
import { headOf, InstrumentError, type Problem, type RewrittenFile, Source } from '../syntax/source.js';
import { type Node, type Of, targetsOf } from '../syntax/tree.js';
import { TypeEraser } from '../syntax/types.js';
import type { Visitor } from '../syntax/walk.js';
import { type FileInfo, RUNTIME, writesOf } from '../syntax/writes.js';
import {
  rewriteAssignment,
  rewriteBinary,
  rewriteConversion,
  rewriteDelete,
  rewriteIn,
  rewriteTemplate,
  rewriteUpdate,
} from './assignments.js';
import { rewriteCall, rewriteNew, rewriteTagged } from './calls.js';
import { rewriteClass, rewriteObject } from './classes.js';
import { CoroutineContext } from './context.js';
import { declareCoroutines, rewriteFunction } from './functions.js';
import { rewriteForIn, rewriteForOf, rewriteLoop } from './loops.js';
import { rewriteChain, rewriteMember } from './members.js';
import {
  rewriteDeclarator,
  rewriteSpread,
  rewriteVariable,
  sharedScopeText,
  visitDefaults,
} from './patterns.js';

export interface CoroutineOptions {
  /** A module that the file imports first, to load the runtime where it is not loaded already. */
  readonly runtime?: string;
}

/** Throws an `InstrumentError` with all problems of the file. */
export function rewriteAsCoroutines(
  file: string,
  text: string,
  { runtime }: CoroutineOptions = {},
): RewrittenFile {
  const source = new Source(file, text);
  const context = new CoroutineContext(source, VISITOR);
  const { scopes, edits, problems } = context;
  new TypeEraser(source, scopes, edits, (node, message) => context.report(node, message)).erase(
    source.program,
  );
  const pairs = declareCoroutines(context, source.program.body);
  context.visitList(source.program.body);
  for (const { isExported, name, node } of scopes.top.tracked)
    if (isExported) context.report(node, `${name} is exported and changes: export a function that reads it`);
  if (problems.length > 0) throw new InstrumentError(problems.toSorted(byPlace));

  edits.at(headOf(source), head(context, runtime) + pairs);
  const exported = runtime === undefined ? '' : exportsText(context);
  edits.at(source.program.body.at(-1)?.end ?? headOf(source), `;${exported}${context.rt('loaded')}();`);
  return edits.result(file);
}

const VISITOR: Visitor<CoroutineContext> = {
  ArrowFunctionExpression: rewriteFunction,
  AssignmentExpression: rewriteAssignment,
  BinaryExpression: (context, node) => {
    if (node.operator === 'in') rewriteIn(context, node);
    else rewriteBinary(context, node);
  },
  BlockStatement: (context, node) => visitBlock(context, node, node),
  CallExpression: rewriteCall,
  CatchClause: (context, node) => {
    if (node.param) visitDefaults(context, node.param);
    visitBlock(context, node.body, node);
  },
  ChainExpression: rewriteChain,
  ClassDeclaration: rewriteClass,
  ClassExpression: rewriteClass,
  DoWhileStatement: rewriteLoop,
  ForInStatement: rewriteForIn,
  ForOfStatement: rewriteForOf,
  ForStatement: rewriteLoop,
  FunctionDeclaration: rewriteFunction,
  FunctionExpression: rewriteFunction,
  Identifier: rewriteVariable,
  LabeledStatement: (context, node) => {
    context.labels.set(node.body, context.labels.get(node) ?? node);
    context.visit(node.body);
  },
  MemberExpression: rewriteMember,
  MetaProperty: (context, node) => {
    if (node.meta.name === 'new' && context.mode === 'coroutine')
      context.report(node, 'new.target in a function: use a class');
  },
  NewExpression: rewriteNew,
  ObjectExpression: rewriteObject,
  SpreadElement: (context, node) => rewriteSpread(context, node, 'list'),
  SwitchCase: (context, { test, consequent }) => {
    if (test) context.visit(test);
    const pairs = declareCoroutines(context, consequent);
    context.inRegion(undefined, () => context.visitList(consequent));
    if (pairs !== '') context.edits.before(consequent[0], pairs);
  },
  SwitchStatement: (context, node) => {
    if (context.mode !== 'plain')
      for (const { node: declaration } of context.scope.tracked)
        context.report(
          declaration,
          'a variable of a switch that a function shares: put braces around the case',
        );
    context.visitChildren(node);
  },
  TaggedTemplateExpression: rewriteTagged,
  TemplateLiteral: rewriteTemplate,
  TryStatement: (context, { block, handler, finalizer }) => {
    context.visitAll([block, handler]);
    context.inRegion(undefined, () => context.visitAll([finalizer]));
  },
  UnaryExpression: (context, node) => {
    if (node.operator === 'delete') rewriteDelete(context, node);
    else rewriteConversion(context, node);
  },
  UpdateExpression: rewriteUpdate,
  VariableDeclaration: (context, node) => {
    if (context.mode !== 'plain' && node.kind.endsWith('using'))
      context.report(node, 'a using declaration: call [Symbol.dispose]() in a finally block');
    context.visitChildren(node);
  },
  VariableDeclarator: rewriteDeclarator,
  WhileStatement: rewriteLoop,
  WithStatement: (context, node) => {
    context.report(node, 'with: the meaning of names is not known in advance; name the object');
  },
};

/** A block, with the shared scope and the coroutine versions of what `owner` declares at its start. */
function visitBlock(context: CoroutineContext, { start, body }: Of<'BlockStatement'>, owner: Node): void {
  context.edits.at(
    start + 1,
    sharedScopeText(context, context.scopes.of(owner)) + declareCoroutines(context, body),
  );
  context.visitList(body);
}

function head(context: CoroutineContext, runtime: string | undefined): string {
  const { source, scopes, sites, prefix } = context;
  const info: FileInfo = {
    file: source.file,
    sites: sites.flatMap(({ line, column, name }) => [line, column, name]),
    ...writesOf(source.program),
  };
  const from = JSON.stringify(runtime);
  const imported = runtime === undefined ? '' : source.isModule ? `import ${from};` : `require(${from});`;
  const fetched = `${imported}const ${prefix}rt=globalThis[Symbol.for(${JSON.stringify(RUNTIME)})];`;
  const variables = namesOf(scopes.top);
  if (!source.isModule) variables.push('(typeof module==="object"?module.exports:0)');
  const described = `var ${prefix}s=${context.rt('file')}(${JSON.stringify(info)},${context.reader(variables)});`;
  return `;${fetched}${described}${moduleScope(context)}${temps(context)}`;
}

/**
 * Lends what the file exports to the runtime, which exchanges it for a while for the same without instrumentation: importers see what
 * the variables hold. What is exported without a variable stays.
 */
function exportsText(context: CoroutineContext): string {
  const { scopes, edits, source, prefix } = context;
  const lent: string[] = [];
  const lend = (as: string, name: string): void => {
    const kind = scopes.top.bindings.get(name)?.kind;
    if (kind === undefined || kind === 'import') return;
    lent.push(`${JSON.stringify(as)}:[()=>${name},${prefix}v=>{${name}=${prefix}v}]`);
  };
  const isExported = new Set([...scopes.top.bindings.values()].filter((one) => one.isExported));
  for (const node of source.program.body) {
    const declared = node.type === 'ExportNamedDeclaration' ? node.declaration : node;
    if (declared?.type === 'VariableDeclaration' && !declared.declare) {
      const names = declared.declarations.flatMap(({ id }) =>
        [...targetsOf(id)].flatMap((target) => (target.type === 'Identifier' ? target.name : [])),
      );
      const own = names.filter((name) => isExported.has(scopes.top.bindings.get(name)!));
      if (declared.kind === 'const' && own.length > 0)
        edits.replace({ start: declared.start, end: declared.start + 'const'.length }, 'let');
      if (node !== declared) for (const name of own) lend(name, name);
    } else if (node.type === 'ExportNamedDeclaration') {
      if (declared && 'id' in declared && declared.id?.type === 'Identifier')
        lend(declared.id.name, declared.id.name);
      for (const { local, exported } of node.source ? [] : node.specifiers)
        if (local.type === 'Identifier' && exported.type === 'Identifier') lend(exported.name, local.name);
    } else if (node.type === 'ExportDefaultDeclaration') {
      const { declaration } = node;
      const binding = declaration.type === 'Identifier' && scopes.top.bindings.get(declaration.name);
      if ('id' in declaration && declaration.id?.type === 'Identifier') lend('default', declaration.id.name);
      else if (binding && ['class', 'function'].includes(binding.kind)) {
        edits.replace({ start: node.start, end: node.end }, `export{${binding.name} as default};`);
        lend('default', binding.name);
      }
    }
  }
  return lent.length === 0
    ? ''
    : `${context.rt('exports')}(${JSON.stringify(source.file)},{${lent.join()}});`;
}

/** The variables of the file itself. */
function namesOf(top: Scope): string[] {
  return [...top.bindings.values()]
    .filter(({ kind, isUsed }) => kind !== 'import' || isUsed)
    .map(({ name }) => name);
}

/** The shared scope of the file's own variables, which the runtime restores before each execution. */
function moduleScope(context: CoroutineContext): string {
  const { top } = context.scopes;
  const names = top.tracked.map(({ name }) => name);
  if (names.length === 0) return '';
  const writer = `(i,v)=>{${names.map((name, i) => `if(i===${i})${name}=v;`).join('')}}`;
  return `const ${context.sharedScopeOf(top)}=${context.rt('moduleScope')}(${context.reader(names)},${names.length},${writer});`;
}

function temps({ frame }: CoroutineContext): string {
  return frame.temps.length > 0 ? `let ${frame.temps.join()};` : '';
}

function byPlace(a: Problem, b: Problem): number {
  return a.line - b.line || a.column - b.column;
}
