/**
 * Calls. Which function is meant is known when it is called, so that is when its
 * twin is looked up:
 *
 *     o.m(x)    becomes    (a=o, f=a.m, (t=rt.call(f,a,[x],site)) ? t<2 ? ((yield rt.p),rt.done()) : yield*rt.g : rt.v)
 *
 * where `a.m` is read as all members are. The answer of `call`: 0, done already;
 * 1, announce, then do it (a method of an array or a Map that others can see);
 * 2, run the twin. Functions of this file that are never assigned, and private
 * methods, need no looking up.
 */
import { bare, hasOptionalBelow, type MemberNode, type Node, nameOf, type Of } from '../tree.js';
import { readText, refer, superParts } from './members.js';
import { rewriteSpread } from './patterns.js';
import type { Unit } from './unit.js';

type Part = string | Node;

/** Functions without effects on objects, by what they belong to; `random` is not one of them. */
const PURE: Readonly<Record<string, RegExp>> = {
  Math: /^(?!random$)/,
  Number: /^/,
  Array: /^isArray$/,
  Object: /^is$/,
  BigInt: /^/,
};
/** What depends on when, or on luck, even inside of a constructor: a global object's, or an imported one's. */
const UNCERTAIN = /^(now|hrtime|random|randomUUID|randomInt|randomBytes|randomFillSync|getRandomValues)$/;

export function rewriteCall(unit: Unit, node: Of<'CallExpression'>): void {
  const callee = bare(node.callee);
  if (callee.type === 'Identifier' && callee.name === 'eval' && !unit.scope.resolve('eval'))
    unit.report(node, 'eval: what it runs can not be seen before; write the code out');
  visitArguments(unit, node.arguments);
  if (unit.mode === 'plain' || callee.type === 'Super') {
    unit.visit(node.callee);
    return;
  }
  if (unit.mode === 'sync') rewriteCallNow(unit, node, callee);
  else if (callee.type === 'MemberExpression') rewriteMethodCall(unit, node, callee);
  else rewriteFunctionCall(unit, node, callee);
}

function visitArguments(unit: Unit, args: readonly Node[]): void {
  for (const arg of args) {
    if (arg.type === 'SpreadElement') rewriteSpread(unit, arg, 'list');
    else unit.visit(arg);
  }
}

function rewriteCallNow(unit: Unit, node: Of<'CallExpression'>, callee: Node): void {
  if (callee.type === 'MemberExpression') {
    const kind = privateKindOf(unit, callee);
    if (kind === 'method') {
      unit.visit(callee.object);
      const name = (callee.property as Of<'PrivateIdentifier'>).name;
      unit.edits.write(node, [
        `${unit.rt('finish')}(`,
        callee.object,
        `.#${name}(`,
        ...listed(node.arguments),
        '))',
      ]);
      return;
    }
    const isOutside = isGlobal(unit, callee.object) || isImported(unit, callee.object);
    if (isOutside && UNCERTAIN.test(nameOf(callee.property, callee.computed) ?? '')) {
      writeCallNow(unit, node, unit.source.textOf(callee.object));
      return;
    }
  } else if (isImported(unit, callee)) {
    writeCallNow(unit, node, 'void 0');
    return;
  }
  if (callee.type === 'MemberExpression' && callee.computed) unit.targets.add(callee);
  unit.visit(node.callee);
}

function writeCallNow(unit: Unit, node: Of<'CallExpression'>, self: string): void {
  const called = unit.source.textOf(node.callee);
  unit.edits.write(node, [
    `${unit.rt('callNow')}(${called},${self},[`,
    ...listed(node.arguments),
    `],${unit.site(node)})`,
  ]);
}

function rewriteMethodCall(unit: Unit, node: Of<'CallExpression'>, callee: MemberNode): void {
  if (isGlobalMember(unit, callee, PURE)) return;
  const args = listed(node.arguments);
  if (callee.object.type === 'Super') {
    const called = unit.temp();
    if (callee.computed) unit.visit(callee.property);
    const parts = [`(${called}=`, ...superParts(unit, callee), ','];
    unit.edits.write(node, [...parts, ...callParts(unit, node, called, 'this', args), ')']);
    return;
  }
  const kind = privateKindOf(unit, callee);
  if (kind === 'method') {
    unit.visit(callee.object);
    const name = (callee.property as Of<'PrivateIdentifier'>).name;
    unit.edits.write(node, [
      `(yield*${unit.rt('into')}(`,
      callee.object,
      `.#${name}(`,
      ...args,
      `),${unit.site(node)}))`,
    ]);
    return;
  }
  const called = unit.temp();
  const { parts, reference, isGuarded } = refer(unit, callee);
  const read =
    kind === 'accessor'
      ? `(yield*${unit.rt('into')}(${reference.object}.#${unit.prefix}get_${reference.name.slice(1)}(),${unit.site(callee)}))`
      : readText(unit, callee, reference);
  const call = callParts(unit, node, called, reference.object, args);
  const guard = node.optional ? [`${called}==null?${unit.rt('no')}:`] : [];
  unit.edits.write(node, ['(', ...parts, `${called}=${read},`, ...guard, ...call, isGuarded ? '))' : ')']);
}

function rewriteFunctionCall(unit: Unit, node: Of<'CallExpression'>, callee: Node): void {
  const args = listed(node.arguments);
  if (callee.type === 'Identifier') {
    const binding = unit.scope.resolve(callee.name);
    const twin = binding?.assignments.length === 0 ? unit.twins.get(binding.node) : undefined;
    if (twin !== undefined && binding?.kind === 'function') {
      unit.edits.write(node, [`(yield*${unit.rt('into')}(${twin}(`, ...args, `),${unit.site(node)}))`]);
      return;
    }
  }
  unit.visit(node.callee);
  const called = unit.temp();
  const below = hasOptionalBelow(node.callee);
  const no = unit.rt('no');
  const ended = node.optional ? `==null${below ? `||${called}===${no}` : ''}` : `===${no}`;
  const guard = node.optional || below ? [`)${ended}?${no}:`] : ['),'];
  unit.edits.write(node, [
    `((${called}=`,
    node.callee,
    ...guard,
    ...callParts(unit, node, called, 'void 0', args),
    ')',
  ]);
}

function callParts(unit: Unit, node: Node, called: string, self: string, args: readonly Part[]): Part[] {
  return [
    `(${unit.told}=${unit.rt('call')}(${called},${self},[`,
    ...args,
    `],${unit.site(node)}))${steps(unit)}`,
  ];
}

/** What follows an answer of `call` or `make`. */
function steps(unit: Unit): string {
  const { told } = unit;
  return `?${told}<2?((yield ${unit.rt('p')}),${unit.rt('done')}()):yield*${unit.rt('g')}:${unit.rt('v')}`;
}

export function rewriteNew(unit: Unit, node: Of<'NewExpression'>): void {
  unit.visit(node.callee);
  visitArguments(unit, node.arguments);
  if (
    unit.mode === 'plain' ||
    isOwnClass(unit, node.callee) ||
    (isGlobal(unit, node.callee) && isHarmless(node))
  )
    return;
  const args = ['[', ...listed(node.arguments), `],${unit.site(node)})`];
  if (unit.mode === 'sync') unit.edits.write(node, [`${unit.rt('makeNow')}(`, node.callee, ',', ...args]);
  else {
    const make = `((${unit.told}=${unit.rt('make')}(`;
    unit.edits.write(node, [make, node.callee, ',', ...args, `)${steps(unit)})`]);
  }
}

function isOwnClass(unit: Unit, callee: Node): boolean {
  if (callee.type !== 'Identifier') return false;
  const binding = unit.scope.resolve(callee.name);
  return binding?.kind === 'class' && binding.assignments.length === 0;
}

function isHarmless({ callee, arguments: args }: Of<'NewExpression'>): boolean {
  const name = callee.type === 'Identifier' ? callee.name : '';
  return (args.length === 0 && name !== 'Date') || name.endsWith('Error') || name.endsWith('ArrayBuffer');
}

function isGlobal(unit: Unit, node: Node): boolean {
  return node.type === 'Identifier' && unit.scope.resolve(node.name) === undefined;
}

function isImported(unit: Unit, node: Node): boolean {
  return node.type === 'Identifier' && unit.scope.resolve(node.name)?.kind === 'import';
}

function isGlobalMember(unit: Unit, node: MemberNode, table: Readonly<Record<string, RegExp>>): boolean {
  const name = nameOf(node.property, node.computed);
  if (name === undefined || node.object.type !== 'Identifier' || !isGlobal(unit, node.object)) return false;
  return Object.hasOwn(table, node.object.name) && table[node.object.name].test(name);
}

function privateKindOf(unit: Unit, { property }: MemberNode): string | undefined {
  return property.type === 'PrivateIdentifier' ? unit.privateKind(property.name) : undefined;
}

function listed(nodes: readonly Node[]): Part[] {
  return nodes.flatMap((node, i) => (i === 0 ? [node] : [',', node]));
}
