/**
 * Accesses in traced code: members and chains, variables and patterns, reads of whole objects.
 *
 * Object and key of a member are reported just before the access. A chain `a?.b.c` is cut in two by the text around `a?.b`. Its
 * rest gets a `?.` of its own so that it still ends early, and `R.k` throws where the original chain would throw. A destructured
 * object is read as deep as its pattern goes. Loops, `in` and conversion to a string read a whole object.
 */
import {
  bare,
  childrenOf,
  hasOptionalBelow,
  isFunction,
  type MemberNode,
  type Node,
  nameOf,
  type Of,
  targetsOf,
} from '../syntax/tree.js';
import { TRACER as R } from '../tracing/locations.js';
import { newNumber, type Temps, type TracingContext } from './context.js';

// ── members and chains ──

/** `method` of the tracer reports the access. `temps`: the variables that keep object and key until a later report. */
export function rewriteMember(
  context: TracingContext,
  node: MemberNode,
  method: string,
  more = '',
  temps?: Temps,
): void {
  const { object, property, computed } = node;
  if (object.type === 'Super') {
    context.hasSuperFields = true;
    if (computed) context.visit(property);
    return;
  }
  context.visit(object);
  const name = nameOf(property, computed);
  const isOwnMethod = property.type === 'PrivateIdentifier' && context.methods.has(property.name);
  const isPast = hasOptionalBelow(object);
  let key = JSON.stringify(name);
  // where the chain ends, its key is not evaluated
  const isCut = name === undefined && (node.optional || isPast);
  if (isCut) context.visit(property);
  else if (name === undefined) {
    // evaluated once: nothing runs between the two places
    context.visit(property);
    const kept = temps ? temps[1] : `${R}.key`;
    key = `${kept}=(${context.edits.move(property, kept)})`;
  } else if (computed) context.visit(property);
  if (temps && !isCut) context.edits.before(object, `${temps[0]}=`);
  if (isCut) context.wrap(object, 'no');
  else if (!isOwnMethod) context.wrap(object, method, `${key}${more}`);
  if (isPast && !node.optional) {
    context.wrap(object, 'k', String(context.chain));
    context.edits.at(object.end, computed ? '?.' : '?');
  }
  if (node.optional) context.wrap(object, 'q', String(context.chain));
}

/** The key of a member that was rewritten with `temps`, as `R.late` gets it. */
export function keyText({ property, computed }: MemberNode, temps: Temps): string {
  const name = nameOf(property, computed);
  return name === undefined ? temps[1] : JSON.stringify(name);
}

export function rewriteChain(context: TracingContext, node: Of<'ChainExpression'>): void {
  const outer = context.chain;
  context.chain = newNumber();
  context.visit(node.expression);
  context.chain = outer;
}

// ── variables and patterns ──

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

// ── whole objects ──

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
