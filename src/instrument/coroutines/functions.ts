/**
 * Functions. Each gets a twin, a generator with the same body, rewritten; the
 * function itself runs its twin to the end without a pause.
 *
 *     function f(x) {…}    function f(...a){return rt.finish(f_twin.apply(this,a))}function*f_twin(x){…}
 *     x => e               rt.arrow(function*(x){return(e)},this,held)
 *     function (x) {…}     rt.fn(function*(x){…},held)
 *
 * `held` tells what a closure holds on to, for when it is handed to other
 * threads. Parameters with defaults or patterns are taken apart in the body, since
 * a generator can not yield in its head. Asynchronous functions and generators
 * stay as they are, and say so when a thread calls them.
 */

import { declaredIn, namesUsedIn } from '../syntax/scope.js';
import { bare, type FunctionNode, type Node, targetsOf } from '../syntax/tree.js';
import type { Unit } from './context.js';
import { isPattern, pickText, sharedScopeText, visitDefaults } from './patterns.js';

type Part = string | { readonly start: number; readonly end: number };

export function rewriteFunction(unit: Unit, node: FunctionNode): void {
  if (isForeign(node)) {
    refuse(unit, node);
    return;
  }
  const scope = unit.scopes.of(node)!;
  if (node.type === 'ArrowFunctionExpression') {
    const parts = twinParts(unit, node, false);
    const self = scope.usesThis ? 'this' : '0';
    const held = unit.held(scope.captures, scope.usesThis ? ['this'] : []);
    unit.edits.write(node, [
      `${unit.rt('arrow')}(function*`,
      ...parts,
      `,${self},${held},${unit.site(node)}${nameText(unit, node)})`,
    ]);
    return;
  }
  const twin = unit.twins.get(node);
  const parts = twinParts(unit, node, false);
  if (twin === undefined) {
    const name = node.id?.name ?? '';
    const made = [
      `${unit.rt('fn')}(function*`,
      ...parts,
      `,${unit.held(scope.captures)},${unit.site(node)}${name === '' ? nameText(unit, node) : `,"${name}"`})`,
      // a default export without a name, which is an expression now
      node.type === 'FunctionDeclaration' ? ';' : '',
    ];
    // its own name means the function, not the generator
    const isNamed = scope.bindings.get(name)?.isUsed === true && scope.bindings.get(name)?.kind === 'const';
    unit.edits.write(node, isNamed ? [`(()=>{const ${name}=`, ...made, `;return ${name}})()`] : made);
  } else {
    const args = `${unit.prefix}a`;
    const run = `{return ${unit.rt('finish')}(${twin}.apply(this,${args}))}`;
    unit.edits.write(node, [`function ${node.id!.name}(...${args})${run}function*${twin}`, ...parts]);
  }
}

/** The name that a function gets from where it stands, as the last argument. */
function nameText(unit: Unit, node: Node): string {
  const name = unit.nameAt(node);
  return name ? `,${JSON.stringify(name)}` : '';
}

/**
 * The functions that are declared in a list of statements get their twins' names; what
 * ties the two together stands before the statements.
 */
export function declareTwins(unit: Unit, statements: readonly Node[]): string {
  let pairs = '';
  for (const statement of statements) {
    const node = declared(statement);
    if (node?.type !== 'FunctionDeclaration' || !node.id || isForeign(node)) continue;
    const twin = unit.name(`${node.id.name}_`);
    unit.twins.set(node, twin);
    pairs += `${unit.rt('pair')}(${node.id.name},${twin},${unit.held(unit.scopes.of(node)!.captures)},${unit.site(node)});`;
  }
  return pairs;
}

function declared(statement: Node): Node | null {
  if (statement.type === 'ExportNamedDeclaration' || statement.type === 'ExportDefaultDeclaration')
    return statement.declaration;
  return statement;
}

/** Parameters and body of a generator, from its parenthesis to its closing brace. */
export function twinParts(unit: Unit, node: FunctionNode, hasSuper: boolean): Part[] {
  const scope = unit.scopes.of(node)!;
  const isArrow = node.type === 'ArrowFunctionExpression';
  if (scope.usesArguments && isArrow)
    unit.report(node, 'arguments of the function around an arrow function: take them as (...args)');
  return functionParts(unit, node, 'twin', { isArrow, hasSuper });
}

/** A constructor, or an accessor whose name is computed: it can not be interrupted. */
export function rewriteAtOnce(unit: Unit, node: FunctionNode): void {
  const begin = parameterProperties(unit, node);
  unit.edits.write(node, functionParts(unit, node, 'sync', { isArrow: false, hasSuper: true }, begin));
}

/** `constructor(readonly x)` assigns: after the call of `super` if there is one, else at the beginning. */
function parameterProperties(unit: Unit, node: FunctionNode): string {
  const text = node.params
    .flatMap((param) => (param.type === 'TSParameterProperty' ? [...targetsOf(param)] : []))
    .map((target) => (target.type === 'Identifier' ? `;this.${target.name}=${target.name};` : ''))
    .join('');
  const supers = bodyOf(node).find((statement) => {
    const call = statement.type === 'ExpressionStatement' ? bare(statement.expression) : statement;
    return call.type === 'CallExpression' && call.callee.type === 'Super';
  });
  if (supers === undefined) return text;
  unit.edits.after(supers, text);
  return '';
}

function functionParts(
  unit: Unit,
  node: FunctionNode,
  mode: 'twin' | 'sync',
  kind: { readonly isArrow: boolean; readonly hasSuper: boolean },
  begin = '',
): Part[] {
  const scope = unit.scopes.of(node)!;
  const params = node.params
    .filter((param) => !(param.type === 'Identifier' && param.name === 'this'))
    .map((param) => (param.type === 'TSParameterProperty' ? param.parameter : param));
  // from the first one on that is more than a name, parameters are bound in the body
  const first = params.findIndex(mode === 'twin' ? isMoreThanName : isTakenApart);
  const simple = first < 0 ? params : params.slice(0, first);
  const others = first < 0 ? [] : params.slice(first);
  const body = bodyOf(node);
  const { names: given, list } = namesFor(unit, others);
  const keyword = first < 0 ? '' : keywordFor(unit, params, body);
  const inside: { head: Part[]; begin: string } = { head: [], begin: '' };
  const [, frame] = unit.within(mode, kind, () => {
    unit.inScope(node, () => {
      for (const param of simple) visitDefaults(unit, param);
      inside.head = others.flatMap((param, i) => {
        const value = given[i] ?? `${list}[${i - given.length}]`;
        return [i === 0 ? '' : ',', ...boundParam(unit, param, value, `${list}.slice(${i - given.length})`)];
      });
      inside.begin = begin + declareTwins(unit, body);
      unit.visitList(body);
    });
  });
  const directives = body.filter((statement) => 'directive' in statement && statement.directive);
  const names =
    directives.map((directive) => `${unit.source.textOf(directive)};`).join('') +
    unit.prologue(frame) +
    sharedScopeText(unit, scope);
  const open: Part[] = ['(', ...commas(simple)];
  if (others.length === 0) open.push(`){${names}${inside.begin}`);
  else {
    const more = [...given, `...${list}`].join();
    open.push(
      `${simple.length > 0 ? ',' : ''}${more}){${names}${keyword} `,
      ...inside.head,
      `;${inside.begin}`,
    );
  }
  const block = node.body!;
  if (block.type !== 'BlockStatement') return [...open, 'return(', block, ')}'];
  return [...open, { start: directives.at(-1)?.end ?? block.start + 1, end: block.end - 1 }, '}'];
}

function isMoreThanName(param: Node): boolean {
  return param.type !== 'Identifier';
}

/** Whoever takes an argument apart reads it. */
function isTakenApart(param: Node): boolean {
  return isPattern(param.type === 'AssignmentPattern' ? param.left : param);
}

/** Names for parameters up to the first with a default, which count for the length of a function, and for the list of all others. */
function namesFor(unit: Unit, params: readonly Node[]): { names: string[]; list: string } {
  const end = params.findIndex(({ type }) => type === 'AssignmentPattern' || type === 'RestElement');
  return {
    names: params.slice(0, end < 0 ? undefined : end).map(() => unit.name('a')),
    list: unit.name('a'),
  };
}

/**
 * Parameters that are bound in the body stand beside what the body declares: a default must not mean that.
 * What the body declares again is a `var`; all others are not there before their turn has come.
 */
function keywordFor(unit: Unit, params: readonly Node[], body: readonly Node[]): 'let' | 'var' {
  const declared = declaredIn(body);
  for (const param of params)
    for (const name of namesUsedIn(param))
      if (declared.has(name))
        unit.report(
          param,
          `a default that names ${name}, which the body declares too: give one of them another name`,
        );
  const again = params.some((param) =>
    [...targetsOf(param)].some((target) => target.type === 'Identifier' && declared.has(target.name)),
  );
  return again ? 'var' : 'let';
}

/** One parameter as a declaration in the body. */
function boundParam(unit: Unit, param: Node, value: string, rest: string): Part[] {
  if (param.type === 'RestElement') {
    visitDefaults(unit, param.argument);
    return [param.argument, `=${rest}`];
  }
  const target = param.type === 'AssignmentPattern' ? param.left : param;
  visitDefaults(unit, param);
  const [before, after] = isPattern(target) ? pickText(unit, target) : ['', ''];
  if (param.type !== 'AssignmentPattern') return [target, `=${before}${value}${after}`];
  return [target, `=${before}(${value}===void 0?`, param.right, `:${value})${after}`];
}

function bodyOf(node: FunctionNode): readonly Node[] {
  return node.body?.type === 'BlockStatement' ? node.body.body : node.body ? [node.body] : [];
}

/** Is it a function that no coroutine can run step by step? */
export function isForeign(node: FunctionNode): boolean {
  return node.async || node.generator;
}

/** Leaves an asynchronous function or a generator as it is, but for a word to whoever calls it. */
export function refuse(unit: Unit, node: FunctionNode): void {
  const says = `${unit.rt('refuse')}(${unit.site(node, node.async ? 'async' : 'generator')})`;
  const isArrow = node.type === 'ArrowFunctionExpression';
  const [, frame] = unit.within('plain', { isArrow, hasSuper: false }, () => {
    unit.inScope(node, () => {
      for (const param of node.params) visitDefaults(unit, param);
      const begin = declareTwins(unit, bodyOf(node));
      unit.visitList(bodyOf(node));
      const { body } = node;
      if (body?.type === 'BlockStatement') unit.edits.at(body.start + 1, `${says};${begin}`);
      else if (body) {
        unit.edits.before(body, `(${says},`);
        unit.edits.after(body, ')');
      }
    });
  });
  unit.lend(frame);
}

function commas(nodes: readonly Node[]): Part[] {
  return nodes.flatMap((node, i) => (i === 0 ? [node] : [',', node]));
}
