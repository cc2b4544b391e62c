/**
 * Operators: `=`, `+=`, `??=`, `++`, `delete`, `in`; `a + b`, `-a`, and templates.
 *
 * A compound assignment becomes two accesses, a read and a write, between which other threads may run: the operation is not atomic
 * on shared objects. Values go through temporaries, so every operand is evaluated once, in the order of the source.
 *
 * An operand that is an object is converted by code that may be the user's, and that may read what is shared:
 *
 *     a + b    becomes    (x=a, y=b, rt.isPrimitive(x)&&rt.isPrimitive(y) ? x+y : yield*rt.operate("+",x,y,site))
 *
 * Operands that are certainly primitive are not tested.
 */
import { bare, type Node, nameOf, type Of } from '../syntax/tree.js';
import type { CoroutineContext } from './context.js';
import { refer } from './members.js';
import { rewritePatternAssignment, targetOf } from './pattern-assignments.js';

/** Operators that convert their operands; empty for a plain assignment. */
const ARITHMETIC = /^[^&|?]$|^\*\*$|^<<$|^>>>?$|^[&|]$/;

export function rewriteAssignment(context: CoroutineContext, node: Of<'AssignmentExpression'>): void {
  const left = bare(node.left);
  if (left.type === 'ArrayPattern' || left.type === 'ObjectPattern') {
    rewritePatternAssignment(context, node, left);
    return;
  }
  const target = targetOf(context, left, node);
  context.visit(node.right);
  const operator = node.operator.slice(0, -1);
  if (target === undefined) {
    if (context.mode !== 'coroutine' || left.type !== 'Identifier' || !ARITHMETIC.test(operator)) return;
    const operands = { value: context.temp(), read: left.name, operator };
    context.edits.write(node, [
      `(`,
      ...operateParts(context, node, operands),
      `,${left.name}=${operands.value})`,
    ]);
    return;
  }
  const value = context.temp();
  const { parts, read, write } = target;
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
      ...operateParts(context, node, { value, read: read(), operator }),
      `,${write(value)})`,
    ]);
}

/** `value = read operator right`, with objects converted to primitive values. */
function operateParts(
  context: CoroutineContext,
  node: Of<'AssignmentExpression'>,
  { value, read, operator }: { readonly value: string; readonly read: string; readonly operator: string },
): (string | Node)[] {
  if (context.mode !== 'coroutine') return [`${value}=${read}${operator}(`, node.right, ')'];
  const right = context.temp();
  const isPrimitive = context.rt('isPrimitive');
  const plain = `${value} ${operator} ${right}`;
  const converted = `yield*${context.rt('operate')}(${JSON.stringify(operator)},${value},${right},${context.site(node)})`;
  return [
    `${value}=${read},${right}=(`,
    node.right,
    `),${value}=${isPrimitive}(${value})&&${isPrimitive}(${right})?${plain}:${converted}`,
  ];
}

export function rewriteUpdate(context: CoroutineContext, node: Of<'UpdateExpression'>): void {
  const argument = bare(node.argument);
  const target = targetOf(context, argument, node);
  if (target === undefined) {
    if (context.mode !== 'coroutine' || argument.type !== 'Identifier') return;
    context.edits.before(node, `(${convertText(context, node, argument.name)}`);
    context.edits.after(node, ')');
    return;
  }
  const value = context.temp();
  const { parts, read, write } = target;
  // a local variable makes numbers and bigints of all that can be one
  if (node.prefix)
    context.edits.write(node, [
      '(',
      ...parts,
      `${value}=${read()},${convertText(context, node, value)}${node.operator}${value},${write(value)})`,
    ]);
  else {
    const old = context.temp();
    context.edits.write(node, [
      '(',
      ...parts,
      `${value}=${read()},${convertText(context, node, value)}${old}=${value}${node.operator},${write(value)},${old})`,
    ]);
  }
}

function convertText(context: CoroutineContext, node: Node, value: string): string {
  if (context.mode !== 'coroutine') return '';
  const convert = `yield*${context.rt('toPrimitive')}(${value},"number",${context.site(node)})`;
  return `${context.rt('isPrimitive')}(${value})||(${value}=${convert}),`;
}

export function rewriteDelete(context: CoroutineContext, node: Of<'UnaryExpression'>): void {
  const whole = bare(node.argument);
  const argument = whole.type === 'ChainExpression' ? bare(whole.expression) : whole;
  if (context.mode !== 'coroutine' || argument.type !== 'MemberExpression') {
    context.targets.add(argument);
    context.visit(node.argument);
    return;
  }
  const { parts, reference, isGuarded } = refer(context, argument);
  const { object, key, member, name } = reference;
  const action = `${context.rt('remove')}(${object},${key},${context.site(argument, name)})`;
  const widen = `${context.rt('widen')}(${object},${key})`;
  const removed = `${action}&&((yield ${context.rt('p')}),${widen}),delete ${member})`;
  if (isGuarded) {
    const value = context.temp();
    const end = `)===${context.rt('no')}||${value})`;
    context.edits.write(node, [`((${value}=`, ...parts, removed, end]);
  } else context.edits.write(node, ['(', ...parts, removed]);
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

/** Operators that convert no operand. */
const IDENTITY = new Set(['===', '!==', 'instanceof', 'in']);

export function rewriteBinary(context: CoroutineContext, node: Of<'BinaryExpression'>): void {
  context.visit(node.left);
  context.visit(node.right);
  if (context.mode !== 'coroutine' || IDENTITY.has(node.operator)) return;
  const tested = [node.left, node.right].map((operand) => !isCertainlyPrimitive(operand));
  if (!tested.includes(true)) return;
  const [a, b] = [context.temp(), context.temp()];
  const { operator } = node;
  const test = [a, b].filter((_, i) => tested[i]).map((value) => `${context.rt('isPrimitive')}(${value})`);
  const converted = `yield*${context.rt('operate')}(${JSON.stringify(operator)},${a},${b},${context.site(node)})`;
  context.edits.write(node, [
    `(${a}=(`,
    node.left,
    `),${b}=(`,
    node.right,
    `),${test.join('&&')}?${a} ${operator} ${b}:${converted})`,
  ]);
}

export function rewriteTemplate(context: CoroutineContext, node: Of<'TemplateLiteral'>): void {
  for (const expression of node.expressions) rewriteConverted(context, expression, 'string');
}

/** `+e`, `-e`, `~e`. */
export function rewriteConversion(context: CoroutineContext, node: Of<'UnaryExpression'>): void {
  if (['+', '-', '~'].includes(node.operator)) rewriteConverted(context, node.argument, 'number');
  else context.visit(node.argument);
}

/** An expression whose value is converted to a primitive: an operand, or a computed key. */
export function rewriteConverted(context: CoroutineContext, node: Node, hint: string): void {
  context.visit(node);
  if (context.mode !== 'coroutine' || isCertainlyPrimitive(node)) return;
  const value = context.temp();
  context.edits.before(node, `(${context.rt('isPrimitive')}(${value}=(`);
  context.edits.after(
    node,
    `))?${value}:yield*${context.rt('toPrimitive')}(${value},"${hint}",${context.site(node)}))`,
  );
}

/** Is the value of an expression a primitive, whatever its parts are? */
function isCertainlyPrimitive(expression: Node): boolean {
  const node = bare(expression);
  switch (node.type) {
    case 'Literal':
      return !('regex' in node && node.regex);
    case 'TemplateLiteral':
    case 'BinaryExpression':
    case 'UnaryExpression':
    case 'UpdateExpression':
      return true;
    default:
      return false;
  }
}
