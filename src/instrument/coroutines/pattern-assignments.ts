/**
 * Assignments to patterns: `[this.a, this.b] = [this.b, this.a]`.
 *
 * Where nothing but variables of the function itself are assigned, the pattern stays. Else it is written out, in the order
 * in which all of it is evaluated: first the value, then for each part what it is assigned to, the part, its default, and the assignment. So a part can
 * depend on those before it, as in `[i, a[i]] = [1, 2]`.
 */
import type { Binding } from '../syntax/scope.js';
import { bare, type MemberNode, type Node, nameOf, type Of, targetsOf } from '../syntax/tree.js';
import type { Unit } from './context.js';
import { askText, readText, refer, writeText } from './members.js';
import { checkVariable, getText, pickText, setText, trackedAs, visitDefaults } from './patterns.js';

/* What is assigned, wherever that is done: a variable that functions share, a member, a private accessor. */

/** What can be assigned: how to get at it, read it, write it. */
interface Target {
  readonly parts: readonly (string | Node)[];
  readonly read: () => string;
  readonly write: (value: string) => string;
}

/** Visits a target. Undefined: it may stay as it is. */
export function targetOf(unit: Unit, left: Node, whole: Node): Target | undefined {
  if (left.type === 'Identifier') {
    const binding: Binding | undefined = trackedAs(unit, left);
    if (unit.mode !== 'plain' && unit.scope.resolve(left.name) === undefined)
      unit.report(left, `${left.name} is not declared in this file: declare it, or pass it as an object`);
    if (binding === undefined) return undefined;
    if (unit.mode === 'sync') {
      checkVariable(unit, left, whole, binding);
      return undefined;
    }
    return {
      parts: [],
      read: () => getText(unit, left, binding),
      write: (value) => setText(unit, left, binding, value),
    };
  }
  const accessor = left.type === 'MemberExpression' ? privateAccessor(unit, left) : undefined;
  if (accessor !== undefined) return accessor;
  if (left.type === 'MemberExpression' && unit.mode === 'twin') {
    if (left.object.type !== 'Super') return memberTarget(unit, left);
    if (unit.frame.isArrow)
      unit.report(left, 'super is assigned to in an arrow function: do it in the method itself');
    return superTarget(unit, left);
  }
  unit.targets.add(left);
  unit.visit(left);
  return undefined;
}

/** `super.f = …`: a setter of the base, or a field of the object itself. */
function superTarget(unit: Unit, left: MemberNode): Target {
  const name = nameOf(left.property, left.computed);
  const key = name === undefined ? unit.temp() : JSON.stringify(name);
  if (name === undefined) unit.visit(left.property);
  const [before, after] = askText(unit);
  const [begin, end] = askText(unit);
  const site = unit.site(left, name);
  return {
    parts: name === undefined ? [`${key}=(`, left.property, '),'] : [],
    read: () => `${before}super[${key}]${after}`,
    write: (value) =>
      `(${unit.rt('assign')}(this,${key},${value},${site})&&(yield ${unit.rt('p')}),${begin}(super[${key}]=${value})${end},${value})`,
  };
}

function memberTarget(unit: Unit, left: MemberNode): Target {
  const { parts, reference } = refer(unit, left);
  return {
    parts,
    read: () => readText(unit, left, reference),
    write: (value) => writeText(unit, left, reference, value),
  };
}

function privateAccessor(unit: Unit, left: MemberNode): Target | undefined {
  if (left.property.type !== 'PrivateIdentifier' || unit.privateKind(left.property.name) !== 'accessor')
    return undefined;
  unit.visit(left.object);
  const object = unit.temp();
  const site = unit.site(left);
  const { name } = left.property;
  const run = (call: string): string =>
    unit.mode === 'twin' ? `(yield*${unit.rt('into')}(${call},${site}))` : `${unit.rt('finish')}(${call})`;
  return {
    parts: [`${object}=`, left.object, ','],
    read: () => run(`${object}.#${unit.prefix}get_${name}()`),
    write: (value) => `(${run(`${object}.#${unit.prefix}set_${name}(${value})`)},${value})`,
  };
}

type Pattern = Of<'ArrayPattern' | 'ObjectPattern'>;

export function rewritePatternAssignment(
  unit: Unit,
  node: Of<'AssignmentExpression'>,
  pattern: Pattern,
): void {
  const isOwn = [...targetsOf(pattern)].every(
    (target) => target.type === 'Identifier' && trackedAs(unit, target) === undefined,
  );
  if (unit.mode !== 'twin' || isOwn) {
    keepPattern(unit, node);
    return;
  }
  const value = unit.temp();
  const text = writtenOut(unit, pattern, value);
  unit.visit(node.right);
  unit.edits.blank({ start: node.start, end: node.right.start }, text);
  unit.edits.before(node.right, `(${value}=(`);
  unit.edits.after(node.right, `),${text},${value})`);
}

function keepPattern(unit: Unit, node: Of<'AssignmentExpression'>): void {
  visitDefaults(unit, node.left);
  for (const target of targetsOf(node.left))
    if (target.type === 'MemberExpression') {
      if (
        target.property.type === 'PrivateIdentifier' &&
        unit.privateKind(target.property.name) === 'accessor'
      )
        unit.report(
          target,
          'a private accessor in a pattern, where nobody can wait for it: assign it by itself',
        );
      unit.targets.add(target);
      unit.visit(target);
    }
  unit.visit(node.right);
  if (unit.mode === 'plain') return;
  // the value of the whole is what stands on the right, as it was
  const [before, after] = pickText(unit, node.left);
  const value = unit.mode === 'twin' ? unit.temp() : '';
  unit.edits.before(node.right, value === '' ? before : `${before}${value}=(`);
  unit.edits.after(node.right, value === '' ? after : `)${after}`);
  if (value === '') return;
  unit.edits.before(node, '(');
  unit.edits.after(node, `,${value})`);
}

/** All that a pattern does with a value, as expressions with commas between them. */
function writtenOut(unit: Unit, pattern: Pattern, value: string): string {
  return (pattern.type === 'ArrayPattern' ? elements : fields)(unit, pattern as never, value).join();
}

function elements(unit: Unit, pattern: Of<'ArrayPattern'>, value: string): string[] {
  const list = unit.temp();
  const hasRest = pattern.elements.at(-1)?.type === 'RestElement';
  const most = hasRest ? 'Infinity' : pattern.elements.length;
  return [
    `${list}=(yield*${unit.rt('all')}(${value},${unit.site(pattern)},${most}))`,
    ...pattern.elements.flatMap((element, i) => {
      if (element === null) return [];
      const isRest = element.type === 'RestElement';
      return part(unit, isRest ? element.argument : element, `${list}${isRest ? `.slice(${i})` : `[${i}]`}`);
    }),
  ];
}

function fields(unit: Unit, pattern: Of<'ObjectPattern'>, value: string): string[] {
  const taken: string[] = [];
  return [
    `${unit.rt('demandObject')}(${value})`,
    ...pattern.properties.flatMap((property) => {
      if (property.type === 'RestElement')
        return part(
          unit,
          property.argument,
          `(yield*${unit.rt('others')}(${value},[${taken.join()}],${unit.site(property)}))`,
        );
      const name = nameOf(property.key, property.computed);
      const key = name === undefined ? unit.temp() : JSON.stringify(name);
      taken.push(key);
      const read = readText(unit, property, {
        object: value,
        key,
        member: `${value}[${key}]`,
        name: name ?? '',
      });
      return [
        ...(name === undefined ? [`${key}=${unit.rt('key')}(${textOf(unit, property.key)})`] : []),
        ...part(unit, property.value, read),
      ];
    }),
  ];
}

/** Assigns one part of a value. */
function part(unit: Unit, pattern: Node, given: string): string[] {
  const left = bare(pattern.type === 'AssignmentPattern' ? pattern.left : pattern);
  const value = unit.temp();
  const { before, write } = isPattern(left)
    ? { before: '', write: writtenOut(unit, left, value) }
    : assigned(unit, left, value);
  const otherwise =
    pattern.type === 'AssignmentPattern'
      ? [`${value}===void 0&&(${value}=(${textOf(unit, pattern.right)}))`]
      : [];
  return [...(before === '' ? [] : [before]), `${value}=${given}`, ...otherwise, write];
}

/** What is to be evaluated before the part is read, and the assignment. */
function assigned(unit: Unit, left: Node, value: string): { before: string; write: string } {
  const target = targetOf(unit, left, left);
  if (target === undefined) return { before: '', write: `${unit.edits.move(left, '')}=${value}` };
  if (target.parts.length === 0) return { before: '', write: target.write(value) };
  unit.edits.write(left, ['', ...target.parts, '0']);
  return { before: unit.edits.move(left, ''), write: target.write(value) };
}

/** The text of a child, taken out of the pattern. */
function textOf(unit: Unit, node: Node): string {
  unit.visit(node);
  return unit.edits.move(node, '');
}

function isPattern(node: Node): node is Pattern {
  return node.type === 'ArrayPattern' || node.type === 'ObjectPattern';
}
