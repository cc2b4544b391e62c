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
import type { FunctionNode, Node } from '../tree.js';
import { isPattern, pickText, visitDefaults } from './patterns.js';
import type { Unit } from './unit.js';
import { recordText } from './variables.js';

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
      `,${self},${held},${unit.site(node)})`,
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
      `,${unit.held(scope.captures)},${unit.site(node)}${name && `,"${name}"`})`,
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
  const params = node.params.filter((param) => !(param.type === 'Identifier' && param.name === 'this'));
  // parameters from the first one on that is more than a name are bound in the body
  const first = params.findIndex((param) => param.type !== 'Identifier');
  const simple = first < 0 ? params : params.slice(0, first);
  const others = first < 0 ? [] : params.slice(first);
  const isBound = [...scope.bindings.values()].some(
    ({ kind, assignments }) => kind === 'param' && assignments.length > 0,
  );
  if (scope.usesArguments && !unit.source.isModule && isBound)
    unit.report(node, 'arguments, and a parameter that is assigned: take the arguments as (...args)');
  if (scope.usesArguments && node.type === 'ArrowFunctionExpression')
    unit.report(node, 'arguments of the function around an arrow function: take them as (...args)');
  const inside: { head: Part[]; begin: string } = { head: [], begin: '' };
  const list = unit.name('a');
  const body = bodyOf(node);
  const [, frame] = unit.within(
    'twin',
    { isArrow: node.type === 'ArrowFunctionExpression', hasSuper },
    () => {
      unit.inScope(node, () => {
        inside.head = others.flatMap((param, i) => boundParam(unit, param, i, list));
        inside.begin = recordText(unit, scope) + declareTwins(unit, body);
        unit.visitList(body);
      });
    },
  );
  const { head, begin } = inside;
  const names = unit.prologue(frame);
  const open: Part[] =
    others.length === 0
      ? ['(', ...commas(simple), `){${names}${begin}`]
      : [
          '(',
          ...commas(simple),
          `${simple.length > 0 ? ',' : ''}...${list}){${names}var `,
          ...head,
          `;${begin}`,
        ];
  const block = node.body!;
  if (block.type !== 'BlockStatement') return [...open, 'return(', block, ')}'];
  return [...open, { start: block.start + 1, end: block.end - 1 }, '}'];
}

/** One parameter as a declaration in the body. */
function boundParam(unit: Unit, param: Node, i: number, list: string): Part[] {
  const comma = i === 0 ? '' : ',';
  if (param.type === 'RestElement') {
    visitDefaults(unit, param.argument);
    return [comma, param.argument, `=${list}.slice(${i})`];
  }
  const target = param.type === 'AssignmentPattern' ? param.left : param;
  visitDefaults(unit, param);
  const [before, after] = isPattern(target) ? pickText(unit, target) : ['', ''];
  if (param.type !== 'AssignmentPattern') return [comma, target, `=${before}${list}[${i}]${after}`];
  return [comma, target, `=${before}(${list}[${i}]===void 0?`, param.right, `:${list}[${i}])${after}`];
}

/** A constructor: its parameters and body stay, and can not be interrupted. */
export function rewriteConstructor(unit: Unit, node: FunctionNode): void {
  const scope = unit.scopes.of(node)!;
  const body = bodyOf(node);
  const inside = { begin: '' };
  const [, frame] = unit.within('sync', { isArrow: false, hasSuper: true }, () => {
    unit.inScope(node, () => {
      for (const param of node.params)
        visitDefaults(unit, param.type === 'TSParameterProperty' ? param.parameter : param);
      inside.begin = recordText(unit, scope) + declareTwins(unit, body);
      unit.visitList(body);
    });
  });
  unit.edits.at(node.body!.start + 1, unit.prologue(frame) + inside.begin);
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
  unit.within('plain', { isArrow: node.type === 'ArrowFunctionExpression', hasSuper: false }, () => {
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
}

function commas(nodes: readonly Node[]): Part[] {
  return nodes.flatMap((node, i) => (i === 0 ? [node] : [',', node]));
}
