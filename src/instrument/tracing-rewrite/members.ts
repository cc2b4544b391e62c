/**
 * Members and chains in traced code: object and key are reported just before the access.
 *
 * A chain `a?.b.c` is cut in two by the text around `a?.b`. Its rest gets a `?.` of its own so that it still ends early, and `R.k`
 * throws where the original chain would throw.
 */
import { hasOptionalBelow, type MemberNode, nameOf, type Of } from '../syntax/tree.js';
import { TRACER as R } from '../tracing/locations.js';
import { newNumber, type Temps, type TracingContext } from './context.js';

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
  if (isPast) {
    context.wrap(object, 'k', String(context.chain));
    if (!node.optional) context.edits.at(object.end, computed ? '?.' : '?');
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
