/** Reads of whole objects in traced code: loops over one, `in`, and conversion to a string. */
import { childrenOf, isFunction, type Node, type Of, targetsOf } from '../syntax/tree.js';
import type { TracingContext } from './context.js';
import { depthOf, visitPattern } from './patterns.js';

/** Does it `await` or `yield`? What follows may then belong to another task. */
export function waits(node: Node): boolean {
  if (node.type === 'AwaitExpression' || node.type === 'YieldExpression') return true;
  if (node.type === 'ForOfStatement' && node.await) return true;
  return !isFunction(node) && childrenOf(node).some(waits);
}

/** A loop whose body awaits, or whose head destructures, reports each iteration. */
export function rewriteLoop(context: TracingContext, node: Of<'ForOfStatement' | 'ForInStatement'>): void {
  const { left, right, body } = node;
  const isOf = node.type === 'ForOfStatement';
  const isAwaited = isOf && node.await;
  const pattern = left.type === 'VariableDeclaration' ? left.declarations[0].id : left;
  visitPattern(context, pattern);
  context.visit(right);
  const depth = depthOf(pattern);
  if (isAwaited) context.wrap(right, 'every');
  else if (isOf && (depth > 0 || waits(body))) context.wrap(right, 'of', String(depth));
  else context.wrap(right, 'look');
  // heads that destructure, or write more than a variable, in each iteration
  const isSimple = [...targetsOf(pattern)].every(
    (target) =>
      target.type === 'Identifier' &&
      (left.type === 'VariableDeclaration' || context.numberOf(target.name) === undefined),
  );
  if (!isSimple || (isAwaited && depth > 0)) context.wrap(right, 'no');
  context.visit(body);
}

export function rewriteBinary(
  context: TracingContext,
  { left, right, operator }: Of<'BinaryExpression'>,
): void {
  if (left.type !== 'PrivateIdentifier') context.visit(left);
  context.visit(right);
  if (operator === 'in' && left.type !== 'PrivateIdentifier') context.wrap(right, 'look');
  // an object may be made into a text
  if (operator !== '+') return;
  for (const side of [left, right]) if (!isPlain(side)) context.wrap(side, 'look');
}

/** Is its value certainly neither an object nor a function of another file? */
export function isPlain(node: Node): boolean {
  return node.type === 'Literal' || node.type === 'TemplateLiteral' || isFunction(node);
}
