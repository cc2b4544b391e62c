/**
 * Destructuring, spread, and parameters.
 *
 * What is taken apart may be shared. Then the members that the pattern names are
 * read one by one, each announced, into an object of the coroutine's own, which
 * the pattern takes apart as it stands.
 */
import { type Binding, isTracked, type Scope } from '../syntax/scope.js';
import { bare, type Node, nameOf, type Of } from '../syntax/tree.js';
import type { Unit } from './context.js';

/*
 * Variables that an inner function shares: each scope that has some gets a shared scope,
 * which stands for them when they are announced. The values stay in the variables.
 *
 *     x        becomes    (rt.get(S,0,site) ? ((yield rt.p),rt.saw(x)) : x)
 *     x = e    becomes    (v=e, rt.set(S,0,v,site) && (yield rt.p), x=v)
 */

/** The variable that a name means here, if it is tracked. */
export function trackedAs(unit: Unit, node: Node): Binding | undefined {
  if (unit.mode === 'plain' || node.type !== 'Identifier') return undefined;
  const binding = unit.scope.resolve(node.name);
  return binding !== undefined && isTracked(binding) ? binding : undefined;
}

export function rewriteVariable(unit: Unit, node: Of<'Identifier'>): void {
  if (node.name === 'yield' && unit.mode === 'twin')
    unit.report(node, 'a variable called yield: give it another name');
  const binding = trackedAs(unit, node);
  if (binding === undefined) return;
  if (unit.mode === 'sync') checkVariable(unit, node, node, binding);
  else unit.edits.replace(node, getText(unit, node, binding));
}

export function getText(unit: Unit, node: Node, binding: Binding): string {
  const { name } = binding;
  const where = `${unit.sharedScopeOf(binding.scope)},${unit.site(node, name)}`;
  return `(${unit.rt('get')}(${where})?((yield ${unit.rt('p')}),${unit.rt('saw')}(${name})):${name})`;
}

export function setText(unit: Unit, node: Node, binding: Binding, value: string): string {
  const { name } = binding;
  const where = `${unit.sharedScopeOf(binding.scope)},${value},${unit.site(node, name)}`;
  return `(${unit.rt('set')}(${where})&&(yield ${unit.rt('p')}),${name}=${value})`;
}

/** Code that can not be interrupted asks before it uses the variable in `whole`, which stays as it is. */
export function checkVariable(unit: Unit, node: Node, whole: Node, binding: Binding): void {
  unit.edits.before(
    whole,
    `(${unit.rt('now')}(${unit.sharedScopeOf(binding.scope)},${unit.site(node, binding.name)}),`,
  );
  unit.edits.after(whole, ')');
}

/** What makes the shared scope of a scope, to stand at its beginning; empty if it needs none. */
export function sharedScopeText(unit: Unit, scope: Scope | undefined): string {
  const names = scope?.tracked.map(({ name }) => name) ?? [];
  if (scope === undefined || names.length === 0) return '';
  return `const ${unit.sharedScopeOf(scope)}=${unit.rt('scope')}(${unit.reader(names)});`;
}

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
