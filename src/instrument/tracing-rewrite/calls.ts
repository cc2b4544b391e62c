/**
 * Calls in traced code. The tracer determines from the called function what the call does (tracing/tracer.ts). Which arguments a
 * built-in function reads is determined here, from its name.
 */
import { bare, hasOptionalBelow, type MemberNode, type Node, nameOf, type Of } from '../syntax/tree.js';
import { TRACER as R } from '../tracing/locations.js';
import { isPlain, keyText, rewriteMember, waits } from './accesses.js';
import type { TracingContext } from './context.js';

type Callee = { readonly callee: Node; readonly arguments: readonly Node[]; readonly optional?: boolean };

export function rewriteCall(context: TracingContext, node: Of<'CallExpression'>): void {
  rewriteCallee(context, node);
  if (nameOfCallee(node.callee) === 'bind') context.wrap(node, 'z');
}

export function rewriteTagged(context: TracingContext, { tag, quasi }: Of<'TaggedTemplateExpression'>): void {
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

export function rewriteNew(context: TracingContext, { callee, arguments: args }: Of<'NewExpression'>): void {
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
