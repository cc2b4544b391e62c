/**
 * Targets of assignments, and assignments to patterns: `[this.a, this.b] = [this.b, this.a]`.
 *
 * If a pattern assigns only untracked variables, it stays. Otherwise it is expanded in evaluation order: the value first, then for
 * each part the target, the part, its default, and the assignment. So a part can depend on those before it: `[i, a[i]] = [1, 2]`.
 */
import type { Binding } from '../syntax/scope.js';
import { bare, type MemberNode, type Node, nameOf, type Of, targetsOf } from '../syntax/tree.js';
import type { CoroutineContext } from './context.js';
import { askText, readText, refer, writeText } from './members.js';
import { checkVariable, getText, pickText, setText, trackedAs, visitDefaults } from './patterns.js';

/** A target of an assignment that is rewritten: text that evaluates its parts, reads it, writes it. */
interface Target {
  readonly parts: readonly (string | Node)[];
  readonly read: () => string;
  readonly write: (value: string) => string;
}

/** Visits a target. Undefined if it stays as it is. */
export function targetOf(context: CoroutineContext, left: Node, whole: Node): Target | undefined {
  if (left.type === 'Identifier') {
    const binding: Binding | undefined = trackedAs(context, left);
    if (context.mode !== 'plain' && context.scope.resolve(left.name) === undefined)
      context.report(left, `${left.name} is not declared in this file: declare it, or pass it as an object`);
    if (binding === undefined) return undefined;
    if (context.mode === 'sync') {
      checkVariable(context, left, whole, binding);
      return undefined;
    }
    return {
      parts: [],
      read: () => getText(context, left, binding),
      write: (value) => setText(context, left, binding, value),
    };
  }
  const accessor = left.type === 'MemberExpression' ? privateAccessor(context, left) : undefined;
  if (accessor !== undefined) return accessor;
  if (left.type === 'MemberExpression' && context.mode === 'coroutine') {
    if (left.object.type !== 'Super') return memberTarget(context, left);
    if (context.frame.isArrow)
      context.report(left, 'super is assigned to in an arrow function: do it in the method itself');
    return superTarget(context, left);
  }
  context.targets.add(left);
  context.visit(left);
  return undefined;
}

/** `super.f = …`: a setter of the base, or a field of the object itself. */
function superTarget(context: CoroutineContext, left: MemberNode): Target {
  const name = nameOf(left.property, left.computed);
  const key = name === undefined ? context.temp() : JSON.stringify(name);
  if (name === undefined) context.visit(left.property);
  const [before, after] = askText(context);
  const [begin, end] = askText(context);
  const site = context.site(left, name);
  return {
    parts: name === undefined ? [`${key}=(`, left.property, '),'] : [],
    read: () => `${before}super[${key}]${after}`,
    write: (value) =>
      `(${context.rt('assign')}(this,${key},${value},${site})&&((yield ${context.rt('p')}),${context.rt('adding')}(this,${key})),${begin}(super[${key}]=${value})${end},${value})`,
  };
}

function memberTarget(context: CoroutineContext, left: MemberNode): Target {
  const { parts, reference } = refer(context, left);
  return {
    parts,
    read: () => readText(context, left, reference),
    write: (value) => writeText(context, left, reference, value),
  };
}

function privateAccessor(context: CoroutineContext, left: MemberNode): Target | undefined {
  if (left.property.type !== 'PrivateIdentifier' || context.privateKind(left.property.name) !== 'accessor')
    return undefined;
  context.visit(left.object);
  const object = context.temp();
  const site = context.site(left);
  const { name } = left.property;
  const run = (call: string): string =>
    context.mode === 'coroutine'
      ? `(yield*${context.rt('into')}(${call},${site}))`
      : `${context.rt('finish')}(${call})`;
  return {
    parts: [`${object}=`, left.object, ','],
    read: () => run(`${object}.#${context.prefix}get_${name}()`),
    write: (value) => `(${run(`${object}.#${context.prefix}set_${name}(${value})`)},${value})`,
  };
}

type Pattern = Of<'ArrayPattern' | 'ObjectPattern'>;

export function rewritePatternAssignment(
  context: CoroutineContext,
  node: Of<'AssignmentExpression'>,
  pattern: Pattern,
): void {
  const isOwn = [...targetsOf(pattern)].every(
    (target) => target.type === 'Identifier' && trackedAs(context, target) === undefined,
  );
  if (context.mode !== 'coroutine' || isOwn) {
    keepPattern(context, node);
    return;
  }
  const value = context.temp();
  const text = writtenOut(context, pattern, value);
  context.visit(node.right);
  context.edits.blank({ start: node.start, end: node.right.start }, text);
  context.edits.before(node.right, `(${value}=(`);
  context.edits.after(node.right, `),${text},${value})`);
}

function keepPattern(context: CoroutineContext, node: Of<'AssignmentExpression'>): void {
  visitDefaults(context, node.left);
  for (const target of targetsOf(node.left))
    if (target.type === 'MemberExpression') {
      if (
        target.property.type === 'PrivateIdentifier' &&
        context.privateKind(target.property.name) === 'accessor'
      )
        context.report(target, 'a private accessor in a pattern: assign it by itself');
      context.targets.add(target);
      context.visit(target);
    }
  context.visit(node.right);
  if (context.mode === 'plain') return;
  // the value of the assignment is its right side, unchanged
  const [before, after] = pickText(context, node.left);
  const value = context.mode === 'coroutine' ? context.temp() : '';
  context.edits.before(node.right, value === '' ? before : `${before}${value}=(`);
  context.edits.after(node.right, value === '' ? after : `)${after}`);
  if (value === '') return;
  context.edits.before(node, '(');
  context.edits.after(node, `,${value})`);
}

/** All that a pattern does with a value, as expressions with commas between them. */
function writtenOut(context: CoroutineContext, pattern: Pattern, value: string): string {
  return (pattern.type === 'ArrayPattern' ? elements : fields)(context, pattern as never, value).join();
}

function elements(context: CoroutineContext, pattern: Of<'ArrayPattern'>, value: string): string[] {
  const list = context.temp();
  const hasRest = pattern.elements.at(-1)?.type === 'RestElement';
  const most = hasRest ? 'Infinity' : pattern.elements.length;
  return [
    `${list}=(yield*${context.rt('all')}(${value},${context.site(pattern)},${most}))`,
    ...pattern.elements.flatMap((element, i) => {
      if (element === null) return [];
      const isRest = element.type === 'RestElement';
      return part(
        context,
        isRest ? element.argument : element,
        `${list}${isRest ? `.slice(${i})` : `[${i}]`}`,
      );
    }),
  ];
}

function fields(context: CoroutineContext, pattern: Of<'ObjectPattern'>, value: string): string[] {
  const taken: string[] = [];
  return [
    `${context.rt('demandObject')}(${value})`,
    ...pattern.properties.flatMap((property) => {
      if (property.type === 'RestElement')
        return part(
          context,
          property.argument,
          `(yield*${context.rt('others')}(${value},[${taken.join()}],${context.site(property)}))`,
        );
      const name = nameOf(property.key, property.computed);
      const key = name === undefined ? context.temp() : JSON.stringify(name);
      taken.push(key);
      const read = readText(context, property, {
        object: value,
        key,
        member: `${value}[${key}]`,
        name: name ?? '',
      });
      return [
        ...(name === undefined ? [`${key}=${context.rt('key')}(${textOf(context, property.key)})`] : []),
        ...part(context, property.value, read),
      ];
    }),
  ];
}

/** Assigns one part of a value. */
function part(context: CoroutineContext, pattern: Node, given: string): string[] {
  const left = bare(pattern.type === 'AssignmentPattern' ? pattern.left : pattern);
  const value = context.temp();
  const { before, write } = isPattern(left)
    ? { before: '', write: writtenOut(context, left, value) }
    : assigned(context, left, value);
  const otherwise =
    pattern.type === 'AssignmentPattern'
      ? [`${value}===void 0&&(${value}=(${textOf(context, pattern.right)}))`]
      : [];
  return [...(before === '' ? [] : [before]), `${value}=${given}`, ...otherwise, write];
}

/** What is to be evaluated before the part is read, and the assignment. */
function assigned(context: CoroutineContext, left: Node, value: string): { before: string; write: string } {
  const target = targetOf(context, left, left);
  if (target === undefined) return { before: '', write: `${context.edits.move(left, '')}=${value}` };
  if (target.parts.length === 0) return { before: '', write: target.write(value) };
  context.edits.write(left, ['', ...target.parts, '0']);
  return { before: context.edits.move(left, ''), write: target.write(value) };
}

/** The text of a child, taken out of the pattern. */
function textOf(context: CoroutineContext, node: Node): string {
  context.visit(node);
  return context.edits.move(node, '');
}

function isPattern(node: Node): node is Pattern {
  return node.type === 'ArrayPattern' || node.type === 'ObjectPattern';
}
