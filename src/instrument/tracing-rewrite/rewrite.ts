/**
 * The tracing rewriter: code that reports its accesses and is otherwise unchanged. For asynchronous code, which runs alone between
 * two awaits: the accesses of each task determine which orders of tasks are equivalent.
 *
 *     o.f         becomes    R.r(o,"f").f
 *     o.f = v                R.w(o,"f").f = v            if `v` awaits: (t=o).f = R.late(v,t,"f")
 *     o.m(a)                 R.m(o,"m").m(R.g(a))        the tracer looks the method up (tracing/tracer.ts)
 *     f(a)                   R.f(f)(R.g(a))
 *     x                      R.vr(x,7)                   a tracked variable, by its number
 *     x = v                  x = R.vw(v,7)
 *     a?.b.c                 R.k(R.q(R.r(a,"b"),3)?.b,3,"c")?.c
 *
 * All edits are in place, so lines keep their numbers. Types stay; the compiler that loads the file removes them. Code that cannot be
 * rewritten calls `R.no()`: its effects are unknown.
 *
 * This file has the entry point, the table of node types, functions and assignments. A write is reported where it starts, because nothing else
 * runs before it is done. If the value awaits, the write is reported when the value is there, and the object is kept until then.
 */

import { type RewrittenFile, Source } from '../syntax/source.js';
import {
  bare,
  type ClassNode,
  childrenOf,
  type FunctionNode,
  hasOptionalBelow,
  type MemberNode,
  type Node,
  nameOf,
  type Of,
  targetsOf,
} from '../syntax/tree.js';
import type { Visitor } from '../syntax/walk.js';
import { TRACER as R } from '../tracing/locations.js';
import {
  depthOf,
  isPlain,
  keyText,
  rewriteBinary,
  rewriteChain,
  rewriteDeclarator,
  rewriteLoop,
  rewriteMember,
  rewriteProperty,
  rewriteVariable,
  tellTaken,
  tellWrites,
  visitPattern,
  waits,
} from './accesses.js';
import { newNumber, startOf, TracingContext } from './context.js';
import {
  listVariablesOfClass,
  listVariablesOfFunction,
  rewriteAwait,
  rewriteObject,
  SourceFacts,
} from './live-variables.js';

/**
 * A function or class in traced code: its text contains the name of the tracer, by which it is known to be traced, and declares the
 * variables that it needs at its start.
 */
function rewriteFunction(context: TracingContext, node: FunctionNode): void {
  const { body, params } = node;
  if (!body) return;
  const { temps, hasListedAwait, hasSuperFields } = context;
  context.hasSuperFields = false;
  const mayWait = node.async || node.generator;
  context.temps = mayWait ? [] : undefined;
  context.hasListedAwait = false;
  for (const param of params)
    visitPattern(context, param.type === 'TSParameterProperty' ? param.parameter : param);
  let first = `${R};`;
  for (const param of params) first += takenText(context, param, node);
  if (body.type === 'BlockStatement') context.visitAll(body.body);
  else context.visit(body);
  if (context.hasListedAwait) first = `${R};const ${R}e=${R}.e();${first.slice(R.length + 1)}`;
  if (context.temps && context.temps.length > 0) first += `let ${context.temps.join()};`;
  // which object it is, is not known here
  if (context.hasSuperFields) first += `${R}.no();`;
  Object.assign(context, { temps, hasListedAwait, hasSuperFields });
  if (body.type === 'BlockStatement') {
    const start = startOf(body);
    context.edits.at(start, start > body.start + 1 ? `;${first}` : first);
  } else {
    context.edits.before(body, `{${first}return (`);
    context.edits.after(body, ')}');
  }
  listVariablesOfFunction(context, node, context.scope.parent!);
}

/** A destructured parameter gets a name, and is destructured at the start of the body. */
function takenText(context: TracingContext, param: Node, { params, generator }: FunctionNode): string {
  const pattern = param.type === 'AssignmentPattern' ? param.left : param;
  const depth = depthOf(pattern);
  if (depth === 0 || pattern.type === 'RestElement') return '';
  const names = new Set([...targetsOf(pattern)].flatMap((t) => (t.type === 'Identifier' ? [t.name] : [])));
  const uses = (node: Node): boolean =>
    (node.type === 'Identifier' && names.has(node.name)) || childrenOf(node).some(uses);
  const isUsed = params.some((other) => other !== param && uses(other));
  if (generator || isUsed) return `${R}.no();`;
  const name = `${R}p${newNumber()}`;
  const text = context.edits.move(pattern, name).replaceAll('\n', ' ');
  return `let ${text}=${R}.d(${name},${depth});`;
}

function rewriteClass(context: TracingContext, node: ClassNode): void {
  const { body, superClass } = node;
  if (superClass) context.visit(superClass);
  const outer = context.methods;
  const own = body.body.flatMap((member) =>
    member.type === 'MethodDefinition' && member.key.type === 'PrivateIdentifier' ? [member.key.name] : [],
  );
  context.methods = new Set([...outer, ...own]);
  context.visitAll(body.body);
  context.methods = outer;
  context.edits.at(body.start + 1, `static{${listVariablesOfClass(context, node)}}`);
}

function rewriteAssignment(context: TracingContext, node: Of<'AssignmentExpression'>): void {
  const target = bare(node.left);
  if (target.type === 'MemberExpression') assignMember(context, target, node);
  else assignVariables(context, target, node);
}

function assignVariables(
  context: TracingContext,
  target: Node,
  { right, operator }: Of<'AssignmentExpression'>,
): void {
  visitPattern(context, target);
  context.visit(right);
  tellTaken(context, target, right);
  tellWrites(context, target, right);
  if (target.type !== 'Identifier' || operator === '=' || !waits(right)) return;
  // it is read before its new value is waited for
  const number = context.numberOf(target.name);
  if (number === undefined) return;
  context.edits.before(right, `(${R}.vr(0,${number}),`);
  context.edits.after(right, ')');
}

function assignMember(
  context: TracingContext,
  target: MemberNode,
  { right, operator }: Of<'AssignmentExpression'>,
): void {
  const isWaiting = waits(right);
  const temps = isWaiting ? context.newTemps() : undefined;
  rewriteMember(context, target, temps === undefined ? 'w' : operator === '=' ? 'i' : 'r', '', temps);
  context.visit(right);
  if (isWaiting && temps === undefined) context.unknown(right);
  if (temps) context.wrap(right, 'late', `${temps[0]},${keyText(target, temps)}`);
}

function rewriteUpdate(context: TracingContext, node: Of<'UpdateExpression'>): void {
  const target = bare(node.argument);
  if (target.type === 'MemberExpression') rewriteMember(context, target, 'w');
  else tellWrites(context, target, node);
}

/** `delete`; of other operators with one operand, the operand. */
function rewriteUnary(context: TracingContext, { operator, argument }: Of<'UnaryExpression'>): void {
  const target = bare(argument);
  if (operator === 'typeof' && argument.type === 'Identifier') return;
  if (operator === 'delete' && target.type === 'MemberExpression') rewriteMember(context, target, 'w');
  else context.visit(argument);
}

export function rewriteForTracing(file: string, text: string): RewrittenFile {
  const source = new Source(file, text);
  const context = new TracingContext(source, VISITOR, new SourceFacts(source.program));
  context.visitAll(source.program.body);
  context.declareBlocks();
  return context.edits.result(file);
}

const VISITOR: Visitor<TracingContext> = {
  ArrowFunctionExpression: rewriteFunction,
  AssignmentExpression: rewriteAssignment,
  AwaitExpression: rewriteAwait,
  BinaryExpression: rewriteBinary,
  CallExpression: rewriteCall,
  CatchClause: (context, { param, body }) => {
    if (param && param.type !== 'Identifier') context.edits.at(body.start + 1, `${R}.no();`);
    context.visit(body);
  },
  ChainExpression: rewriteChain,
  ClassDeclaration: rewriteClass,
  ClassExpression: rewriteClass,
  ForInStatement: rewriteLoop,
  ForOfStatement: rewriteLoop,
  FunctionDeclaration: rewriteFunction,
  FunctionExpression: rewriteFunction,
  Identifier: rewriteVariable,
  ImportExpression: (context, node) => context.unknown(node),
  MemberExpression: (context, node) => rewriteMember(context, node, 'r'),
  NewExpression: rewriteNew,
  ObjectExpression: rewriteObject,
  Property: rewriteProperty,
  SpreadElement: (context, { argument }) => context.visitWrapped(argument, 'look'),
  TaggedTemplateExpression: rewriteTagged,
  TemplateLiteral: (context, { expressions }) => {
    for (const expression of expressions) context.visitWrapped(expression, 'look');
  },
  UnaryExpression: rewriteUnary,
  UpdateExpression: rewriteUpdate,
  VariableDeclarator: rewriteDeclarator,
  YieldExpression: (context, { argument, delegate }) => {
    if (argument && delegate) context.visitWrapped(argument, 'of');
    else if (argument) context.visit(argument);
  },
};

// Calls in traced code. The tracer determines from the called function what the call does (tracing/tracer.ts). Which arguments a
// built-in function reads is determined here, from its name.

type Callee = { readonly callee: Node; readonly arguments: readonly Node[]; readonly optional?: boolean };

function rewriteCall(context: TracingContext, node: Of<'CallExpression'>): void {
  rewriteCallee(context, node);
  if (nameOfCallee(node.callee) === 'bind') context.wrap(node, 'z');
}

function rewriteTagged(context: TracingContext, { tag, quasi }: Of<'TaggedTemplateExpression'>): void {
  rewriteCallee(context, { callee: tag, arguments: [] });
  context.visit(quasi);
}

function rewriteCallee(context: TracingContext, node: Callee): void {
  const { callee } = node;
  const target = bare(callee);
  if (callee.type === 'Super') rewriteArguments(context, node.arguments, 'g');
  else if (target.type === 'MemberExpression') rewriteMethod(context, node, target);
  else if (target.type === 'ChainExpression') {
    // `(o?.f)()` calls with `o` as its object: nothing may come between
    context.visit(callee);
    rewriteArguments(context, node.arguments, 'no');
    context.unknown(node as Of<'CallExpression'>);
  } else rewriteFunctionCall(context, node);
}

function rewriteMethod(context: TracingContext, node: Callee, target: MemberNode): void {
  const taking = isTaking(context, node.callee) ? ',1' : '';
  const temps = node.arguments.some(waits) ? context.newTemps() : undefined;
  if (target.object.type === 'Super') reportSuper(context, node as Of<'CallExpression'>, target);
  else if (target.property.type === 'PrivateIdentifier') rewritePrivate(context, target);
  else rewriteMember(context, target, 'm', `${taking || ',0'},${context.chain}`, temps);
  rewriteArguments(context, node.arguments, taking ? takenBy(target) : 'g');
  const last = node.arguments.at(-1);
  if (!temps || !last || target.object.type === 'Super') return;
  const value = last.type === 'SpreadElement' ? last.argument : last;
  context.wrap(value, 'lateCall', `${temps[0]},${keyText(target, temps)}${taking}`);
}

function rewriteFunctionCall(context: TracingContext, { callee, optional, arguments: args }: Callee): void {
  const taking = isTaking(context, callee);
  context.visit(callee);
  if (hasOptionalBelow(callee) && !optional) {
    context.wrap(callee, 'k', String(context.chain));
    context.edits.at(callee.end, '?.');
  }
  context.wrap(callee, 'f', taking ? '1' : '');
  if (optional) context.wrap(callee, 'q', String(context.chain));
  rewriteArguments(context, args, taking ? 'look' : 'g');
}

function rewriteNew(context: TracingContext, { callee, arguments: args }: Of<'NewExpression'>): void {
  context.visit(callee);
  const isNamed = callee.type === 'Identifier';
  const taking = isNamed && isTaking(context, callee);
  context.edits.before(callee, `(${R}.n(`);
  context.edits.after(callee, `,${isNamed ? 1 : 0}))`);
  rewriteArguments(context, args, taking ? 'look' : 'g');
  const [first] = args;
  if (isNamed && callee.name === 'Promise' && first) context.wrap(first, 'x');
}

function rewriteArguments(context: TracingContext, args: readonly Node[], name: string): void {
  for (const arg of args) {
    context.visit(arg);
    if (arg.type !== 'SpreadElement' && !isPlain(arg)) context.wrap(arg, name);
  }
}

/** A private method is code of this file; a private field may hold any function. */
function rewritePrivate(context: TracingContext, target: MemberNode): void {
  const { object, property } = target;
  const name = (property as Of<'PrivateIdentifier'>).name;
  const isSimple =
    object.type === 'ThisExpression' || (object.type === 'Identifier' && !hasOptionalBelow(target));
  rewriteMember(context, target, 'r');
  if (context.methods.has(name)) return;
  const value = isSimple ? `${context.source.textOf(object)}.#${name}` : '0';
  context.wrap(object, 'p', value);
}

function reportSuper(context: TracingContext, node: Node, { property, computed }: MemberNode): void {
  const name = nameOf(property, computed);
  const report = name === undefined ? `${R}.no()` : `${R}.super(super.${name},this)`;
  context.edits.before(node, `(${report},`);
  context.edits.after(node, ')');
}

/** May the callee be a built-in function that reads its arguments, by its name? */
function isTaking(context: TracingContext, callee: Node): boolean {
  const target = bare(callee);
  if (target.type === 'Identifier') return context.scope.resolve(target.name) === undefined;
  if (target.type !== 'MemberExpression') return false;
  if (nameOfCallee(callee) === 'concat') return true;
  return target.object.type === 'Identifier' && context.scope.resolve(target.object.name) === undefined;
}

/** The method of the tracer that reports what a built-in function does to its arguments. */
function takenBy(callee: MemberNode): string {
  const name = nameOfCallee(callee) ?? '';
  const isOfAtomics = callee.object.type === 'Identifier' && callee.object.name === 'Atomics';
  if (isOfAtomics || /^(assign|freeze|defineProperty)$/.test(name)) return 'change';
  return name === 'stringify' ? 'deep' : 'look';
}

function nameOfCallee(callee: Node): string | undefined {
  const target = bare(callee);
  return target.type === 'MemberExpression' ? nameOf(target.property, target.computed) : undefined;
}
