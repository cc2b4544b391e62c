/**
 * Variables that an inner function shares: each scope that has some gets a shared scope,
 * which stands for them when they are announced. The values stay in the variables.
 *
 *     x        becomes    (rt.get(S,0,site) ? ((yield rt.p),rt.saw(x)) : x)
 *     x = e    becomes    (v=e, rt.set(S,0,v,site) && (yield rt.p), x=v)
 */
import { type Binding, isTracked, type Scope } from '../syntax/scope.js';
import type { Node, Of } from '../syntax/tree.js';
import type { Unit } from './context.js';

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
