/**
 * Reading members: `o.f`, `o[k]`, `o.#f`, and chains of them with `?.`.
 *
 *     o.f    becomes    ((t=rt.read(a=o,"f",site))<2 ? t ? ((yield rt.p),rt.saw(a.f)) : a.f : yield*rt.g)
 *
 * The answer of `read`: 0, nobody else can see the object, or the field never
 * changes; 1, announce; 2, a getter with a twin is to be run. A chain that ends
 * early hands a mark (`rt.no`) up to its end. In sync mode the object is looked at
 * on its way, and stays what can be read, assigned and called alike: `rt.now(o,"f",site).f`.
 */
import { bare, hasOptionalBelow, type MemberNode, type Node, nameOf, type Of } from '../syntax/tree.js';
import type { Unit } from './context.js';

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

export function rewriteMember(unit: Unit, node: MemberNode): void {
  if (isOfFile(node)) return;
  if (unit.mode === 'twin' && !(node.object.type === 'Super')) {
    if (rewritePrivateMethod(unit, node)) return;
    const { parts, reference, isGuarded } = refer(unit, node);
    const read = readText(unit, node, reference);
    unit.edits.write(node, ['(', ...parts, read, isGuarded ? ')' : '', ')']);
    return;
  }
  unit.visit(node.object);
  if (node.computed) unit.visit(node.property);
  if (node.object.type === 'Super') rewriteSuper(unit, node);
  else if (unit.mode === 'sync') checkNow(unit, node);
  else rewritePrivateMethod(unit, node);
}

/** Code that can not be interrupted asks before it touches an object. */
function checkNow(unit: Unit, node: MemberNode): void {
  if (rewritePrivateMethod(unit, node)) return;
  if (node.object.type === 'ThisExpression' || hasOptionalBelow(node.object)) return;
  const name = nameOf(node.property, node.computed) ?? '';
  unit.edits.before(node.object, `${unit.rt(unit.targets.has(node) ? 'now' : 'glance')}(`);
  unit.edits.after(node.object, `,${unit.site(node, name)})`);
}

/** A private method is a generator; whoever wants it as a value gets a function. Its calls do not come here. */
function rewritePrivateMethod(unit: Unit, node: MemberNode): boolean {
  if (node.property.type !== 'PrivateIdentifier') return false;
  const { name } = node.property;
  const kind = unit.privateKind(name);
  if (kind === 'field') return false;
  const get = `#${unit.prefix}get_${name}()`;
  if (unit.mode === 'twin') {
    const { parts, reference, isGuarded } = refer(unit, node);
    const read =
      kind === 'method'
        ? `${unit.rt('plain')}(${reference.member},${unit.site(node)})`
        : `(yield*${unit.rt('into')}(${reference.object}.${get},${unit.site(node)}))`;
    unit.edits.write(node, ['(', ...parts, read, isGuarded ? '))' : ')']);
    return true;
  }
  if (node.optional || hasOptionalBelow(node.object))
    unit.report(node, 'a private method after ?. where nobody can wait for it: test first, then use it');
  if (kind === 'method')
    unit.edits.write(node, [`${unit.rt('plain')}(`, node.object, `.#${name},${unit.site(node)})`]);
  else unit.edits.write(node, [`${unit.rt('finish')}(`, node.object, `.${get})`]);
  return true;
}

/** `super.f`: a method, or what an accessor gives. In an arrow function, which becomes a function of its own, it was prepared. */
function rewriteSuper(unit: Unit, node: MemberNode): void {
  if (unit.mode !== 'twin') return;
  const [before, after] = askText(unit);
  unit.edits.write(node, [before, ...superParts(unit, node), after]);
}

/** Around what reads a member of `super`: an accessor hands its coroutine over. */
export function askText(unit: Unit): [before: string, after: string] {
  const value = unit.temp();
  return [`(${unit.rt('ask')}(),${value}=`, `,${unit.rt('isAsked')}()?yield*${unit.rt('g')}:${value})`];
}

export function superParts(unit: Unit, node: MemberNode): Part[] {
  if (!unit.frame.isArrow || unit.mode !== 'twin') return [node];
  let frame = unit.frame;
  while (frame.isArrow && frame.outer) frame = frame.outer;
  if (!frame.hasSuper)
    unit.report(node, 'super in an arrow function outside of a method: call a method that uses it');
  frame.usesSuper = true;
  const prepared = `${unit.prefix}super(`;
  const name = nameOf(node.property, node.computed);
  return name === undefined ? [`${prepared}(`, node.property, '))'] : [`${prepared}${JSON.stringify(name)})`];
}

/**
 * Visits object and key, and gives what puts them into variables, up to where the
 * member can be used. If a guard of `?.` is open, one more parenthesis has to be closed.
 */
export function refer(
  unit: Unit,
  node: MemberNode,
): { parts: Part[]; reference: Reference; isGuarded: boolean } {
  unit.visit(node.object);
  if (node.computed) unit.visit(node.property);
  const name = nameOf(node.property, node.computed);
  const below = hasOptionalBelow(node.object);
  const simple = isStable(unit, node.object) && !node.optional;
  const object = simple ? unit.source.textOf(node.object) : unit.temp();
  const parts: Part[] = [];
  let isGuarded = false;
  if (node.optional || below) {
    const no = unit.rt('no');
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
    const key = unit.source.textOf(node.property);
    return { parts, reference: { object, key, member: `${object}[${key}]`, name: name ?? '' }, isGuarded };
  }
  const key = isStable(unit, node.property) ? unit.source.textOf(node.property) : unit.temp();
  if (key.startsWith(unit.prefix)) parts.push(`${key}=(`, node.property, '),');
  return { parts, reference: { object, key, member: `${object}[${key}]`, name: '' }, isGuarded };
}

export function readText(unit: Unit, node: Node, { object, key, member, name }: Reference): string {
  const { told } = unit;
  const read = `(${told}=${unit.rt('read')}(${object},${key},${unit.site(node, name)}))`;
  return `(${read}<2?${told}?((yield ${unit.rt('p')}),${unit.rt('saw')}(${member})):${member}:yield*${unit.rt('g')})`;
}

export function writeText(
  unit: Unit,
  node: Node,
  { object, key, member, name }: Reference,
  value: string,
): string {
  const { told } = unit;
  const write = `(${told}=${unit.rt('write')}(${object},${key},${value},${unit.site(node, name)}))`;
  return `(${write}<2?(${told}&&(yield ${unit.rt('p')}),${member}=${value}):(yield*${unit.rt('g')},${value}))`;
}

export function rewriteChain(unit: Unit, node: Of<'ChainExpression'>): void {
  unit.visit(node.expression);
  if (unit.mode !== 'twin') return;
  const value = unit.temp();
  unit.edits.write(node, [`((${value}=`, node.expression, `)===${unit.rt('no')}?void 0:${value})`]);
}

/** `import.meta.url`: nobody changes it, and whoever loads the file looks for it as it stands. */
export function isOfFile({ object }: MemberNode): boolean {
  return object.type === 'MetaProperty' && object.meta.name === 'import';
}

/** `this`, or a variable that nobody assigns: it can be named twice. */
function isStable(unit: Unit, expression: Node): boolean {
  const node = bare(expression);
  if (node !== expression) return false;
  if (node.type === 'ThisExpression') return true;
  if (node.type === 'Literal') return typeof node.value === 'number';
  if (node.type !== 'Identifier') return false;
  const binding = unit.scope.resolve(node.name);
  return binding !== undefined && binding.assignments.length === 0;
}
