/**
 * Destructuring, spread, and parameters.
 *
 * What is taken apart may be shared. Then the members that the pattern names are
 * read one by one, each announced, into an object of the coroutine's own, which
 * the pattern takes apart as it stands. Members on the left of an assignment, as
 * in `[this.a, this.b] = [this.b, this.a]`, become temporaries, written afterwards.
 */
import { bare, type MemberNode, type Node, nameOf, type Of, targetsOf } from '../tree.js';
import { refer, writeText } from './members.js';
import type { Unit } from './unit.js';
import { setText, trackedAs } from './variables.js';

/** Around the value that a pattern takes apart: before and after it. */
export function pickText(unit: Unit, pattern: Node): [before: string, after: string] {
  const site = unit.site(pattern);
  if (unit.mode === 'sync') return [`${unit.rt('glance')}(`, `,${site})`];
  const value = unit.temp();
  const shape = shapeOf(unit, pattern);
  return [
    `(${unit.rt('isOwn')}(${value}=`,
    `)?${value}:yield*${unit.rt('pick')}(${value},${shape},${site}))`,
  ];
}

export function isPattern(node: Node): boolean {
  return node.type === 'ArrayPattern' || node.type === 'ObjectPattern';
}

/** What a pattern takes: `{o:[[key, shape]…], rest}` or `{a:[shape…], rest}`; 0 for all of a value. */
function shapeOf(unit: Unit, pattern: Node): string {
  const node = pattern.type === 'AssignmentPattern' ? pattern.left : pattern;
  if (node.type === 'ArrayPattern') {
    const rest = node.elements.at(-1)?.type === 'RestElement';
    const elements = rest ? node.elements.slice(0, -1) : node.elements;
    return `{a:[${elements.map((element) => (element ? shapeOf(unit, element) : '0')).join()}],rest:${rest}}`;
  }
  if (node.type !== 'ObjectPattern') return '0';
  const rest = node.properties.at(-1)?.type === 'RestElement';
  const fields = node.properties.flatMap((property) => {
    if (property.type === 'RestElement') return [];
    const name = nameOf(property.key, property.computed);
    if (name === undefined) unit.report(property, 'a computed key in a pattern: read the member by itself');
    return [`[${JSON.stringify(name)},${shapeOf(unit, property.value)}]`];
  });
  return `{o:[${fields.join()}],rest:${rest}}`;
}

/** Visits what is evaluated inside of a pattern: defaults. */
export function visitDefaults(unit: Unit, pattern: Node): void {
  const node = bare(pattern);
  switch (node.type) {
    case 'AssignmentPattern':
      visitDefaults(unit, node.left);
      unit.visit(node.right);
      return;
    case 'ArrayPattern':
      for (const element of node.elements) if (element) visitDefaults(unit, element);
      return;
    case 'ObjectPattern':
      for (const property of node.properties) {
        if (property.type === 'RestElement') continue;
        if (property.computed) unit.visit(property.key);
        visitDefaults(unit, property.value);
      }
  }
}

export function rewriteDeclarator(unit: Unit, node: Of<'VariableDeclarator'>): void {
  visitDefaults(unit, node.id);
  if (!node.init) return;
  unit.visit(node.init);
  if (unit.mode === 'plain' || !isPattern(node.id)) return;
  const [before, after] = pickText(unit, node.id);
  unit.edits.before(node.init, before);
  unit.edits.after(node.init, after);
}

export function rewritePatternAssignment(unit: Unit, node: Of<'AssignmentExpression'>): void {
  visitDefaults(unit, node.left);
  const writes = unit.mode === 'twin' ? movedTargets(unit, node.left) : [];
  if (unit.mode !== 'twin')
    for (const target of targetsOf(node.left))
      if (target.type === 'MemberExpression') {
        unit.targets.add(target);
        unit.visit(target);
      }
  unit.visit(node.right);
  if (unit.mode === 'plain') return;
  const [before, after] = pickText(unit, node.left);
  if (unit.mode === 'sync') {
    unit.edits.before(node.right, before);
    unit.edits.after(node.right, after);
    return;
  }
  // the value of the whole is what stands on the right, as it was
  const value = unit.temp();
  const first = writes.map(({ prepare }) => prepare).join('');
  unit.edits.before(node, `(${first}`);
  unit.edits.before(node.right, `${before}${value}=(`);
  unit.edits.after(node.right, `)${after},${writes.map(({ write }) => `${write()},`).join('')}${value})`);
}

/** Puts temporaries where a pattern assigns members and shared variables. */
function movedTargets(unit: Unit, pattern: Node): { prepare: string; write: () => string }[] {
  return [...targetsOf(pattern)].flatMap((target) => {
    if (target.type === 'MemberExpression') return [movedMember(unit, target)];
    const binding = trackedAs(unit, target);
    if (binding === undefined) return [];
    const value = unit.temp();
    unit.edits.move(target, isShorthand(pattern, target) ? `${target.name}:${value}` : value);
    return [{ prepare: '', write: () => setText(unit, target, binding, value) }];
  });
}

function movedMember(unit: Unit, target: MemberNode): { prepare: string; write: () => string } {
  const value = unit.temp();
  const { parts, reference } = refer(unit, target);
  unit.edits.write(target, ['', ...parts, '0']);
  const prepare = unit.edits.move(target, value);
  return { prepare: `${prepare},`, write: () => writeText(unit, target, reference, value) };
}

/** `{ x }`, which names the member and the variable at once. */
function isShorthand(pattern: Node, target: Node): boolean {
  const node = bare(pattern);
  switch (node.type) {
    case 'ArrayPattern':
      return node.elements.some((element) => element !== null && isShorthand(element, target));
    case 'AssignmentPattern':
      return isShorthand(node.left, target);
    case 'ObjectPattern':
      return node.properties.some(
        (property) =>
          property.type === 'Property' &&
          (property.shorthand ? property.key.start === target.start : isShorthand(property.value, target)),
      );
    default:
      return false;
  }
}

/** `...e` in a list of elements or arguments, or in an object. */
export function rewriteSpread(unit: Unit, node: Of<'SpreadElement'>, into: 'list' | 'object'): void {
  unit.visit(node.argument);
  if (unit.mode === 'plain') return;
  const site = unit.site(node);
  if (unit.mode === 'sync') unit.edits.write(node, [`...${unit.rt('glance')}(`, node.argument, `,${site})`]);
  else {
    const value = unit.temp();
    const all = `yield*${unit.rt(into === 'list' ? 'all' : 'fields')}(${value},${site})`;
    unit.edits.write(node, [`...(${unit.rt('isOwn')}(${value}=`, node.argument, `)?${value}:${all})`]);
  }
}
