/**
 * Variables, destructuring, spread and parameters.
 *
 * A *tracked* variable is shared by functions (syntax/scopes.ts). Each scope with tracked variables gets a shared scope, an object
 * that stands for them in announcements. The values stay in the variables:
 *
 *     x        becomes    (rt.get(S,site) ? ((yield rt.p),rt.observe(x)) : x)
 *     x = e    becomes    (v=e, rt.set(S,v,site) && (yield rt.p), x=v)
 *
 * A destructured object may be shared. Then the members that the pattern names are read one by one, each announced, into an object
 * that only this thread has, and the pattern destructures that.
 */
import { type Binding, isTracked, type Scope } from '../syntax/scope.js';
import { bare, type Node, nameOf, type Of, targetsOf } from '../syntax/tree.js';
import type { CoroutineContext } from './context.js';

/** The variable that a name means here, if it is tracked. */
export function trackedAs(context: CoroutineContext, node: Node): Binding | undefined {
  if (context.mode === 'plain' || node.type !== 'Identifier') return undefined;
  const binding = context.scope.resolve(node.name);
  return binding !== undefined && isTracked(binding) ? binding : undefined;
}

export function rewriteVariable(context: CoroutineContext, node: Of<'Identifier'>): void {
  if (node.name === 'yield' && context.mode === 'coroutine')
    context.report(node, 'a variable called yield: give it another name');
  const binding = trackedAs(context, node);
  if (binding === undefined) return;
  if (context.mode === 'sync') checkVariable(context, node, node, binding);
  else context.edits.replace(node, getText(context, node, binding));
}

export function getText(context: CoroutineContext, node: Node, binding: Binding): string {
  const { name } = binding;
  const where = `${context.sharedScopeOf(binding.scope)},${context.site(node, name)}`;
  return `(${context.rt('get')}(${where})?((yield ${context.rt('p')}),${context.rt('observe')}(${name})):${name})`;
}

export function setText(context: CoroutineContext, node: Node, binding: Binding, value: string): string {
  const { name } = binding;
  const where = `${context.sharedScopeOf(binding.scope)},${value},${context.site(node, name)}`;
  return `(${context.rt('set')}(${where})&&(yield ${context.rt('p')}),${name}=${value})`;
}

/** In sync mode the runtime checks the shared scope before the variable is used in `whole`, which stays. */
export function checkVariable(context: CoroutineContext, node: Node, whole: Node, binding: Binding): void {
  context.edits.before(
    whole,
    `(${context.rt('now')}(${context.sharedScopeOf(binding.scope)},${context.site(node, binding.name)}),`,
  );
  context.edits.after(whole, ')');
}

/** Creates the shared scope of a scope, at its start; empty if it needs none. */
export function sharedScopeText(context: CoroutineContext, scope: Scope | undefined): string {
  if (scope === undefined || scope.tracked.length === 0) return '';
  return `const ${context.sharedScopeOf(scope)}=${context.rt('scope')}();`;
}

/** Text before and after a value that a pattern destructures. */
export function pickText(context: CoroutineContext, pattern: Node): [before: string, after: string] {
  const site = context.site(pattern);
  if (context.mode === 'sync') return [`${context.rt('glance')}(`, `,${site})`];
  const value = context.temp();
  const shape = shapeOf(context, pattern);
  return [
    `(${context.rt('isOwn')}(${value}=`,
    `)?${value}:yield*${context.rt('pick')}(${value},${shape},${site}))`,
  ];
}

export function isPattern(node: Node): boolean {
  return node.type === 'ArrayPattern' || node.type === 'ObjectPattern';
}

/** The shape of a pattern: `{o:[[key, shape]…], rest}` or `{a:[shape…], rest}`; 0 for all of a value. */
function shapeOf(context: CoroutineContext, pattern: Node): string {
  const node = pattern.type === 'AssignmentPattern' ? pattern.left : pattern;
  if (node.type === 'ArrayPattern') {
    const rest = node.elements.at(-1)?.type === 'RestElement';
    const elements = rest ? node.elements.slice(0, -1) : node.elements;
    return `{a:[${elements.map((element) => (element ? shapeOf(context, element) : '0')).join()}],rest:${rest}}`;
  }
  if (node.type !== 'ObjectPattern') return '0';
  const rest = node.properties.at(-1)?.type === 'RestElement';
  const fields = node.properties.flatMap((property) => {
    if (property.type === 'RestElement') return [];
    const name = nameOf(property.key, property.computed);
    if (name === undefined)
      context.report(property, 'a computed key in a pattern: read the member by itself');
    return [`[${JSON.stringify(name)},${shapeOf(context, property.value)}]`];
  });
  return `{o:[${fields.join()}],rest:${rest}}`;
}

/** Visits what is evaluated inside of a pattern: defaults. */
export function visitDefaults(context: CoroutineContext, pattern: Node): void {
  const node = bare(pattern);
  switch (node.type) {
    case 'AssignmentPattern':
      visitDefaults(context, node.left);
      context.visit(node.right);
      return;
    case 'ArrayPattern':
      for (const element of node.elements) if (element) visitDefaults(context, element);
      return;
    case 'ObjectPattern':
      for (const property of node.properties) {
        if (property.type === 'RestElement') continue;
        if (property.computed) context.visit(property.key);
        visitDefaults(context, property.value);
      }
  }
}

export function rewriteDeclarator(context: CoroutineContext, node: Of<'VariableDeclarator'>): void {
  visitDefaults(context, node.id);
  refuseVar(context, node.id);
  if (!node.init) return;
  context.visit(node.init);
  const binding = trackedAs(context, node.id);
  if (isAssigned(binding) && context.mode === 'coroutine') {
    const value = context.temp();
    context.edits.before(node.init, `(${value}=`);
    context.edits.after(node.init, `,${setText(context, node, binding, value)})`);
  }
  if (context.mode === 'plain' || !isPattern(node.id)) return;
  const [before, after] = pickText(context, node.id);
  context.edits.before(node.init, before);
  context.edits.after(node.init, after);
}

/** Does its declaration assign a variable that a function may have read before? */
const isAssigned = (binding: Binding | undefined): binding is Binding =>
  binding?.kind === 'param' || binding?.kind === 'var';

/** Refuses what declares such a variable in a place where its assignment cannot be announced. */
export function refuseVar(context: CoroutineContext, target: Node, isHead = false): void {
  if (!isPattern(target) && !isHead) return;
  for (const node of targetsOf(target))
    if (isAssigned(trackedAs(context, node)))
      context.report(
        node,
        'a `var` that a function uses and that is assigned here: declare it with let, under a name of its own',
      );
}

/** `...e` in a list of elements or arguments, or in an object. */
export function rewriteSpread(
  context: CoroutineContext,
  node: Of<'SpreadElement'>,
  into: 'list' | 'object',
): void {
  context.visit(node.argument);
  if (context.mode === 'plain') return;
  const site = context.site(node);
  if (context.mode === 'sync')
    context.edits.write(node, [`...${context.rt('glance')}(`, node.argument, `,${site})`]);
  else {
    const value = context.temp();
    const all = `yield*${context.rt(into === 'list' ? 'all' : 'fields')}(${value},${site})`;
    context.edits.write(node, [`...(${context.rt('isOwn')}(${value}=`, node.argument, `)?${value}:${all})`]);
  }
}
