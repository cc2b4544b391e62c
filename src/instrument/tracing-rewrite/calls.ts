/**
 * Calls: which function it is tells what it does, when it is called (instrument/tracing/calls.ts); which arguments are looked into by a
 * function that comes with JavaScript is seen here, by its name.
 */
import { bare, hasOptionalBelow, type MemberNode, type Node, nameOf, type Of } from '../syntax/tree.js';
import { RECORDING as R } from '../tracing/locations.js';
import type { Unit } from './context.js';
import { keyText, rewriteMember } from './members.js';
import { isPlain, waits } from './whole-object-reads.js';

type Callee = { readonly callee: Node; readonly arguments: readonly Node[]; readonly optional?: boolean };

export function rewriteCall(unit: Unit, node: Of<'CallExpression'>): void {
  rewriteCallee(unit, node);
  if (nameOfCallee(node.callee) === 'bind') unit.wrap(node, 'z');
}

export function rewriteTagged(unit: Unit, { tag, quasi }: Of<'TaggedTemplateExpression'>): void {
  rewriteCallee(unit, { callee: tag, arguments: [] });
  unit.visit(quasi);
}

function rewriteCallee(unit: Unit, node: Callee): void {
  const { callee } = node;
  const target = bare(callee);
  if (callee.type === 'Super') rewriteArguments(unit, node.arguments, 'g');
  else if (target.type === 'MemberExpression') rewriteMethod(unit, node, target);
  else if (target.type === 'ChainExpression') {
    // `(o?.f)()` calls with `o` as its object: nothing may come between
    unit.visit(callee);
    rewriteArguments(unit, node.arguments, 'no');
    unit.unknown(node as Of<'CallExpression'>);
  } else rewriteFunctionCall(unit, node);
}

function rewriteMethod(unit: Unit, node: Callee, target: MemberNode): void {
  const taking = isTaking(unit, node.callee) ? ',1' : '';
  const temps = node.arguments.some(waits) ? unit.newTemps() : undefined;
  if (target.object.type === 'Super') tellSuper(unit, node as Of<'CallExpression'>, target);
  else if (target.property.type === 'PrivateIdentifier') rewritePrivate(unit, target);
  else rewriteMember(unit, target, 'm', `${taking || ',0'},${unit.chain}`, temps);
  rewriteArguments(unit, node.arguments, taking ? takenBy(target) : 'g');
  const last = node.arguments.at(-1);
  if (!temps || !last || target.object.type === 'Super') return;
  const value = last.type === 'SpreadElement' ? last.argument : last;
  unit.wrap(value, 'lateCall', `${temps[0]},${keyText(target, temps)}${taking}`);
}

function rewriteFunctionCall(unit: Unit, { callee, optional, arguments: args }: Callee): void {
  const taking = isTaking(unit, callee);
  unit.visit(callee);
  if (hasOptionalBelow(callee)) {
    unit.wrap(callee, 'k', String(unit.chain));
    if (!optional) unit.edits.at(callee.end, '?.');
  }
  unit.wrap(callee, 'f', taking ? '1' : '');
  if (optional) unit.wrap(callee, 'q', String(unit.chain));
  rewriteArguments(unit, args, taking ? 'look' : 'g');
}

export function rewriteNew(unit: Unit, { callee, arguments: args }: Of<'NewExpression'>): void {
  unit.visit(callee);
  const isNamed = callee.type === 'Identifier';
  const taking = isNamed && isTaking(unit, callee);
  unit.edits.before(callee, `(${R}.n(`);
  unit.edits.after(callee, `,${isNamed ? 1 : 0}))`);
  rewriteArguments(unit, args, taking ? 'look' : 'g');
  const [first] = args;
  if (isNamed && callee.name === 'Promise' && first) unit.wrap(first, 'x');
}

function rewriteArguments(unit: Unit, args: readonly Node[], name: string): void {
  for (const arg of args) {
    unit.visit(arg);
    if (arg.type !== 'SpreadElement' && !isPlain(arg)) unit.wrap(arg, name);
  }
}

/** A private method is code of the file; what a private field holds may be any function. */
function rewritePrivate(unit: Unit, target: MemberNode): void {
  const { object, property } = target;
  const name = (property as Of<'PrivateIdentifier'>).name;
  const isSimple =
    object.type === 'ThisExpression' || (object.type === 'Identifier' && !hasOptionalBelow(target));
  rewriteMember(unit, target, 'r');
  if (unit.methods.has(name)) return;
  const value = isSimple ? `${unit.source.textOf(object)}.#${name}` : '0';
  unit.wrap(object, 'p', value);
}

function tellSuper(unit: Unit, node: Node, { property, computed }: MemberNode): void {
  const name = nameOf(property, computed);
  const told = name === undefined ? `${R}.no()` : `${R}.super(super.${name},this)`;
  unit.edits.before(node, `(${told},`);
  unit.edits.after(node, ')');
}

/** Does a function that comes with JavaScript, and looks into its arguments, stand here by its name? */
function isTaking(unit: Unit, callee: Node): boolean {
  const target = bare(callee);
  if (target.type === 'Identifier') return unit.scope.resolve(target.name) === undefined;
  if (target.type !== 'MemberExpression') return false;
  if (nameOfCallee(callee) === 'concat') return true;
  return target.object.type === 'Identifier' && unit.scope.resolve(target.object.name) === undefined;
}

/** What a function that comes with JavaScript does to its arguments. */
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
