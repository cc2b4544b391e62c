/**
 * Writing: `=`, `+=`, `??=`, `++`, `delete`.
 *
 * It is told where it begins, since nothing runs until it is done; unless the value waits: then it is told when the value
 * is there, of an object that is kept meanwhile.
 */
import { bare, type MemberNode, type Node, type Of } from '../syntax/tree.js';
import { RECORDING as R } from '../tracing/mark.js';
import type { Unit } from './context.js';
import { keyText, rewriteMember } from './members.js';
import { tellTaken, tellWrites, visitPattern } from './patterns.js';
import { waits } from './suspends.js';

export function rewriteAssignment(unit: Unit, node: Of<'AssignmentExpression'>): void {
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

export function rewriteUpdate(unit: Unit, node: Of<'UpdateExpression'>): void {
  const target = bare(node.argument);
  if (target.type === 'MemberExpression') rewriteMember(unit, target, 'w');
  else tellWrites(unit, target, node);
}

/** `delete`; of other operators with one operand, the operand. */
export function rewriteUnary(unit: Unit, { operator, argument }: Of<'UnaryExpression'>): void {
  const target = bare(argument);
  if (operator === 'typeof' && argument.type === 'Identifier') return;
  if (operator === 'delete' && target.type === 'MemberExpression') rewriteMember(unit, target, 'w');
  else unit.visit(argument);
}
