/**
 * Functions and classes: each has the mark in its text, by which it is known to be recorded, and the names that it
 * needs at its beginning.
 */
import { type ClassNode, childrenOf, type FunctionNode, type Node, targetsOf } from '../syntax/tree.js';
import { RECORDING as R } from '../tracing/locations.js';
import { newNumber, type Unit } from './context.js';
import { depthOf, visitPattern } from './patterns.js';

export function rewriteFunction(unit: Unit, node: FunctionNode): void {
  const { body, params } = node;
  if (!body) return;
  const outer = unit.temps;
  const mayWait = node.async || node.generator;
  unit.temps = mayWait ? [] : undefined;
  for (const param of params)
    visitPattern(unit, param.type === 'TSParameterProperty' ? param.parameter : param);
  let first = `${R};`;
  for (const param of params) first += takenText(unit, param, node);
  if (body.type === 'BlockStatement') unit.visitAll(body.body);
  else unit.visit(body);
  if (unit.temps && unit.temps.length > 0) first += `let ${unit.temps.join()};`;
  unit.temps = outer;
  if (body.type === 'BlockStatement') {
    const directive = body.body.findLast((statement) => 'directive' in statement && statement.directive);
    unit.edits.at(directive?.end ?? body.start + 1, directive ? `;${first}` : first);
  } else {
    unit.edits.before(body, `{${first}return (`);
    unit.edits.after(body, ')}');
  }
}

/** A parameter that is taken apart is given a name, and taken apart first of all. */
function takenText(unit: Unit, param: Node, { params, generator }: FunctionNode): string {
  const pattern = param.type === 'AssignmentPattern' ? param.left : param;
  const depth = depthOf(pattern);
  if (depth === 0 || pattern.type === 'RestElement') return '';
  const names = new Set([...targetsOf(pattern)].flatMap((t) => (t.type === 'Identifier' ? [t.name] : [])));
  const uses = (node: Node): boolean =>
    (node.type === 'Identifier' && names.has(node.name)) || childrenOf(node).some(uses);
  const isUsed = params.some((other) => other !== param && uses(other));
  if (generator || isUsed) return `${R}.no();`;
  const name = `${R}p${newNumber()}`;
  const text = unit.edits.move(pattern, name).replaceAll('\n', ' ');
  return `let ${text}=${R}.d(${name},${depth});`;
}

export function rewriteClass(unit: Unit, { body, superClass }: ClassNode): void {
  if (superClass) unit.visit(superClass);
  const outer = unit.methods;
  const own = body.body.flatMap((member) =>
    member.type === 'MethodDefinition' && member.key.type === 'PrivateIdentifier' ? [member.key.name] : [],
  );
  unit.methods = new Set([...outer, ...own]);
  unit.visitAll(body.body);
  unit.methods = outer;
  unit.edits.at(body.start + 1, `static{${R}}`);
}
