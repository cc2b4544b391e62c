/**
 * Writing: `=`, `+=`, `??=`, `++`, `delete`, and `in`.
 *
 * What reads and writes is split in two accesses, between which others may run:
 * that is what such code does when its object is shared. Values go through
 * temporaries, so that all is evaluated once, in the order of the source.
 */
import type { Binding } from '../scope.js';
import { bare, type MemberNode, type Node, nameOf, type Of } from '../tree.js';
import { readText, refer, writeText } from './members.js';
import { rewritePatternAssignment } from './patterns.js';
import type { Unit } from './unit.js';
import { checkVariable, getText, setText, trackedAs } from './variables.js';

/** What can be assigned: how to get at it, read it, write it. */
interface Target {
  readonly parts: readonly (string | Node)[];
  readonly read: () => string;
  readonly write: (value: string) => string;
}

export function rewriteAssignment(unit: Unit, node: Of<'AssignmentExpression'>): void {
  const left = bare(node.left);
  if (left.type === 'ArrayPattern' || left.type === 'ObjectPattern') {
    rewritePatternAssignment(unit, node);
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

/** Visits a target. Undefined: it may stay as it is. */
function targetOf(unit: Unit, left: Node, whole: Node): Target | undefined {
  if (left.type === 'Identifier') {
    const binding: Binding | undefined = trackedAs(unit, left);
    if (unit.mode !== 'plain' && unit.scope.resolve(left.name) === undefined)
      unit.report(left, `${left.name} is not declared in this file: declare it, or pass it as an object`);
    if (binding === undefined) return undefined;
    if (unit.mode === 'sync') {
      checkVariable(unit, left, whole, binding);
      return undefined;
    }
    return {
      parts: [],
      read: () => getText(unit, left, binding),
      write: (value) => setText(unit, left, binding, value),
    };
  }
  if (left.type !== 'MemberExpression' || unit.mode !== 'twin' || left.object.type === 'Super') {
    if (
      left.type === 'MemberExpression' &&
      left.object.type === 'Super' &&
      unit.frame.isArrow &&
      unit.mode === 'twin'
    )
      unit.report(left, 'super is assigned to in an arrow function: do it in the method itself');
    unit.targets.add(left);
    unit.visit(left);
    return undefined;
  }
  return privateAccessor(unit, left) ?? memberTarget(unit, left);
}

function memberTarget(unit: Unit, left: MemberNode): Target {
  const { parts, reference } = refer(unit, left);
  return {
    parts,
    read: () => readText(unit, left, reference),
    write: (value) => writeText(unit, left, reference, value),
  };
}

function privateAccessor(unit: Unit, left: MemberNode): Target | undefined {
  if (left.property.type !== 'PrivateIdentifier' || unit.privateKind(left.property.name) !== 'accessor')
    return undefined;
  unit.visit(left.object);
  const object = unit.temp();
  const into = unit.rt('into');
  const site = unit.site(left);
  const { name } = left.property;
  return {
    parts: [`${object}=`, left.object, ','],
    read: () => `(yield*${into}(${object}.#${unit.prefix}get_${name}(),${site}))`,
    write: (value) => `(yield*${into}(${object}.#${unit.prefix}set_${name}(${value}),${site}),${value})`,
  };
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
