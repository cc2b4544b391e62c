/**
 * Functions and classes in traced code: the text of each contains the name of the tracer, by which it is known to be traced, and
 * declares the variables that it needs at its start.
 */
import { type ClassNode, childrenOf, type FunctionNode, type Node, targetsOf } from '../syntax/tree.js';
import { TRACER as R } from '../tracing/locations.js';
import { newNumber, type TracingContext } from './context.js';
import { depthOf, visitPattern } from './patterns.js';

export function rewriteFunction(context: TracingContext, node: FunctionNode): void {
  const { body, params } = node;
  if (!body) return;
  const outer = context.temps;
  const mayWait = node.async || node.generator;
  context.temps = mayWait ? [] : undefined;
  for (const param of params)
    visitPattern(context, param.type === 'TSParameterProperty' ? param.parameter : param);
  let first = `${R};`;
  for (const param of params) first += takenText(context, param, node);
  if (body.type === 'BlockStatement') context.visitAll(body.body);
  else context.visit(body);
  if (context.temps && context.temps.length > 0) first += `let ${context.temps.join()};`;
  context.temps = outer;
  if (body.type === 'BlockStatement') {
    const directive = body.body.findLast((statement) => 'directive' in statement && statement.directive);
    context.edits.at(directive?.end ?? body.start + 1, directive ? `;${first}` : first);
  } else {
    context.edits.before(body, `{${first}return (`);
    context.edits.after(body, ')}');
  }
}

/** A destructured parameter gets a name, and is destructured at the start of the body. */
function takenText(context: TracingContext, param: Node, { params, generator }: FunctionNode): string {
  const pattern = param.type === 'AssignmentPattern' ? param.left : param;
  const depth = depthOf(pattern);
  if (depth === 0 || pattern.type === 'RestElement') return '';
  const names = new Set([...targetsOf(pattern)].flatMap((t) => (t.type === 'Identifier' ? [t.name] : [])));
  const uses = (node: Node): boolean =>
    (node.type === 'Identifier' && names.has(node.name)) || childrenOf(node).some(uses);
  const isUsed = params.some((other) => other !== param && uses(other));
  if (generator || isUsed) return `${R}.no();`;
  const name = `${R}p${newNumber()}`;
  const text = context.edits.move(pattern, name).replaceAll('\n', ' ');
  return `let ${text}=${R}.d(${name},${depth});`;
}

export function rewriteClass(context: TracingContext, { body, superClass }: ClassNode): void {
  if (superClass) context.visit(superClass);
  const outer = context.methods;
  const own = body.body.flatMap((member) =>
    member.type === 'MethodDefinition' && member.key.type === 'PrivateIdentifier' ? [member.key.name] : [],
  );
  context.methods = new Set([...outer, ...own]);
  context.visitAll(body.body);
  context.methods = outer;
  context.edits.at(body.start + 1, `static{${R}}`);
}
