/**
 * Calls in coroutine mode. The runtime looks up the called function, because only the run determines which one it is:
 *
 *     o.m(x)    becomes    (a=o, f=a.m, (t=rt.call(f,a,[x],site)) ? t<2 ? ((yield rt.p),rt.done()) : yield*rt.g : rt.v)
 *
 * where `a.m` is read as all members are. The `StepAction` of `call` is 0 if the call is done; 1 if the thread has to announce it
 * first (a method of a shared array or Map); 2 if a coroutine runs. Functions of this file that are never assigned, and private
 * methods, are called directly.
 */
import {
  bare,
  type ClassNode,
  hasOptionalBelow,
  type MemberNode,
  type Node,
  nameOf,
  type Of,
} from '../syntax/tree.js';
import { isSuspendable } from './constructors.js';
import type { CoroutineContext } from './context.js';
import { commas } from './functions.js';
import { askText, isOfFile, readText, refer, superParts } from './members.js';
import { rewriteSpread } from './patterns.js';

type Part = string | Node;

/** Functions without effects, by what they belong to, if their arguments need no conversion; `random` is not one of them. */
const PURE: Readonly<Record<string, RegExp>> = {
  Math: /^(?!random$)/,
  Number: /^/,
  Array: /^isArray$/,
  Object: /^is$/,
  BigInt: /^/,
};
/** Functions of global or imported objects that depend on time or randomness, controlled in constructors too. */
const UNCERTAIN = /^(now|hrtime|random|randomUUID|randomInt|randomBytes|randomFillSync|getRandomValues)$/;

export function rewriteCall(context: CoroutineContext, node: Of<'CallExpression'>): void {
  const callee = bare(node.callee);
  if (callee.type === 'Identifier' && callee.name === 'eval' && !context.scope.resolve('eval'))
    context.report(node, 'eval: the code that it runs is not known in advance; write the code out');
  visitArguments(context, node.arguments);
  if (callee.type === 'Super' && context.frame.isArrow && context.mode === 'coroutine')
    context.report(node, 'super is called in an arrow function: call it in the constructor itself');
  if (callee.type === 'Super' && context.frame.base) {
    const [before, after] = context.frame.base;
    context.edits.write(node, [before, ...commas(node.arguments), after]);
    return;
  }
  if (rewritePrivateCallNow(context, node, callee)) return;
  if (context.mode === 'plain' || callee.type === 'Super') {
    context.visit(node.callee);
    return;
  }
  if (context.mode === 'sync') rewriteCallNow(context, node, callee);
  else if (callee.type === 'MemberExpression') rewriteMethodCall(context, node, callee);
  else if (callee.type === 'ChainExpression' && bare(callee.expression).type === 'MemberExpression')
    rewriteChainCall(context, node, bare(callee.expression) as MemberNode);
  else rewriteFunctionCall(context, node, callee);
}

function visitArguments(context: CoroutineContext, args: readonly Node[]): void {
  for (const arg of args) {
    if (arg.type === 'SpreadElement') rewriteSpread(context, arg, 'list');
    else context.visit(arg);
  }
}

/** A private method is a generator in every mode; outside of coroutines it runs to its end. */
function rewritePrivateCallNow(context: CoroutineContext, node: Of<'CallExpression'>, callee: Node): boolean {
  if (
    context.mode === 'coroutine' ||
    callee.type !== 'MemberExpression' ||
    privateKindOf(context, callee) !== 'method'
  )
    return false;
  demandNoChain(context, callee);
  context.visit(callee.object);
  const { name } = callee.property as Of<'PrivateIdentifier'>;
  const args = listed(node.arguments);
  context.edits.write(node, [`${context.rt('finish')}(`, callee.object, `.#${name}(`, ...args, '))']);
  return true;
}

function rewriteCallNow(context: CoroutineContext, node: Of<'CallExpression'>, callee: Node): void {
  const isBind = callee.type === 'MemberExpression' && nameOf(callee.property, callee.computed) === 'bind';
  if (isBind && !callee.optional && !node.optional && callee.object.type !== 'Super') {
    // what a bound function calls, and with which `this`, cannot be read from it
    context.visit(callee.object);
    const args = listed(node.arguments);
    context.edits.write(node, [`${context.rt('bindNow')}(`, callee.object, ',[', ...args, '])']);
    return;
  }
  if (callee.type === 'MemberExpression') {
    const isOutside = isGlobal(context, callee.object) || isImported(context, callee.object);
    if (isOutside && UNCERTAIN.test(nameOf(callee.property, callee.computed) ?? '')) {
      writeCallNow(context, node, context.source.textOf(callee.object));
      return;
    }
  } else if (isImported(context, callee)) {
    writeCallNow(context, node, 'void 0');
    return;
  }
  if (callee.type === 'MemberExpression' && callee.computed) context.targets.add(callee);
  context.visit(node.callee);
}

function writeCallNow(context: CoroutineContext, node: Of<'CallExpression'>, self: string): void {
  const called = context.source.textOf(node.callee);
  context.edits.write(node, [
    `${context.rt('callNow')}(${called},${self},[`,
    ...listed(node.arguments),
    `],${context.site(node)})`,
  ]);
}

function rewriteMethodCall(context: CoroutineContext, node: Of<'CallExpression'>, callee: MemberNode): void {
  const isPure = isGlobalMember(context, callee, PURE) && node.arguments.every(isUsedAsItIs);
  if (isPure || isOfFile(callee)) return;
  const args = listed(node.arguments);
  if (callee.object.type === 'Super') {
    const called = context.temp();
    if (callee.computed) context.visit(callee.property);
    const [before, after] = askText(context);
    const parts = [
      `(${called}=${before}`,
      ...superParts(context, callee),
      `${after},`,
      ...guardOf(context, node, called),
    ];
    context.edits.write(node, [...parts, ...callParts(context, node, called, 'this', args), ')']);
    return;
  }
  const kind = privateKindOf(context, callee);
  const { parts, reference, isGuarded } = refer(context, callee);
  const end = isGuarded ? '))' : ')';
  if (kind === 'method') {
    const call = `(yield*${context.rt('into')}(${reference.member}(`;
    context.edits.write(node, ['(', ...parts, call, ...args, `),${context.site(node)}))`, end]);
    return;
  }
  const called = context.temp();
  const read =
    kind === 'accessor'
      ? `(yield*${context.rt('into')}(${reference.object}.#${context.prefix}get_${reference.name.slice(1)}(),${context.site(callee)}))`
      : readText(context, callee, reference);
  const call = callParts(context, node, called, reference.object, args);
  const guard = guardOf(context, node, called);
  context.edits.write(node, ['(', ...parts, `${called}=${read},`, ...guard, ...call, end]);
}

/** Ends a chain where `?.(` has nothing to call. */
function guardOf(context: CoroutineContext, { optional }: Of<'CallExpression'>, called: string): string[] {
  return optional ? [`${called}==null?${context.rt('no')}:`] : [];
}

/** `(o?.f)()` calls with `o` as its object; where the chain has ended, it calls nothing. */
function rewriteChainCall(context: CoroutineContext, node: Of<'CallExpression'>, callee: MemberNode): void {
  if (privateKindOf(context, callee) === 'method') demandNoChain(context, callee);
  const called = context.temp();
  const { parts, reference, isGuarded } = refer(context, callee);
  const read = `${readText(context, callee, reference)}${isGuarded ? ')' : ''}`;
  const ended = `),${called}===${context.rt('no')}&&(${called}=void 0),`;
  const call = callParts(context, node, called, reference.object, listed(node.arguments));
  context.edits.write(node, [
    `(${called}=(`,
    ...parts,
    read,
    ended,
    ...guardOf(context, node, called),
    ...call,
    ')',
  ]);
}

/** A template with a tag: a call with its strings, which are the same each time, and its values. */
export function rewriteTagged(context: CoroutineContext, node: Of<'TaggedTemplateExpression'>): void {
  const tag = bare(node.tag);
  const isMember = tag.type === 'MemberExpression';
  if (isMember && context.mode !== 'coroutine' && tag.object.type !== 'Super') context.visit(tag.object);
  else if (!isMember) context.visit(node.tag);
  for (const expression of node.quasi.expressions) context.visit(expression);
  if (isMember && privateKindOf(context, tag) === 'method')
    context.report(node, 'a private method before a template: call it with an array of strings');
  if (context.mode !== 'coroutine' || (isMember && tag.object.type === 'Super')) return;
  const called = context.temp();
  const { parts, reference } = isMember ? refer(context, tag) : { parts: [node.tag], reference: undefined };
  const read =
    reference === undefined
      ? [`${called}=`, ...parts, ',']
      : [...parts, `${called}=${readText(context, tag, reference)},`];
  const call = `(${context.action}=${context.rt('call')}(${called},${reference?.object ?? 'void 0'},${context.rt('strings')}`;
  context.edits.write(node, ['(', ...read, call, node.quasi, `,${context.site(node)}))${steps(context)})`]);
}

function demandNoChain(context: CoroutineContext, callee: MemberNode): void {
  if (callee.optional || hasOptionalBelow(callee.object))
    context.report(
      callee,
      'a private method after ?. in code that cannot be suspended: test first, then call it',
    );
}

function rewriteFunctionCall(context: CoroutineContext, node: Of<'CallExpression'>, callee: Node): void {
  const args = listed(node.arguments);
  if (callee.type === 'Identifier') {
    const binding = context.scope.resolve(callee.name);
    const coroutine = binding?.assignments.length === 0 ? context.coroutines.get(binding.node) : undefined;
    if (coroutine !== undefined && binding?.kind === 'function') {
      context.edits.write(node, [
        `(yield*${context.rt('into')}(${coroutine}(`,
        ...args,
        `),${context.site(node)}))`,
      ]);
      return;
    }
  }
  context.visit(node.callee);
  const called = context.temp();
  const below = hasOptionalBelow(node.callee);
  const no = context.rt('no');
  const ended = node.optional ? `==null${below ? `||${called}===${no}` : ''}` : `===${no}`;
  const guard = node.optional || below ? [`)${ended}?${no}:`] : ['),'];
  context.edits.write(node, [
    `((${called}=`,
    node.callee,
    ...guard,
    ...callParts(context, node, called, 'void 0', args),
    ')',
  ]);
}

function callParts(
  context: CoroutineContext,
  node: Node,
  called: string,
  self: string,
  args: readonly Part[],
): Part[] {
  return [
    `(${context.action}=${context.rt('call')}(${called},${self},[`,
    ...args,
    `],${context.site(node)}))${steps(context)}`,
  ];
}

/** The code after `call` returned a `StepAction`. */
function steps(context: CoroutineContext): string {
  const { action } = context;
  return `?${action}<2?((yield ${context.rt('p')}),${context.rt('done')}()):yield*${context.rt('g')}:${context.rt('v')}`;
}

export function rewriteNew(context: CoroutineContext, node: Of<'NewExpression'>): void {
  context.visit(node.callee);
  visitArguments(context, node.arguments);
  if (
    context.mode === 'plain' ||
    isOwnClass(context, node.callee) ||
    (isGlobal(context, node.callee) && isHarmless(node))
  )
    return;
  const args = ['[', ...listed(node.arguments), `],${context.site(node)})`];
  if (context.mode === 'sync')
    context.edits.write(node, [`${context.rt('makeNow')}(`, node.callee, ',', ...args]);
  else {
    const make = `(${context.rt('make')}(`;
    context.edits.write(node, [
      make,
      node.callee,
      ',',
      ...args,
      `?yield*${context.rt('g')}:${context.rt('v')})`,
    ]);
  }
}

/** Is the value of an expression a primitive, whatever it is computed from? */
function isUsedAsItIs(node: Node): boolean {
  const { type } = bare(node);
  return /^(Literal|TemplateLiteral|(Binary|Update)Expression)$/.test(type);
}

function isOwnClass(context: CoroutineContext, callee: Node): boolean {
  if (callee.type !== 'Identifier') return false;
  const binding = context.scope.resolve(callee.name);
  if (binding?.kind !== 'class' || binding.assignments.length > 0) return false;
  return context.mode !== 'coroutine' || !isSuspendable(context, binding.node as ClassNode);
}

function isHarmless({ callee, arguments: args }: Of<'NewExpression'>): boolean {
  const name = callee.type === 'Identifier' ? callee.name : '';
  if (/^(|Type|Range|Syntax|Reference|Eval|URI)Error$|^(|Shared)ArrayBuffer$/.test(name))
    return args.every(isUsedAsItIs);
  return args.length === 0 && name !== 'Date';
}

function isGlobal(context: CoroutineContext, node: Node): boolean {
  return node.type === 'Identifier' && context.scope.resolve(node.name) === undefined;
}

function isImported(context: CoroutineContext, node: Node): boolean {
  return node.type === 'Identifier' && context.scope.resolve(node.name)?.kind === 'import';
}

function isGlobalMember(
  context: CoroutineContext,
  node: MemberNode,
  table: Readonly<Record<string, RegExp>>,
): boolean {
  const name = nameOf(node.property, node.computed);
  if (name === undefined || node.object.type !== 'Identifier' || !isGlobal(context, node.object))
    return false;
  return Object.hasOwn(table, node.object.name) && table[node.object.name].test(name);
}

function privateKindOf(context: CoroutineContext, { property }: MemberNode): string | undefined {
  return property.type === 'PrivateIdentifier' ? context.privateKind(property.name) : undefined;
}

function listed(nodes: readonly Node[]): Part[] {
  return nodes.flatMap((node, i) => (i === 0 ? [node] : [',', node]));
}
