/** Where a function may be left and gone on with, so that what comes after is done by another task. */
import { childrenOf, isFunction, type Node } from '../syntax/tree.js';

/** Does it `await` or `yield`? */
export function waits(node: Node): boolean {
  if (node.type === 'AwaitExpression' || node.type === 'YieldExpression') return true;
  if (node.type === 'ForOfStatement' && node.await) return true;
  return !isFunction(node) && childrenOf(node).some(waits);
}
