/**
 * Writing: `=`, `+=`, `??=`, `++`, `delete`, and `in`.
 *
 * What reads and writes is split in two accesses, between which others may run:
 * that is what such code does when its object is shared. Values go through
 * temporaries, so that all is evaluated once, in the order of the source.
 */
import { bare, nameOf, type Of } from '../syntax/tree.js';
import type { Unit } from './context.js';
import { refer } from './members.js';
import { rewritePatternAssignment, targetOf } from './pattern-assignments.js';

export function rewriteAssignment(unit: Unit, node: Of<'AssignmentExpression'>): void {
  const left = bare(node.left);
  if (left.type === 'ArrayPattern' || left.type === 'ObjectPattern') {
    rewritePatternAssignment(unit, node, left);
    return;
  }
  const target = targetOf(unit, left, node);
  unit.visit(node.right);
  if (target === undefined) return;
  const value = unit.temp();
  const { parts, read, write } = target;
  const operator = node.operator.slice(0, -1);
  if (operator === '') unit.edits.write(node, ['(', ...parts, `${value}=`, node.right, `,${write(value)})`]);
  else if (operator === '&&' || operator === '||' || operator === '??')
    unit.edits.write(node, [
      '(',
      ...parts,
      `(${value}=${read()})${operator}(${value}=`,
      node.right,
      `,${write(value)}))`,
    ]);
  else
    unit.edits.write(node, [
      '(',
      ...parts,
      `${value}=${read()}${operator}(`,
      node.right,
      `),${write(value)})`,
    ]);
}

export function rewriteUpdate(unit: Unit, node: Of<'UpdateExpression'>): void {
  const target = targetOf(unit, bare(node.argument), node);
  if (target === undefined) return;
  const value = unit.temp();
  const { parts, read, write } = target;
  // a local variable makes numbers and bigints of all that can be one
  if (node.prefix)
    unit.edits.write(node, ['(', ...parts, `${value}=${read()},${node.operator}${value},${write(value)})`]);
  else {
    const old = unit.temp();
    unit.edits.write(node, [
      '(',
      ...parts,
      `${value}=${read()},${old}=${value}${node.operator},${write(value)},${old})`,
    ]);
  }
}

export function rewriteDelete(unit: Unit, node: Of<'UnaryExpression'>): void {
  const argument = bare(node.argument);
  if (unit.mode !== 'twin' || argument.type !== 'MemberExpression') {
    if (unit.mode === 'twin' && argument.type === 'ChainExpression')
      unit.report(node, 'delete of a chain with ?.: test first, then delete');
    unit.targets.add(argument);
    unit.visit(node.argument);
    return;
  }
  const { parts, reference } = refer(unit, argument);
  const { object, key, member, name } = reference;
  const told = `${unit.rt('remove')}(${object},${key},${unit.site(argument, name)})`;
  unit.edits.write(node, ['(', ...parts, `${told}&&(yield ${unit.rt('p')}),delete ${member})`]);
}

/** `key in object`. */
export function rewriteIn(unit: Unit, node: Of<'BinaryExpression'>): void {
  unit.visit(node.left);
  unit.visit(node.right);
  if (unit.mode !== 'twin' || node.left.type === ('PrivateIdentifier' as string)) return;
  const key = unit.temp();
  const object = unit.temp();
  const has = `${unit.rt('has')}(${object},${key},${unit.site(node, nameOf(node.left, true) ?? '')})`;
  unit.edits.write(node, [
    `(${key}=`,
    node.left,
    `,${object}=`,
    node.right,
    `,${has}?((yield ${unit.rt('p')}),${unit.rt('saw')}(${key} in ${object})):${key} in ${object})`,
  ]);
}
