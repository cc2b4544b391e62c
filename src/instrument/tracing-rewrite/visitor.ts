/**
 * A file whose accesses are noted, and nothing else: for asynchronous code, which is explored as it is, and is alone
 * between two awaits. Who knows what each task reads and writes knows which orders of tasks come to the same.
 *
 *     o.f         becomes    R.r(o,"f").f
 *     o.f = v                R.w(o,"f").f = v            where `v` waits: (t=o).f = R.late(v,t,"f")
 *     o.m(a)                 R.m(o,"m").m(R.g(a))        which method it is tells what it does (instrument/tracing/calls.ts)
 *     f(a)                   R.f(f)(R.g(a))
 *     x                      R.vr(x,7)                   a variable that functions share, by its number
 *     x = v                  x = R.vw(v,7)
 *     a?.b.c                 R.k(R.q(R.r(a,"b"),3)?.b,3,"c")?.c
 *
 * All is written in place, so that lines keep their numbers; types stay, since whoever compiles the file takes them away. What can not
 * be written so says `R.no()`: from then on nothing is known. Here is which file rewrites which kind of node; of all others
 * the children are visited.
 */

import { Source } from '../syntax/source.js';
import { bare, childrenOf, isFunction, type MemberNode, type Node, type Of } from '../syntax/tree.js';
import { RECORDING as R } from '../tracing/locations.js';
import { rewriteCall, rewriteNew, rewriteTagged } from './calls.js';
import { Unit } from './context.js';
import { rewriteClass, rewriteFunction } from './functions.js';
import { keyText, rewriteChain, rewriteMember } from './members.js';
import {
  rewriteDeclarator,
  rewriteProperty,
  rewriteVariable,
  tellTaken,
  tellWrites,
  visitPattern,
} from './patterns.js';
import { rewriteBinary, rewriteLoop, waits } from './whole-object-reads.js';

/*
 * Writing: `=`, `+=`, `??=`, `++`, `delete`.
 *
 * It is told where it begins, since nothing runs until it is done; unless the value waits: then it is told when the value
 * is there, of an object that is kept meanwhile.
 */

function rewriteAssignment(unit: Unit, node: Of<'AssignmentExpression'>): void {
  const target = bare(node.left);
  if (target.type === 'MemberExpression') assignMember(unit, target, node);
  else assignVariables(unit, target, node);
}

function assignVariables(unit: Unit, target: Node, { right, operator }: Of<'AssignmentExpression'>): void {
  visitPattern(unit, target);
  unit.visit(right);
  tellTaken(unit, target, right);
  tellWrites(unit, target, right);
  if (target.type !== 'Identifier' || operator === '=' || !waits(right)) return;
  // it is read before its new value is waited for
  const number = unit.numberOf(target.name);
  if (number === undefined) return;
  unit.edits.before(right, `(${R}.vr(0,${number}),`);
  unit.edits.after(right, ')');
}

function assignMember(unit: Unit, target: MemberNode, { right, operator }: Of<'AssignmentExpression'>): void {
  const isWaiting = waits(right);
  const temps = isWaiting ? unit.newTemps() : undefined;
  rewriteMember(unit, target, temps === undefined ? 'w' : operator === '=' ? 'i' : 'r', '', temps);
  unit.visit(right);
  if (isWaiting && temps === undefined) unit.unknown(right);
  if (temps) unit.wrap(right, 'late', `${temps[0]},${keyText(target, temps)}`);
}

function rewriteUpdate(unit: Unit, node: Of<'UpdateExpression'>): void {
  const target = bare(node.argument);
  if (target.type === 'MemberExpression') rewriteMember(unit, target, 'w');
  else tellWrites(unit, target, node);
}

/** `delete`; of other operators with one operand, the operand. */
function rewriteUnary(unit: Unit, { operator, argument }: Of<'UnaryExpression'>): void {
  const target = bare(argument);
  if (operator === 'typeof' && argument.type === 'Identifier') return;
  if (operator === 'delete' && target.type === 'MemberExpression') rewriteMember(unit, target, 'w');
  else unit.visit(argument);
}

export function rewriteForTracing(file: string, text: string): string {
  const source = new Source(file, text);
  const unit = new Unit(source, rewrite);
  unit.visitAll(source.program.body);
  return unit.edits.result(file).code;
}

function rewrite(unit: Unit, node: Node): void {
  if (isFunction(node)) {
    rewriteFunction(unit, node);
    return;
  }
  switch (node.type) {
    case 'Identifier':
      rewriteVariable(unit, node);
      return;
    case 'MemberExpression':
      rewriteMember(unit, node, 'r');
      return;
    case 'ChainExpression':
      rewriteChain(unit, node);
      return;
    case 'AssignmentExpression':
      rewriteAssignment(unit, node);
      return;
    case 'UpdateExpression':
      rewriteUpdate(unit, node);
      return;
    case 'CallExpression':
      rewriteCall(unit, node);
      return;
    case 'NewExpression':
      rewriteNew(unit, node);
      return;
    case 'TaggedTemplateExpression':
      rewriteTagged(unit, node);
      return;
    case 'TemplateLiteral':
      for (const expression of node.expressions) unit.visitWrapped(expression, 'look');
      return;
    case 'AwaitExpression':
      unit.visitWrapped(node.argument, 'a');
      return;
    case 'YieldExpression':
      if (node.argument && node.delegate) unit.visitWrapped(node.argument, 'of');
      else if (node.argument) unit.visit(node.argument);
      return;
    case 'SpreadElement':
      unit.visitWrapped(node.argument, 'look');
      return;
    case 'UnaryExpression':
      rewriteUnary(unit, node);
      return;
    case 'BinaryExpression':
      rewriteBinary(unit, node);
      return;
    case 'ForOfStatement':
    case 'ForInStatement':
      rewriteLoop(unit, node);
      return;
    case 'VariableDeclarator':
      rewriteDeclarator(unit, node);
      return;
    case 'Property':
      rewriteProperty(unit, node);
      return;
    case 'ClassDeclaration':
    case 'ClassExpression':
      rewriteClass(unit, node);
      return;
    case 'MethodDefinition':
    case 'PropertyDefinition':
    case 'AccessorProperty':
      if (node.computed) unit.visit(node.key);
      if (node.value) unit.visit(node.value);
      return;
    case 'CatchClause':
      if (node.param && node.param.type !== 'Identifier') unit.edits.at(node.body.start + 1, `${R}.no();`);
      unit.visit(node.body);
      return;
    case 'ImportExpression':
      unit.unknown(node);
      return;
    case 'LabeledStatement':
      unit.visit(node.body);
      return;
    case 'ExportNamedDeclaration':
      if (node.declaration) unit.visit(node.declaration);
      return;
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
    case 'MetaProperty':
    case 'BreakStatement':
    case 'ContinueStatement':
    case 'TSEnumDeclaration':
      return;
    default:
      unit.visitAll(childrenOf(node));
  }
}
