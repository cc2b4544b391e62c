/** Variables, and the patterns by which they are written: what is taken apart is read as deep as its pattern goes. */
import { bare, type Node, type Of, targetsOf } from '../syntax/tree.js';
import type { Unit } from './context.js';
import { rewriteMember } from './members.js';

export function rewriteVariable(unit: Unit, node: Of<'Identifier'>): void {
  const number = unit.numberOf(node.name);
  if (number !== undefined) unit.wrap(node, 'vr', String(number));
}

/** Of an object that is made: `{ x }` becomes `{ x: R.vr(x,7) }`. */
export function rewriteProperty(unit: Unit, { key, value, computed, shorthand }: Of<'Property'>): void {
  if (computed) unit.visit(key);
  if (shorthand && value.type === 'Identifier' && unit.numberOf(value.name) !== undefined) {
    rewriteVariable(unit, value);
    unit.edits.before(value, `${value.name}:`);
  } else unit.visit(value);
}

export function rewriteDeclarator(unit: Unit, { id, init }: Of<'VariableDeclarator'>): void {
  visitPattern(unit, id);
  if (!init) return;
  unit.visit(init);
  tellTaken(unit, id, init);
  tellWrites(unit, id, init);
}

/** What is written to variables by a pattern: told when its value is there. */
export function tellWrites(unit: Unit, pattern: Node, value: Node): void {
  for (const target of targetsOf(pattern)) {
    if (target.type !== 'Identifier') continue;
    const binding = unit.scope.resolve(target.name);
    const number = unit.numberOf(target.name);
    if (number !== undefined && binding?.isExported) unit.wrap(value, 'no');
    else if (number !== undefined) unit.wrap(value, 'vw', String(number));
    // a global one
    else if (binding === undefined) unit.wrap(value, 'no');
  }
}

/** A value that is taken apart. */
export function tellTaken(unit: Unit, pattern: Node, value: Node): void {
  const depth = depthOf(pattern);
  if (depth > 0) unit.wrap(value, 'd', String(depth));
}

/** Defaults, computed keys, and members that are written to. */
export function visitPattern(unit: Unit, pattern: Node): void {
  const node = bare(pattern);
  switch (node.type) {
    case 'MemberExpression':
      rewriteMember(unit, node, 'w');
      return;
    case 'AssignmentPattern':
      visitPattern(unit, node.left);
      unit.visit(node.right);
      return;
    case 'RestElement':
      visitPattern(unit, node.argument);
      return;
    case 'ArrayPattern':
      for (const element of node.elements) if (element) visitPattern(unit, element);
      return;
    case 'ObjectPattern':
      for (const property of node.properties) {
        if (property.type === 'RestElement') visitPattern(unit, property.argument);
        else {
          if (property.computed) unit.visit(property.key);
          visitPattern(unit, property.value);
        }
      }
  }
}

/** How deep a pattern takes something apart. */
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
