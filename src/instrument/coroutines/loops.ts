/**
 * Loops. A coroutine reports the entry of a loop (`rt.mark`), and at each iteration the variables that it assigns and that outlive
 * the iteration (`rt.again`). From these the memory detects iterations that change nothing (execution/memory/spins.ts).
 *
 * `for … of` becomes a loop over an iterator; each step is announced where the iterated object is shared. Its iterations are not
 * reported, because an iterator makes progress by itself.
 */
import { carriedBy, type Loop } from '../syntax/scope.js';
import { childrenOf, type Node, type Of, targetsOf } from '../syntax/tree.js';
import type { CoroutineContext } from './context.js';
import { isPattern, pickText, refuseVar, sharedScopeText, trackedAs, visitDefaults } from './patterns.js';

export function rewriteLoop(context: CoroutineContext, node: Loop): void {
  if (context.mode !== 'plain' || context.scope.owner.isTop)
    for (const { node: declaration } of context.scope.node === node ? context.scope.tracked : [])
      context.report(
        declaration,
        'a loop variable that a function uses and the loop assigns: copy it into a variable inside of the loop',
      );
  for (const child of childrenOf(node)) if (child !== node.body) context.visit(child);
  if (context.mode !== 'coroutine') {
    context.visit(node.body);
    return;
  }
  const mark = context.temp();
  context.inRegion({ node, mark }, () => context.visit(node.body));
  const locals = carriedBy(node, context.scope);
  const site = context.site(node);
  // the body has the site after that of its loop (execution/memory/memory.ts)
  context.site(node.body);
  const again = `${context.rt('again')}(${[mark, site, ...locals].join()});`;
  atStart(context, node.body, again);
  const whole = context.labels.get(node) ?? node;
  context.edits.before(whole, `{${mark}=${context.rt('mark')}();`);
  context.edits.after(whole, '}');
}

/** Puts a statement at the beginning of a body, which becomes a block if it is none. */
function atStart(context: CoroutineContext, body: Node, text: string): void {
  if (body.type === 'BlockStatement') context.edits.at(body.start + 1, text);
  else {
    context.edits.before(body, `{${text}`);
    context.edits.after(body, '}');
  }
}

export function rewriteForOf(context: CoroutineContext, node: Of<'ForOfStatement'>): void {
  if (node.await && context.mode !== 'plain')
    context.report(node, 'for await: explore asynchronous code with the async back end');
  visitParts(context, node);
  if (context.mode === 'sync') {
    context.edits.before(node.right, `${context.rt('glance')}(`);
    context.edits.after(node.right, `,${context.site(node.right)})`);
  }
  if (context.mode !== 'coroutine') return;
  const rounds = context.temp();
  const value = context.temp();
  const site = context.site(node.right);
  const bound = boundText(context, node, `${rounds}.value`);
  // in the place of `const x of e`: an iterator of e, a step, and x at the beginning of the body
  context.edits.before(node.right, `${rounds}=${context.rt('isOwn')}(${value}=`);
  const step = `${context.rt('step')}(${rounds},${site})?yield*${context.rt('g')}:${context.rt('next')}(${rounds})`;
  context.edits.after(
    node.right,
    `)?${context.rt('over')}(${value}):yield*${context.rt('iterate')}(${value},${site});${step};`,
  );
  context.edits.replace({ start: node.left.end, end: node.right.start }, '');
  atStart(context, node.body, bound);
  const whole = context.labels.get(node) ?? node;
  context.edits.before(whole, 'try{');
  const error = `${context.prefix}e`;
  const close = (more: string): string =>
    `if(${context.rt('close')}(${rounds},${site}${more}))yield*${context.rt('g')}`;
  context.edits.after(whole, `}catch(${error}){${close(',true')};throw ${error}}finally{${close('')}}`);
}

/** `for … in`: over the keys that there are at first, without those that are gone when their turn comes. */
export function rewriteForIn(context: CoroutineContext, node: Of<'ForInStatement'>): void {
  visitParts(context, node);
  if (context.mode !== 'coroutine') return;
  const value = context.name();
  const key = context.name();
  const site = context.site(node.right);
  const bound = boundText(context, node, key);
  const keys = `))?${context.rt('keys')}(${value}):yield*${context.rt('keysOf')}(${value},${site}))`;
  context.edits.before(node.right, `const ${key} of (${context.rt('isOwn')}(${value}=(`);
  context.edits.after(node.right, keys);
  context.edits.replace({ start: node.left.end, end: node.right.start }, '');
  context.frame.temps.push(value);
  const still = `${context.rt('isStill')}(${value},${key})`;
  const looks = `${context.rt('has')}(${value},${key},${site})?((yield ${context.rt('p')}),${context.rt('observe')}(${still})):${still}`;
  atStart(context, node.body, `if(!(${looks}))continue;${bound}`);
}

function visitParts(context: CoroutineContext, node: Of<'ForOfStatement' | 'ForInStatement'>): void {
  const { left } = node;
  if (left.type === 'VariableDeclaration') for (const { id } of left.declarations) visitDefaults(context, id);
  else {
    visitDefaults(context, left);
    for (const target of targetsOf(left))
      if (context.mode !== 'plain' && (target.type === 'MemberExpression' || trackedAs(context, target)))
        context.report(target, 'a loop head assigns what others can see: use a variable of its own');
  }
  context.visit(node.right);
  context.inRegion(undefined, () => context.visit(node.body));
}

/** Moves the head of a loop into its body, as a declaration or an assignment of the value. */
function boundText(
  context: CoroutineContext,
  node: Of<'ForOfStatement' | 'ForInStatement'>,
  value: string,
): string {
  const { left } = node;
  if (left.type === 'VariableDeclaration') refuseVar(context, left.declarations[0].id, true);
  const pattern = left.type === 'VariableDeclaration' ? left.declarations[0].id : left;
  const [before, after] = isPattern(pattern) ? pickText(context, pattern) : ['', ''];
  const target = context.edits.move(left, '');
  const assigned = `${target}=${before}${value}${after}`;
  const shared = sharedScopeText(context, context.scopes.of(node));
  return `${left.type === 'VariableDeclaration' ? assigned : `(${assigned})`};${shared}`;
}
