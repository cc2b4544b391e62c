/**
 * Writes: `=`, `+=`, `??=`, `++`, `delete`; and `in`.
 *
 * A compound assignment becomes two accesses, a read and a write, between which other threads may run: the operation is not atomic
 * on shared objects. Values go through temporaries, so every operand is evaluated once, in the order of the source.
 */
import { bare, nameOf, type Of } from '../syntax/tree.js';
import type { CoroutineContext } from './context.js';
import { refer } from './members.js';
import { rewritePatternAssignment, targetOf } from './pattern-assignments.js';

export function rewriteAssignment(context: CoroutineContext, node: Of<'AssignmentExpression'>): void {
  const left = bare(node.left);
  if (left.type === 'ArrayPattern' || left.type === 'ObjectPattern') {
    rewritePatternAssignment(context, node, left);
    return;
  }
  const target = targetOf(context, left, node);
  context.visit(node.right);
  if (target === undefined) return;
  const value = context.temp();
  const { parts, read, write } = target;
  const operator = node.operator.slice(0, -1);
  if (operator === '')
    context.edits.write(node, ['(', ...parts, `${value}=`, node.right, `,${write(value)})`]);
  else if (operator === '&&' || operator === '||' || operator === '??')
    context.edits.write(node, [
      '(',
      ...parts,
      `(${value}=${read()})${operator}(${value}=`,
      node.right,
      `,${write(value)}))`,
    ]);
  else
    context.edits.write(node, [
      '(',
      ...parts,
      `${value}=${read()}${operator}(`,
      node.right,
      `),${write(value)})`,
    ]);
}

export function rewriteUpdate(context: CoroutineContext, node: Of<'UpdateExpression'>): void {
  const target = targetOf(context, bare(node.argument), node);
  if (target === undefined) return;
  const value = context.temp();
  const { parts, read, write } = target;
  // a local variable makes numbers and bigints of all that can be one
  if (node.prefix)
    context.edits.write(node, [
      '(',
      ...parts,
      `${value}=${read()},${node.operator}${value},${write(value)})`,
    ]);
  else {
    const old = context.temp();
    context.edits.write(node, [
      '(',
      ...parts,
      `${value}=${read()},${old}=${value}${node.operator},${write(value)},${old})`,
    ]);
  }
}

export function rewriteDelete(context: CoroutineContext, node: Of<'UnaryExpression'>): void {
  const argument = bare(node.argument);
  if (context.mode !== 'coroutine' || argument.type !== 'MemberExpression') {
    if (context.mode === 'coroutine' && argument.type === 'ChainExpression')
      context.report(node, 'delete of a chain with ?.: test first, then delete');
    context.targets.add(argument);
    context.visit(node.argument);
    return;
  }
  const { parts, reference } = refer(context, argument);
  const { object, key, member, name } = reference;
  const action = `${context.rt('remove')}(${object},${key},${context.site(argument, name)})`;
  context.edits.write(node, ['(', ...parts, `${action}&&(yield ${context.rt('p')}),delete ${member})`]);
}

/** `key in object`. */
export function rewriteIn(context: CoroutineContext, node: Of<'BinaryExpression'>): void {
  context.visit(node.left);
  context.visit(node.right);
  if (context.mode !== 'coroutine' || node.left.type === ('PrivateIdentifier' as string)) return;
  const key = context.temp();
  const object = context.temp();
  const has = `${context.rt('has')}(${object},${key},${context.site(node, nameOf(node.left, true) ?? '')})`;
  context.edits.write(node, [
    `(${key}=`,
    node.left,
    `,${object}=`,
    node.right,
    `,${has}?((yield ${context.rt('p')}),${context.rt('observe')}(${key} in ${object})):${key} in ${object})`,
  ]);
}
