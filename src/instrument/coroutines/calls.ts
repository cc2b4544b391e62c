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
import { bare, hasOptionalBelow, type MemberNode, type Node, nameOf, type Of } from '../syntax/tree.js';
import type { Unit } from './context.js';
import { askText, isOfFile, readText, refer, superParts } from './members.js';
import { rewriteSpread } from './patterns.js';

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
  if (callee.type === 'Super' && unit.frame.isArrow && unit.mode === 'twin')
    unit.report(node, 'super is called in an arrow function: call it in the constructor itself');
  if (rewritePrivateCallNow(unit, node, callee)) return;
  if (unit.mode === 'plain' || callee.type === 'Super') {
    unit.visit(node.callee);
    return;
  }
  if (unit.mode === 'sync') rewriteCallNow(unit, node, callee);
  else if (callee.type === 'MemberExpression') rewriteMethodCall(unit, node, callee);
  else if (callee.type === 'ChainExpression' && bare(callee.expression).type === 'MemberExpression')
    rewriteChainCall(unit, node, bare(callee.expression) as MemberNode);
  else rewriteFunctionCall(unit, node, callee);
}

function visitArguments(unit: Unit, args: readonly Node[]): void {
  for (const arg of args) {
    if (arg.type === 'SpreadElement') rewriteSpread(unit, arg, 'list');
    else unit.visit(arg);
  }
}

/** A private method is a generator, also for those who can not wait. */
function rewritePrivateCallNow(unit: Unit, node: Of<'CallExpression'>, callee: Node): boolean {
  if (unit.mode === 'twin' || callee.type !== 'MemberExpression' || privateKindOf(unit, callee) !== 'method')
    return false;
  demandNoChain(unit, callee);
  unit.visit(callee.object);
  const { name } = callee.property as Of<'PrivateIdentifier'>;
  const args = listed(node.arguments);
  unit.edits.write(node, [`${unit.rt('finish')}(`, callee.object, `.#${name}(`, ...args, '))']);
  return true;
}

function rewriteCallNow(unit: Unit, node: Of<'CallExpression'>, callee: Node): void {
  if (callee.type === 'MemberExpression') {
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
  if (isGlobalMember(unit, callee, PURE) || isOfFile(callee)) return;
  const args = listed(node.arguments);
  if (callee.object.type === 'Super') {
    const called = unit.temp();
    if (callee.computed) unit.visit(callee.property);
    const [before, after] = askText(unit);
    const parts = [
      `(${called}=${before}`,
      ...superParts(unit, callee),
      `${after},`,
      ...guardOf(unit, node, called),
    ];
    unit.edits.write(node, [...parts, ...callParts(unit, node, called, 'this', args), ')']);
    return;
  }
  const kind = privateKindOf(unit, callee);
  const { parts, reference, isGuarded } = refer(unit, callee);
  const end = isGuarded ? '))' : ')';
  if (kind === 'method') {
    const call = `(yield*${unit.rt('into')}(${reference.member}(`;
    unit.edits.write(node, ['(', ...parts, call, ...args, `),${unit.site(node)}))`, end]);
    return;
  }
  const called = unit.temp();
  const read =
    kind === 'accessor'
      ? `(yield*${unit.rt('into')}(${reference.object}.#${unit.prefix}get_${reference.name.slice(1)}(),${unit.site(callee)}))`
      : readText(unit, callee, reference);
  const call = callParts(unit, node, called, reference.object, args);
  const guard = guardOf(unit, node, called);
  unit.edits.write(node, ['(', ...parts, `${called}=${read},`, ...guard, ...call, end]);
}

/** What ends a chain where `?.(` finds nothing to call. */
function guardOf(unit: Unit, { optional }: Of<'CallExpression'>, called: string): string[] {
  return optional ? [`${called}==null?${unit.rt('no')}:`] : [];
}

/** `(o?.f)()` calls with `o` as its object; where the chain has ended, it calls nothing. */
function rewriteChainCall(unit: Unit, node: Of<'CallExpression'>, callee: MemberNode): void {
  if (privateKindOf(unit, callee) === 'method') demandNoChain(unit, callee);
  const called = unit.temp();
  const { parts, reference, isGuarded } = refer(unit, callee);
  const read = `${readText(unit, callee, reference)}${isGuarded ? ')' : ''}`;
  const ended = `),${called}===${unit.rt('no')}&&(${called}=void 0),`;
  const call = callParts(unit, node, called, reference.object, listed(node.arguments));
  unit.edits.write(node, [
    `(${called}=(`,
    ...parts,
    read,
    ended,
    ...guardOf(unit, node, called),
    ...call,
    ')',
  ]);
}

/** A template with a tag: a call with its strings, which are the same each time, and its values. */
export function rewriteTagged(unit: Unit, node: Of<'TaggedTemplateExpression'>): void {
  const tag = bare(node.tag);
  const isMember = tag.type === 'MemberExpression';
  if (isMember && unit.mode !== 'twin' && tag.object.type !== 'Super') unit.visit(tag.object);
  else if (!isMember) unit.visit(node.tag);
  unit.visit(node.quasi);
  if (isMember && privateKindOf(unit, tag) === 'method')
    unit.report(node, 'a private method before a template: call it with an array of strings');
  if (unit.mode !== 'twin' || (isMember && tag.object.type === 'Super')) return;
  const called = unit.temp();
  const { parts, reference } = isMember ? refer(unit, tag) : { parts: [node.tag], reference: undefined };
  const read =
    reference === undefined
      ? [`${called}=`, ...parts, ',']
      : [...parts, `${called}=${readText(unit, tag, reference)},`];
  const call = `(${unit.told}=${unit.rt('call')}(${called},${reference?.object ?? 'void 0'},${unit.rt('strings')}`;
  unit.edits.write(node, ['(', ...read, call, node.quasi, `,${unit.site(node)}))${steps(unit)})`]);
}

function demandNoChain(unit: Unit, callee: MemberNode): void {
  if (callee.optional || hasOptionalBelow(callee.object))
    unit.report(callee, 'a private method after ?. where nobody can wait for it: test first, then call it');
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
