/** Variables and patterns in traced code: a destructured object is read as deep as its pattern goes. */
import { bare, type Node, type Of, targetsOf } from '../syntax/tree.js';
import type { TracingContext } from './context.js';
import { rewriteMember } from './members.js';

export function rewriteVariable(context: TracingContext, node: Of<'Identifier'>): void {
  const number = context.numberOf(node.name);
  if (number !== undefined) context.wrap(node, 'vr', String(number));
}

/** A property of an object literal: `{ x }` becomes `{ x: R.vr(x,7) }`. */
export function rewriteProperty(
  context: TracingContext,
  { key, value, computed, shorthand }: Of<'Property'>,
): void {
  if (computed) context.visit(key);
  if (shorthand && value.type === 'Identifier' && context.numberOf(value.name) !== undefined) {
    rewriteVariable(context, value);
    context.edits.before(value, `${value.name}:`);
  } else context.visit(value);
}

export function rewriteDeclarator(context: TracingContext, { id, init }: Of<'VariableDeclarator'>): void {
  visitPattern(context, id);
  if (!init) return;
  context.visit(init);
  tellTaken(context, id, init);
  tellWrites(context, id, init);
}

/** Reports writes of variables by a pattern, when the value is there. */
export function tellWrites(context: TracingContext, pattern: Node, value: Node): void {
  for (const target of targetsOf(pattern)) {
    if (target.type !== 'Identifier') continue;
    const binding = context.scope.resolve(target.name);
    const number = context.numberOf(target.name);
    if (number !== undefined && binding?.isExported) context.wrap(value, 'no');
    else if (number !== undefined) context.wrap(value, 'vw', String(number));
    // a global one
    else if (binding === undefined) context.wrap(value, 'no');
  }
}

/** Reports reads of a destructured value. */
export function tellTaken(context: TracingContext, pattern: Node, value: Node): void {
  const depth = depthOf(pattern);
  if (depth > 0) context.wrap(value, 'd', String(depth));
}

/** Defaults, computed keys, and members that are written to. */
export function visitPattern(context: TracingContext, pattern: Node): void {
  const node = bare(pattern);
  switch (node.type) {
    case 'MemberExpression':
      rewriteMember(context, node, 'w');
      return;
    case 'AssignmentPattern':
      visitPattern(context, node.left);
      context.visit(node.right);
      return;
    case 'RestElement':
      visitPattern(context, node.argument);
      return;
    case 'ArrayPattern':
      for (const element of node.elements) if (element) visitPattern(context, element);
      return;
    case 'ObjectPattern':
      for (const property of node.properties) {
        if (property.type === 'RestElement') visitPattern(context, property.argument);
        else {
          if (property.computed) context.visit(property.key);
          visitPattern(context, property.value);
        }
      }
  }
}

/** The number of levels that a pattern destructures. */
export function depthOf(pattern: Node): number {
  const node = bare(pattern);
  const deepest = (nodes: readonly (Node | null)[]) =>
    1 + Math.max(0, ...nodes.map((child) => (child ? depthOf(child) : 0)));
  switch (node.type) {
    case 'AssignmentPattern':
      return depthOf(node.left);
    case 'RestElement':
      return depthOf(node.argument);
    case 'ArrayPattern':
      return deepest(node.elements);
    case 'ObjectPattern':
      return deepest(
        node.properties.map((property) => (property.type === 'RestElement' ? null : property.value)),
      );
    default:
      return 0;
  }
}
