/**
 * Functions. Each gets a coroutine version, a generator with the rewritten body. The function itself runs that to its end.
 *
 *     function f(x) {…}    function f(...a){return rt.finish(f_1.apply(this,a))}function*f_1(x){…}
 *     x => e               rt.arrow(function*(x){return(e)},this,captured)
 *     function (x) {…}     rt.fn(function*(x){…},captured)
 *
 * `captured` reads the variables that a closure captures, for when the closure is shared. Parameters with defaults or patterns are
 * destructured in the body, because a generator cannot yield in its parameter list. Asynchronous functions and generators stay as
 * they are, and report a problem when a thread calls them.
 */

import { declaredIn, namesUsedIn } from '../syntax/scope.js';
import { bare, type FunctionNode, type Node, targetsOf } from '../syntax/tree.js';
import type { CoroutineContext, Frame, Region } from './context.js';
import { isPattern, pickText, sharedScopeText, visitDefaults } from './patterns.js';

type Part = string | { readonly start: number; readonly end: number };

export function rewriteFunction(context: CoroutineContext, node: FunctionNode): void {
  if (isAsyncOrGenerator(node)) {
    rewriteUnsupported(context, node);
    return;
  }
  const scope = context.scopes.of(node)!;
  if (node.type === 'ArrowFunctionExpression') {
    const parts = coroutineParts(context, node, false);
    const self = scope.usesThis ? 'this' : '0';
    const held = context.captured(scope.captures, scope.usesThis ? ['this'] : []);
    context.edits.write(node, [
      `${context.rt('arrow')}(function*`,
      ...parts,
      `,${self},${held},${context.site(node)}${nameText(context, node)})`,
    ]);
    return;
  }
  const coroutine = context.coroutines.get(node);
  const parts = coroutineParts(context, node, false);
  if (coroutine === undefined) {
    const name = node.id?.name ?? '';
    const made = [
      `${context.rt('fn')}(function*`,
      ...parts,
      `,${context.captured(scope.captures)},${context.site(node)}${name === '' ? nameText(context, node) : `,"${name}"`})`,
      // a default export without a name, which is an expression now
      node.type === 'FunctionDeclaration' ? ';' : '',
    ];
    // its own name means the function, not the generator
    const isNamed = scope.bindings.get(name)?.isUsed === true && scope.bindings.get(name)?.kind === 'const';
    context.edits.write(node, isNamed ? [`(()=>{const ${name}=`, ...made, `;return ${name}})()`] : made);
  } else {
    const args = `${context.prefix}a`;
    const run = `{return ${context.rt('finish')}(${coroutine}.apply(this,${args}))}`;
    context.edits.write(node, [`function ${node.id!.name}(...${args})${run}function*${coroutine}`, ...parts]);
  }
}

/** The name that a function gets from its position, as the last argument. */
function nameText(context: CoroutineContext, node: Node): string {
  const name = context.nameAt(node);
  return name ? `,${JSON.stringify(name)}` : '';
}

/** Names the coroutine versions of declared functions. Returns text that registers them, for the start of the statements. */
export function declareCoroutines(context: CoroutineContext, statements: readonly Node[]): string {
  let pairs = '';
  for (const statement of statements) {
    const node = declared(statement);
    if (node?.type !== 'FunctionDeclaration' || !node.id || isAsyncOrGenerator(node)) continue;
    const coroutine = context.name(`${node.id.name}_`);
    context.coroutines.set(node, coroutine);
    pairs += `${context.rt('pair')}(${node.id.name},${coroutine},${context.captured(context.scopes.of(node)!.captures)},${context.site(node)});`;
  }
  return pairs;
}

function declared(statement: Node): Node | null {
  if (statement.type === 'ExportNamedDeclaration' || statement.type === 'ExportDefaultDeclaration')
    return statement.declaration;
  return statement;
}

/** Parameters and body of a generator, from its parenthesis to its closing brace. */
export function coroutineParts(context: CoroutineContext, node: FunctionNode, hasSuper: boolean): Part[] {
  const scope = context.scopes.of(node)!;
  const isArrow = node.type === 'ArrowFunctionExpression';
  if (scope.usesArguments && isArrow)
    context.report(node, 'arguments of the function around an arrow function: take them as (...args)');
  return functionParts(context, node, 'coroutine', { isArrow, hasSuper });
}

/** The body of a constructor: a generator if it can be suspended. */
export function rewriteConstructor(
  context: CoroutineContext,
  node: FunctionNode,
  mode: 'coroutine' | 'sync',
  { base, end = '' }: { readonly base?: Frame['base']; readonly end?: string } = {},
): void {
  const begin = parameterProperties(context, node);
  const parts = functionParts(context, node, mode, { isArrow: false, hasSuper: true, base }, begin);
  context.edits.write(node, end === '' ? parts : [...parts.slice(0, -1), `${end}}`]);
}

/** `constructor(readonly x)` assigns: after the call of `super` if there is one, else at the beginning. */
function parameterProperties(context: CoroutineContext, node: FunctionNode): string {
  const text = node.params
    .flatMap((param) => (param.type === 'TSParameterProperty' ? [...targetsOf(param)] : []))
    .map((target) => (target.type === 'Identifier' ? `;this.${target.name}=${target.name};` : ''))
    .join('');
  const supers = bodyOf(node).find((statement) => {
    const call = statement.type === 'ExpressionStatement' ? bare(statement.expression) : statement;
    return call.type === 'CallExpression' && call.callee.type === 'Super';
  });
  if (supers === undefined) return text;
  context.edits.after(supers, text);
  return '';
}

function functionParts(
  context: CoroutineContext,
  node: FunctionNode,
  mode: 'coroutine' | 'sync',
  kind: Pick<Frame, 'isArrow' | 'hasSuper' | 'base'>,
  begin = '',
): Part[] {
  const scope = context.scopes.of(node)!;
  const params = node.params
    .filter((param) => !(param.type === 'Identifier' && param.name === 'this'))
    .map((param) => (param.type === 'TSParameterProperty' ? param.parameter : param));
  // from the first one on that is more than a name, parameters are bound in the body
  const first = params.findIndex(mode === 'coroutine' ? isMoreThanName : isTakenApart);
  const simple = first < 0 ? params : params.slice(0, first);
  const others = first < 0 ? [] : params.slice(first);
  const body = bodyOf(node);
  const { names: given, list } = namesFor(context, others);
  const keyword = first < 0 ? '' : keywordFor(context, params, body);
  const inside: { head: Part[]; begin: string } = { head: [], begin: '' };
  // a constructor keeps its object, which is no variable
  const region: Region | undefined = mode === 'coroutine' && !('base' in kind) ? { node } : undefined;
  const [, frame] = context.within(mode, kind, () => {
    context.inScope(node, () => {
      for (const param of simple) visitDefaults(context, param);
      inside.head = others.flatMap((param, i) => {
        const value = given[i] ?? `${list}[${i - given.length}]`;
        return [
          i === 0 ? '' : ',',
          ...boundParam(context, param, value, `${list}.slice(${i - given.length})`),
        ];
      });
      inside.begin = begin + declareCoroutines(context, body);
      context.inRegion(region, () => context.visitList(body));
      if (region?.mark !== undefined) inside.begin += `${region.mark}=${context.rt('entered')}();`;
    });
  });
  const directives = body.filter((statement) => 'directive' in statement && statement.directive);
  const names =
    directives.map((directive) => `${context.source.textOf(directive)};`).join('') +
    context.prologue(frame) +
    sharedScopeText(context, scope);
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

/** A destructured parameter reads its argument. */
function isTakenApart(param: Node): boolean {
  return isPattern(param.type === 'AssignmentPattern' ? param.left : param);
}

/** Names for parameters up to the first with a default, which count for the length of a function, and for the list of all others. */
function namesFor(context: CoroutineContext, params: readonly Node[]): { names: string[]; list: string } {
  const end = params.findIndex(({ type }) => type === 'AssignmentPattern' || type === 'RestElement');
  return {
    names: params.slice(0, end < 0 ? undefined : end).map(() => context.name('a')),
    list: context.name('a'),
  };
}

/**
 * Parameters that are bound in the body stand beside what the body declares: a default must not mean that.
 * What the body declares again is a `var`; all others are not there before their turn has come.
 */
function keywordFor(
  context: CoroutineContext,
  params: readonly Node[],
  body: readonly Node[],
): 'let' | 'var' {
  const declared = declaredIn(body);
  for (const param of params)
    for (const name of namesUsedIn(param))
      if (declared.has(name))
        context.report(
          param,
          `a default that names ${name}, which the body declares too: give one of them another name`,
        );
  const again = params.some((param) =>
    [...targetsOf(param)].some((target) => target.type === 'Identifier' && declared.has(target.name)),
  );
  return again ? 'var' : 'let';
}

/** One parameter as a declaration in the body. */
function boundParam(context: CoroutineContext, param: Node, value: string, rest: string): Part[] {
  if (param.type === 'RestElement') {
    visitDefaults(context, param.argument);
    return [param.argument, `=${rest}`];
  }
  const target = param.type === 'AssignmentPattern' ? param.left : param;
  visitDefaults(context, param);
  const [before, after] = isPattern(target) ? pickText(context, target) : ['', ''];
  if (param.type !== 'AssignmentPattern') return [target, `=${before}${value}${after}`];
  return [target, `=${before}(${value}===void 0?`, param.right, `:${value})${after}`];
}

function bodyOf(node: FunctionNode): readonly Node[] {
  return node.body?.type === 'BlockStatement' ? node.body.body : node.body ? [node.body] : [];
}

/** Such functions have no coroutine version. */
export function isAsyncOrGenerator(node: FunctionNode): boolean {
  return node.async || node.generator;
}

/** Leaves an asynchronous function or a generator as it is, except for a report when a thread calls it. */
export function rewriteUnsupported(context: CoroutineContext, node: FunctionNode): void {
  const says = `${context.rt('refuse')}(${context.site(node, node.async ? 'async' : 'generator')})`;
  const isArrow = node.type === 'ArrowFunctionExpression';
  const [, frame] = context.within('plain', { isArrow, hasSuper: false }, () => {
    context.inScope(node, () => {
      for (const param of node.params) visitDefaults(context, param);
      const begin = declareCoroutines(context, bodyOf(node));
      context.visitList(bodyOf(node));
      const { body } = node;
      if (body?.type === 'BlockStatement') context.edits.at(body.start + 1, `${says};${begin}`);
      else if (body) {
        context.edits.before(body, `(${says},`);
        context.edits.after(body, ')');
      }
    });
  });
  context.lend(frame);
}

export function commas(nodes: readonly Node[]): Part[] {
  return nodes.flatMap((node, i) => (i === 0 ? [node] : [',', node]));
}
