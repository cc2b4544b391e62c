/**
 * Reads of members: `o.f`, `o[k]`, `o.#f`, and chains of them with `?.`.
 *
 *     o.f    becomes    ((t=rt.read(a=o,"f",site))<2 ? t ? ((yield rt.p),rt.observe(a.f)) : a.f : yield*rt.g)
 *
 * The `StepAction` of `read` is 0 if no other thread can reach the object, or the field is immutable; 1 if the thread has to
 * announce the read; 2 if a getter runs as a coroutine. A chain that ends early passes a mark (`rt.no`) up to its end. In sync mode
 * the object passes through a check, and can still be read, assigned or called: `rt.now(o,"f",site).f`.
 */
import { bare, hasOptionalBelow, type MemberNode, type Node, nameOf, type Of } from '../syntax/tree.js';
import type { CoroutineContext } from './context.js';

/** A member whose object, and computed key, are in variables. */
export interface Reference {
  /** The object and the key, as expressions without effects. */
  readonly object: string;
  readonly key: string;
  /** The member itself, to read and to assign. */
  readonly member: string;
  readonly name: string;
}

type Part = string | Node;

export function rewriteMember(context: CoroutineContext, node: MemberNode): void {
  if (isOfFile(node)) return;
  if (context.mode === 'coroutine' && !(node.object.type === 'Super')) {
    if (rewritePrivateMethod(context, node)) return;
    const { parts, reference, isGuarded } = refer(context, node);
    const read = readText(context, node, reference);
    context.edits.write(node, ['(', ...parts, read, isGuarded ? ')' : '', ')']);
    return;
  }
  context.visit(node.object);
  if (node.computed) context.visit(node.property);
  if (node.object.type === 'Super') rewriteSuper(context, node);
  else if (context.mode === 'sync') checkNow(context, node);
  else rewritePrivateMethod(context, node);
}

/** In sync mode the runtime checks the object before it is used. */
function checkNow(context: CoroutineContext, node: MemberNode): void {
  if (rewritePrivateMethod(context, node)) return;
  const isOwn = node.object.type === 'ThisExpression';
  if (isOwn || hasOptionalBelow(node.object)) return;
  const name = nameOf(node.property, node.computed) ?? '';
  context.edits.before(node.object, `${context.rt(context.targets.has(node) ? 'now' : 'glance')}(`);
  context.edits.after(node.object, `,${context.site(node, name)})`);
}

/** A private method is a generator; used as a value it becomes a function. Calls of it are in calls.ts. */
function rewritePrivateMethod(context: CoroutineContext, node: MemberNode): boolean {
  if (node.property.type !== 'PrivateIdentifier') return false;
  const { name } = node.property;
  const kind = context.privateKind(name);
  if (kind === 'field') return false;
  const get = `#${context.prefix}get_${name}()`;
  if (context.mode === 'coroutine') {
    const { parts, reference, isGuarded } = refer(context, node);
    const read =
      kind === 'method'
        ? `${context.rt('plain')}(${reference.member},${context.site(node)})`
        : `(yield*${context.rt('into')}(${reference.object}.${get},${context.site(node)}))`;
    context.edits.write(node, ['(', ...parts, read, isGuarded ? '))' : ')']);
    return true;
  }
  if (node.optional || hasOptionalBelow(node.object))
    context.report(
      node,
      'a private method after ?. in code that cannot be suspended: test first, then use it',
    );
  if (kind === 'method')
    context.edits.write(node, [`${context.rt('plain')}(`, node.object, `.#${name},${context.site(node)})`]);
  else context.edits.write(node, [`${context.rt('finish')}(`, node.object, `.${get})`]);
  return true;
}

/** `super.f`. An arrow function, which becomes a generator, reads it through a function that the method around it prepares. */
function rewriteSuper(context: CoroutineContext, node: MemberNode): void {
  if (context.mode !== 'coroutine') return;
  const [before, after] = askText(context);
  context.edits.write(node, [before, ...superParts(context, node), after]);
}

/** Text around a read of a member of `super`: an accessor leaves its coroutine instead of running. */
export function askText(context: CoroutineContext): [before: string, after: string] {
  const value = context.temp();
  return [
    `(${context.rt('ask')}(),${value}=`,
    `,${context.rt('isAsked')}()?yield*${context.rt('g')}:${value})`,
  ];
}

export function superParts(context: CoroutineContext, node: MemberNode): Part[] {
  if (!context.frame.isArrow || context.mode !== 'coroutine') return [node];
  let frame = context.frame;
  while (frame.isArrow && frame.outer) frame = frame.outer;
  if (!frame.hasSuper)
    context.report(node, 'super in an arrow function outside of a method: call a method that uses it');
  frame.usesSuper = true;
  const prepared = `${context.prefix}super(`;
  const name = nameOf(node.property, node.computed);
  return name === undefined ? [`${prepared}(`, node.property, '))'] : [`${prepared}${JSON.stringify(name)})`];
}

/**
 * Visits object and key, and gives what puts them into variables, up to where the
 * member can be used. If a guard of `?.` is open, one more parenthesis has to be closed.
 */
export function refer(
  context: CoroutineContext,
  node: MemberNode,
): { parts: Part[]; reference: Reference; isGuarded: boolean } {
  context.visit(node.object);
  if (node.computed) context.visit(node.property);
  const name = nameOf(node.property, node.computed);
  const below = hasOptionalBelow(node.object);
  const simple = isStable(context, node.object) && !node.optional;
  const object = simple ? context.source.textOf(node.object) : context.temp();
  const parts: Part[] = [];
  let isGuarded = false;
  if (node.optional || below) {
    const no = context.rt('no');
    const ended = node.optional ? `==null${below ? `||${object}===${no}` : ''}` : `===${no}`;
    parts.push(`(${object}=`, node.object, `)${ended}?${no}:(`);
    isGuarded = true;
  } else if (!simple) parts.push(`${object}=`, node.object, ',');
  if (name !== undefined && node.property.type !== 'Literal') {
    return {
      parts,
      reference: { object, key: JSON.stringify(name), member: `${object}.${name}`, name },
      isGuarded,
    };
  }
  if (node.property.type === 'Literal') {
    const key = context.source.textOf(node.property);
    return { parts, reference: { object, key, member: `${object}[${key}]`, name: name ?? '' }, isGuarded };
  }
  const key = isStable(context, node.property) ? context.source.textOf(node.property) : context.temp();
  if (key.startsWith(context.prefix)) parts.push(`${key}=(`, node.property, '),');
  return { parts, reference: { object, key, member: `${object}[${key}]`, name: '' }, isGuarded };
}

export function readText(
  context: CoroutineContext,
  node: Node,
  { object, key, member, name }: Reference,
): string {
  const { action } = context;
  const read = `(${action}=${context.rt('read')}(${object},${key},${context.site(node, name)}))`;
  return `(${read}<2?${action}?((yield ${context.rt('p')}),${context.rt('observe')}(${member})):${member}:yield*${context.rt('g')})`;
}

export function writeText(
  context: CoroutineContext,
  node: Node,
  { object, key, member, name }: Reference,
  value: string,
): string {
  const { action } = context;
  const write = `(${action}=${context.rt('write')}(${object},${key},${value},${context.site(node, name)}))`;
  // private fields are there from the start
  const adding = name.startsWith('#') ? '' : `,${context.rt('adding')}(${object},${key})`;
  return `(${write}<2?(${action}&&((yield ${context.rt('p')})${adding}),${member}=${value}):(yield*${context.rt('g')},${value}))`;
}

export function rewriteChain(context: CoroutineContext, node: Of<'ChainExpression'>): void {
  context.visit(node.expression);
  if (context.mode !== 'coroutine') return;
  const value = context.temp();
  context.edits.write(node, [`((${value}=`, node.expression, `)===${context.rt('no')}?void 0:${value})`]);
}

/** `import.meta.url` is constant, and the module loader replaces it textually. */
export function isOfFile({ object }: MemberNode): boolean {
  return object.type === 'MetaProperty' && object.meta.name === 'import';
}

/** `this`, or a variable that is never assigned: it can be evaluated twice. */
function isStable(context: CoroutineContext, expression: Node): boolean {
  const node = bare(expression);
  if (node !== expression) return false;
  if (node.type === 'ThisExpression') return true;
  if (node.type === 'Literal') return typeof node.value === 'number';
  if (node.type !== 'Identifier') return false;
  const binding = context.scope.resolve(node.name);
  return binding !== undefined && binding.assignments.length === 0;
}
