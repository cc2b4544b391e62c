/**
 * Classes, and objects with methods. Methods and accessors become generators. A static block at the start turns each into a
 * function that runs the generator to its end, with the generator as its coroutine version (`rt.members`).
 *
 *     class A { m() {…} }     class A {static{rt.members(this.prototype,["m"],…)} *m() {…} }
 *     get x() {…}             *["get_x"]() {…}, defined as an accessor in the same way
 *
 * Constructors and initializers: constructors.ts.
 *
 * Private methods stay generators; every caller knows them by name. Only code inside the class can read private fields, so the
 * static block gives the runtime a function that visits them (`rt.hidden`), and one that reads what the methods capture.
 */
import type { Binding } from '../syntax/scope.js';
import { type ClassNode, type Node, nameOf, type Of } from '../syntax/tree.js';
import { isErased } from '../syntax/types.js';
import { rewriteConverted } from './assignments.js';
import {
  isSuspendable,
  rewriteField,
  type SuspendableConstructor,
  suspendableConstructor,
} from './constructors.js';
import type { CoroutineContext, PrivateKind } from './context.js';
import { coroutineParts, isAsyncOrGenerator, rewriteConstructor, rewriteUnsupported } from './functions.js';
import { rewriteSpread, trackedAs } from './patterns.js';

/** Expressions of the names of members that have become generators. */
interface Members {
  readonly methods: string[];
  readonly getters: string[];
  readonly setters: string[];
}

const none = (): Members => ({ methods: [], getters: [], setters: [] });

export function rewriteClass(context: CoroutineContext, node: ClassNode): void {
  if (node.superClass) context.visit(node.superClass);
  context.privates.push(privatesOf(node));
  const own = none();
  const statics = none();
  const made = isSuspendable(context, node) ? suspendableConstructor(context, node) : undefined;
  for (const member of node.body.body)
    if (!isErased(member)) rewriteElement(context, member, own, statics, made);
  const text =
    membersText(context, node, 'this', statics) + hiddenText(context, node) + (made?.registration ?? '');
  context.edits.at(
    node.body.start + 1,
    `static{${knownText(context, node)}${membersText(context, node, 'this.prototype', own)}${text}}${missingText(context, node)}${made?.member ?? ''}`,
  );
  context.privates.pop();
}

/** Registers a class, with the name that it would get from its original position. */
function knownText(context: CoroutineContext, node: ClassNode): string {
  const isNamed = node.body.body.some(
    (member) =>
      'key' in member &&
      'static' in member &&
      member.static &&
      nameOf(member.key, member.computed) === 'name',
  );
  const isAsItStands = context.mode === 'plain' && node.type === 'ClassExpression';
  const name = node.id || isNamed || isAsItStands ? undefined : context.nameAt(node);
  return `${context.rt('known')}(this${name === undefined ? '' : `,${JSON.stringify(name)}`});`;
}

/** The missing half of a private accessor that has only a getter or only a setter: it throws. */
function missingText(context: CoroutineContext, node: ClassNode): string {
  const kinds = new Map<string, Of<'MethodDefinition'>[]>();
  for (const member of node.body.body)
    if (
      member.type === 'MethodDefinition' &&
      member.key.type === 'PrivateIdentifier' &&
      member.kind !== 'method'
    )
      kinds.set(member.key.name, [...(kinds.get(member.key.name) ?? []), member]);
  return [...kinds]
    .map(([name, [one, other]]) => {
      if (other !== undefined) return '';
      const [missing, what] = one.kind === 'get' ? ['set', 'setter'] : ['get', 'getter'];
      const error = JSON.stringify(`'#${name}' was defined without a ${what}`);
      return `${one.static ? 'static ' : ''}*#${context.prefix}${missing}_${name}(){throw new TypeError(${error})}`;
    })
    .join('');
}

function privatesOf(node: ClassNode): Map<string, PrivateKind> {
  const kinds = new Map<string, PrivateKind>();
  for (const member of node.body.body) {
    if (!('key' in member) || member.key.type !== 'PrivateIdentifier') continue;
    const isMethod = member.type === 'MethodDefinition';
    const kind =
      !isMethod || isAsyncOrGenerator(member.value as never)
        ? 'field'
        : member.kind === 'method'
          ? 'method'
          : 'accessor';
    kinds.set(member.key.name, kind);
  }
  return kinds;
}

function rewriteElement(
  context: CoroutineContext,
  member: Node,
  own: Members,
  statics: Members,
  made: SuspendableConstructor | undefined,
): void {
  switch (member.type) {
    case 'MethodDefinition':
      if (member.kind === 'constructor') {
        if (made !== undefined)
          context.edits.replace({ start: member.key.start, end: member.value.start }, made.body);
        rewriteConstructor(context, member.value as never, made === undefined ? 'sync' : 'coroutine', made);
      } else {
        rewriteMethod(context, member, member.static ? statics : own);
        // a star must not continue the field before
        context.edits.before(member, ';');
      }
      return;
    case 'PropertyDefinition':
      if (member.computed) rewriteConverted(context, member.key, 'string');
      if (made?.fields.has(member)) rewriteField(context, member, made.fields.get(member)!);
      else if (member.value) initialize(context, member, () => context.visit(member.value!));
      return;
    case 'StaticBlock':
      initialize(context, member, () => context.visitList(member.body));
      return;
    case 'AccessorProperty':
      context.report(member, 'an auto-accessor: write a field, or a getter and a setter');
  }
}

function initialize(context: CoroutineContext, member: Node, inside: () => void): void {
  const [, frame] = context.within('sync', { isArrow: false, hasSuper: false }, () =>
    context.inScope(member, inside),
  );
  context.lend(frame);
}

/** A method of a class or of an object. `member.value` starts at the parameters. */
function rewriteMethod(
  context: CoroutineContext,
  member: Of<'MethodDefinition' | 'Property'>,
  into: Members,
): void {
  const { key, kind, computed } = member;
  const value = member.value as Of<'FunctionExpression'>;
  const { edits } = context;
  if (computed) rewriteConverted(context, key, 'string');
  if (isAsyncOrGenerator(value)) {
    rewriteUnsupported(context, value);
    return;
  }
  const name = nameOf(key, computed);
  if (kind === 'get' || kind === 'set') {
    const start = member.start + context.source.textOf(member).search(kind === 'get' ? /\bget\b/ : /\bset\b/);
    if (name === undefined) {
      const [given, stands] = [context.temp(), context.temp()];
      edits.replace({ start, end: key.start }, `${kind}[${given}=${context.rt('key')}(`);
      edits.replace(
        { start: key.end, end: value.start },
        `)](${kind === 'set' ? 'v' : ''}){}${besideText(member)}*[${stands}=${context.rt('unique')}()]`,
      );
      (kind === 'get' ? into.getters : into.setters).push(`[${given},${stands}]`);
      edits.write(value, coroutineParts(context, value, true));
      return;
    }
    const coroutine = `${context.prefix}${kind}_${name.replace('#', '')}`;
    // one that does nothing keeps the place among the keys
    const empty = `${kind}[${JSON.stringify(name)}](${kind === 'set' ? 'v' : ''}){}${besideText(member)}`;
    edits.replace(
      { start, end: value.start },
      key.type === 'PrivateIdentifier' ? `*#${coroutine}` : `${empty}*[${JSON.stringify(coroutine)}]`,
    );
    if (key.type !== 'PrivateIdentifier')
      (kind === 'get' ? into.getters : into.setters).push(JSON.stringify([name, coroutine]));
  } else if (computed && name === undefined) {
    const temp = context.temp();
    edits.replace({ start: bracket(context, key), end: key.start }, `*[${temp}=`);
    into.methods.push(temp);
  } else {
    edits.before({ start: computed ? bracket(context, key) : key.start, end: key.end }, '*');
    if (key.type !== 'PrivateIdentifier') into.methods.push(JSON.stringify(name));
  }
  edits.write(value, coroutineParts(context, value, true));
}

/** What comes between two members. */
function besideText(member: Of<'MethodDefinition' | 'Property'>): string {
  if (member.type === 'Property') return ',';
  return member.static ? ' static ' : '';
}

/** Where the bracket of a computed key opens. */
function bracket(context: CoroutineContext, key: Node): number {
  return context.source.text.lastIndexOf('[', key.start - 1);
}

function membersText(
  context: CoroutineContext,
  node: Node,
  object: string,
  { methods, getters, setters }: Members,
): string {
  if (methods.length + getters.length + setters.length === 0) return '';
  return `${context.rt('members')}(${object},${lists([methods, getters, setters])},0,${context.site(node)});`;
}

function lists(members: readonly (readonly string[])[]): string {
  return members.map((names) => `[${names.join()}]`).join();
}

/** Registers the private fields of instances and of the class, and the variables that methods capture. */
function hiddenText(context: CoroutineContext, node: ClassNode): string {
  const fields = node.body.body.flatMap((member) =>
    member.type === 'PropertyDefinition' && member.key.type === 'PrivateIdentifier' ? [member.key.name] : [],
  );
  const held = context.captured(capturesOf(context, node.body.body));
  if (fields.length === 0 && held === '0') return '';
  const looks = fields.map((name) => `#${name} in o&&v(o.#${name},x=>{o.#${name}=x},"#${name}");`).join('');
  return `${context.rt('hidden')}(this,(o,v)=>{${looks}},${held});`;
}

function capturesOf(context: CoroutineContext, members: readonly Node[]): Set<Binding> {
  const captures = new Set<Binding>();
  for (const member of members) {
    const opened =
      context.scopes.of(member) ?? ('value' in member ? context.scopes.of(member.value as Node) : undefined);
    for (const binding of opened?.captures ?? []) captures.add(binding);
  }
  return captures;
}

export function rewriteObject(context: CoroutineContext, node: Of<'ObjectExpression'>): void {
  const members = none();
  for (const property of node.properties) {
    if (property.type === 'SpreadElement') rewriteSpread(context, property, 'object');
    else if (property.method || property.kind !== 'init') rewriteMethod(context, property, members);
    else {
      if (property.computed) rewriteConverted(context, property.key, 'string');
      context.visit(property.value);
      if (property.shorthand && trackedAs(context, property.value))
        context.edits.before(property, `${(property.key as Of<'Identifier'>).name}:`);
    }
  }
  const { methods, getters, setters } = members;
  if (methods.length + getters.length + setters.length === 0) return;
  const held = context.captured(capturesOf(context, node.properties));
  context.edits.before(node, `${context.rt('members')}(`);
  context.edits.after(node, `,${lists([methods, getters, setters])},${held},${context.site(node)})`);
}
