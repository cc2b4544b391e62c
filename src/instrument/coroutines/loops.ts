/**
 * Loops. A coroutine says before a loop that it is about to begin, and at each
 * round which of the variables that outlive the round it assigns: so a loop that
 * changes nothing is told from one that goes on (`memory.mark`, `memory.again`).
 *
 * `for … of` becomes a loop over an iterator that asks before each step; what it
 * goes over may be shared. Its rounds are not reported: it moves on by itself.
 */
import { childrenOf, isFunction, type Node, type Of, targetsOf } from '../syntax/tree.js';
import type { Unit } from './context.js';
import { isPattern, pickText, sharedScopeText, trackedAs, visitDefaults } from './patterns.js';

type Loop = Of<'WhileStatement' | 'DoWhileStatement' | 'ForStatement'>;

export function rewriteLoop(unit: Unit, node: Loop, whole: Node): void {
  unit.inScope(node, () => {
    if (unit.mode !== 'plain')
      for (const { node: declaration } of unit.scope.node === node ? unit.scope.tracked : [])
        unit.report(
          declaration,
          'a loop variable that a function uses and the loop assigns: copy it into a variable inside of the loop',
        );
    for (const child of childrenOf(node)) if (child !== node.body) unit.visit(child);
    unit.visit(node.body);
    if (unit.mode !== 'twin') return;
    const mark = unit.temp();
    const locals = [...assignedIn(node)].filter((name) => {
      const binding = unit.scope.resolve(name);
      return binding !== undefined && !binding.scope.isTop;
    });
    const site = unit.site(node);
    // the body has the site after that of its loop (execution/memory/memory.ts)
    unit.site(node.body);
    const again = `${unit.rt('again')}(${[mark, site, ...locals].join()});`;
    atStart(unit, node.body, again);
    unit.edits.before(whole, `{${mark}=${unit.rt('mark')}();`);
    unit.edits.after(whole, '}');
  });
}

/** Puts a statement at the beginning of a body, which becomes a block if it is none. */
function atStart(unit: Unit, body: Node, text: string): void {
  if (body.type === 'BlockStatement') unit.edits.at(body.start + 1, text);
  else {
    unit.edits.before(body, `{${text}`);
    unit.edits.after(body, '}');
  }
}

/** Names of variables that a loop assigns itself. What functions inside of it assign is tracked. */
function assignedIn(loop: Node): Set<string> {
  const names = new Set<string>();
  const add = (pattern: Node): void => {
    for (const target of targetsOf(pattern)) if (target.type === 'Identifier') names.add(target.name);
  };
  const look = (node: Node): void => {
    if (isFunction(node)) return;
    if (node.type === 'AssignmentExpression') add(node.left);
    else if (node.type === 'UpdateExpression') add(node.argument);
    else if (node.type === 'VariableDeclaration' && node.kind === 'var')
      for (const { id } of node.declarations) add(id);
    else if (
      (node.type === 'ForOfStatement' || node.type === 'ForInStatement') &&
      node.left.type !== 'VariableDeclaration'
    )
      add(node.left);
    for (const child of childrenOf(node)) look(child);
  };
  look(loop);
  return names;
}

export function rewriteForOf(unit: Unit, node: Of<'ForOfStatement'>, whole: Node): void {
  if (node.await && unit.mode !== 'plain')
    unit.report(node, 'for await: explore asynchronous code with the async back end');
  visitHead(unit, node, () => {
    unit.visit(node.right);
  });
  if (unit.mode === 'sync') {
    unit.edits.before(node.right, `${unit.rt('glance')}(`);
    unit.edits.after(node.right, `,${unit.site(node.right)})`);
  }
  if (unit.mode !== 'twin') return;
  const { told } = unit;
  const rounds = unit.temp();
  const value = unit.temp();
  const site = unit.site(node.right);
  const bound = boundText(unit, node, `${rounds}.value`);
  // in the place of `const x of e`: an iterator of e, a step, and x at the beginning of the body
  unit.edits.before(node.right, `${rounds}=${unit.rt('isOwn')}(${value}=`);
  const step = `(${told}=${unit.rt('step')}(${rounds},${site}))<2?(${told}&&(yield ${unit.rt('p')}),${unit.rt('next')}(${rounds}))`;
  unit.edits.after(
    node.right,
    `)?${unit.rt('over')}(${value}):yield*${unit.rt('iterate')}(${value},${site});${step}:yield*${unit.rt('g')};`,
  );
  unit.edits.replace({ start: node.left.end, end: node.right.start }, '');
  atStart(unit, node.body, bound);
  unit.edits.before(whole, 'try{');
  const error = `${unit.prefix}e`;
  const close = (more: string): string =>
    `if(${unit.rt('close')}(${rounds},${site}${more}))yield*${unit.rt('g')}`;
  unit.edits.after(whole, `}catch(${error}){${close(',true')};throw ${error}}finally{${close('')}}`);
}

/** `for … in`: over the keys that there are at first, without those that are gone when their turn comes. */
export function rewriteForIn(unit: Unit, node: Of<'ForInStatement'>): void {
  visitHead(unit, node, () => {
    unit.visit(node.right);
  });
  if (unit.mode !== 'twin') return;
  const value = unit.name();
  const key = unit.name();
  const site = unit.site(node.right);
  const bound = boundText(unit, node, key);
  const keys = `))?${unit.rt('keys')}(${value}):yield*${unit.rt('keysOf')}(${value},${site}))`;
  unit.edits.before(node.right, `const ${key} of (${unit.rt('isOwn')}(${value}=(`);
  unit.edits.after(node.right, keys);
  unit.edits.replace({ start: node.left.end, end: node.right.start }, '');
  unit.frame.temps.push(value);
  const still = `${unit.rt('isStill')}(${value},${key})`;
  const looks = `${unit.rt('has')}(${value},${key},${site})?((yield ${unit.rt('p')}),${unit.rt('saw')}(${still})):${still}`;
  atStart(unit, node.body, `if(!(${looks}))continue;${bound}`);
}

function visitHead(unit: Unit, node: Of<'ForOfStatement' | 'ForInStatement'>, visitRight: () => void): void {
  unit.inScope(node, () => {
    const { left } = node;
    if (left.type === 'VariableDeclaration') for (const { id } of left.declarations) visitDefaults(unit, id);
    else {
      visitDefaults(unit, left);
      for (const target of targetsOf(left))
        if (unit.mode !== 'plain' && (target.type === 'MemberExpression' || trackedAs(unit, target)))
          unit.report(target, 'a loop head assigns what others can see: use a variable of its own');
    }
    visitRight();
    unit.visit(node.body);
  });
}

/** Moves the head of a loop into its body, as a declaration or an assignment of the value. */
function boundText(unit: Unit, node: Of<'ForOfStatement' | 'ForInStatement'>, value: string): string {
  const { left } = node;
  const pattern = left.type === 'VariableDeclaration' ? left.declarations[0].id : left;
  const [before, after] = isPattern(pattern) ? pickText(unit, pattern) : ['', ''];
  const target = unit.edits.move(left, '');
  const assigned = `${target}=${before}${value}${after}`;
  const shared = sharedScopeText(unit, unit.scopes.of(node));
  return `${left.type === 'VariableDeclaration' ? assigned : `(${assigned})`};${shared}`;
}
