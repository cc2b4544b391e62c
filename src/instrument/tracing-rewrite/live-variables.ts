/**
 * Variables that code of a traced file may still use: those of functions that were made, and of functions that are suspended at
 * an `await`. A stateful search compares executions by them (explore/async/heap-state.ts).
 *
 *     (a) => x            becomes    R.c((a) => x,7,[()=>x])
 *     function f() {}                R.c(f,7,[…]);function f() {}
 *     { m() {} }                     R.o({ m() {} },7,[…],["m"])
 *     class C { #p }                 class C {static{R.cls(this,7,[…],[(o)=>o.#p])} #p }
 *     await v                        await R.a(v,7,[…])
 *
 * 7 is a number for the place in the source. Getters are called only while nothing runs.
 *
 * A function or an `await` of which something is hidden gets no list, and the search declines where it occurs:
 *
 *   - at an `await`, the engine keeps a value that no variable holds: a left operand, an argument, an iterator, the result
 *     that a `finally` delays
 *   - `arguments`; a parameter that is destructured, or has a default, before an `await`
 *
 * Two functions that share a variable which changes are in another state than two that have such a variable each. So each
 * block with such variables also has an object of its own, which is listed beside them.
 */
import { collectNames, isTracked, type Scope } from '../syntax/scope.js';
import {
  bare,
  type ClassNode,
  childrenOf,
  isFunction,
  isType,
  type Node,
  nameOf,
  type Of,
} from '../syntax/tree.js';
import { TRACER as R } from '../tracing/locations.js';
import { type Facts, type ListedAwait, newNumber, type TracingContext } from './context.js';

/** What the walk over a file finds out about its functions and awaits. */
export class SourceFacts implements Facts {
  /** Functions that are values: the names that their places give them. Undefined: such a name is not known beforehand. */
  readonly #values = new Map<Node, string | undefined>();
  /** Declared functions to the statements before which they can be named. */
  readonly statements: Map<Node, Node> = new Map();
  /** Awaits at which no value is hidden. */
  readonly awaits: Map<Node, ListedAwait> = new Map();
  readonly #path: Node[] = [];

  constructor(program: Node) {
    this.#walk(program);
  }

  /** Is the function a value? Then it may get a name: undefined if it has one, or needs none. */
  isValue(node: Node): boolean {
    return this.#values.has(node);
  }

  nameOf(node: Node): string | undefined {
    return this.#values.get(node);
  }

  #walk(node: Node): void {
    if (isType(node)) return;
    const parent = this.#path.at(-1);
    if (parent && isFunction(node)) this.#function(node, parent);
    if (node.type === 'AwaitExpression') this.#await(node);
    this.#path.push(node);
    for (const child of childrenOf(node)) this.#walk(child);
    this.#path.pop();
  }

  #function(node: Node, parent: Node): void {
    if (node.type === 'FunctionDeclaration') {
      const isExported = /^Export/.test(parent.type);
      if (node.id && (isExported || parent.type === 'Program' || parent.type === 'BlockStatement'))
        this.statements.set(node, isExported ? parent : node);
      return;
    }
    const isMethod =
      parent.type === 'MethodDefinition' ||
      (parent.type === 'Property' && (parent.method || parent.kind !== 'init'));
    if (isMethod) return;
    const isNamed = node.type === 'FunctionExpression' && node.id !== null;
    const given = isNamed ? '' : this.#nameFor(node);
    if (given !== undefined) this.#values.set(node, given || undefined);
  }

  /** The name that an anonymous function gets from its place; empty if none, undefined if it is computed. */
  #nameFor(node: Node): string | undefined {
    let child = node;
    let place = this.#path.length - 1;
    while (bare(this.#path[place]) !== this.#path[place]) child = this.#path[place--];
    const parent = this.#path[place];
    switch (parent.type) {
      case 'VariableDeclarator':
        return parent.id.type === 'Identifier' ? parent.id.name : '';
      case 'AssignmentExpression':
      case 'AssignmentPattern':
        return parent.right === child && parent.left.type === 'Identifier' ? parent.left.name : '';
      case 'Property':
      case 'PropertyDefinition':
      case 'AccessorProperty':
        return parent.value === child ? nameOf(parent.key, parent.computed) : '';
      case 'ExportDefaultDeclaration':
        return 'default';
      default:
        return '';
    }
  }

  #await(node: Node): void {
    let from = node.end;
    let child = node;
    const kept: string[] = [];
    for (let place = this.#path.length - 1; place >= 0; place--) {
      const parent = this.#path[place];
      if (isFunction(parent)) {
        const isPlain = parent.params.every((param) => param.type === 'Identifier');
        if (parent.async && !parent.generator && parent.body === child && isPlain)
          this.awaits.set(node, { from, kept });
        return;
      }
      const before = valuesBefore(parent, child);
      if (!before?.every(isPlainValue)) return;
      for (const value of before) if (value.type === 'Identifier') kept.push(value.name);
      if (/^(For|While|DoWhile)/.test(parent.type)) from = parent.start;
      child = parent;
    }
  }
}

/** Is its value that of a variable, or a constant? */
const isPlainValue = (node: Node): boolean =>
  node.type === 'Literal' || node.type === 'Identifier' || node.type === 'ThisExpression';

/** What the engine has evaluated, and keeps for `parent`, while `child` is evaluated; undefined if it is more than expressions. */
function valuesBefore(parent: Node, child: Node): readonly Node[] | undefined {
  switch (parent.type) {
    case 'ExpressionStatement':
    case 'ReturnStatement':
    case 'ThrowStatement':
    case 'VariableDeclaration':
    case 'BlockStatement':
    case 'IfStatement':
    case 'LabeledStatement':
    case 'WhileStatement':
    case 'DoWhileStatement':
    case 'ForStatement':
    case 'SwitchStatement':
    case 'CatchClause':
    case 'UnaryExpression':
    case 'AwaitExpression':
    case 'SequenceExpression':
    case 'ConditionalExpression':
    case 'LogicalExpression':
    case 'ChainExpression':
      return [];
    case 'SwitchCase':
      return parent.test === child ? undefined : [];
    case 'TryStatement':
      return parent.finalizer === child ? undefined : [];
    case 'VariableDeclarator':
      return parent.init === child ? [] : undefined;
    case 'ForOfStatement':
    case 'ForInStatement': {
      const isAwaited = parent.type === 'ForOfStatement' && parent.await;
      return parent.right === child && !isAwaited ? [] : undefined;
    }
    case 'AssignmentExpression': {
      const { left, operator, right } = parent;
      if (right !== child) return undefined;
      if (left.type === 'Identifier') return operator === '=' ? [] : [left];
      // the rewriter keeps the object of a member in a variable
      return left.type === 'MemberExpression' && operator === '=' ? [] : undefined;
    }
    case 'MemberExpression':
      return parent.object === child ? [] : undefined;
    case 'CallExpression': {
      const { callee, arguments: args } = parent;
      return callee === child ? [] : [callee, ...args.slice(0, args.indexOf(child as never))];
    }
    case 'BinaryExpression':
      return parent.left === child ? [] : [parent.left];
    default:
      return bare(parent) === parent ? undefined : [];
  }
}

// ── lists of getters ──

/** A value in an expression: registers it with the variables that it uses. */
export function listVariablesOfFunction(context: TracingContext, node: Node, outer: Scope): void {
  if (!isFunction(node)) return;
  const { facts } = context;
  const statement = facts.statements.get(node);
  if (!statement && !facts.isValue(node)) return;
  const list = listOf(context, node, outer, {
    at: node.start,
    hasThis: node.type === 'ArrowFunctionExpression',
  });
  if (list === undefined) return;
  if (statement) context.edits.before(statement, `${R}.c(${node.id!.name},${newNumber()},${list});`);
  else {
    const name = facts.nameOf(node);
    context.wrap(node, 'c', `${newNumber()},${list}${name === undefined ? '' : `,${JSON.stringify(name)}`}`);
  }
}

/** What the static block of a class calls, so that its variables and private fields are known. */
export function listVariablesOfClass(context: TracingContext, node: ClassNode): string {
  const isHidden = node.body.body.some(({ type }) => type === 'AccessorProperty');
  const list = isHidden ? undefined : listOf(context, node, context.scope, { at: node.start });
  if (list === undefined) return R;
  const fields = node.body.body.flatMap((member) =>
    member.type === 'PropertyDefinition' && member.key.type === 'PrivateIdentifier'
      ? [`(o)=>o.#${member.key.name}`]
      : [],
  );
  return `${R}.cls(this,${newNumber()},${list},[${fields.join()}])`;
}

/** An object with methods. */
export function rewriteObject(context: TracingContext, node: Of<'ObjectExpression'>): void {
  context.visitChildren(node);
  const methods = node.properties.flatMap((property) =>
    property.type === 'Property' && (property.method || property.kind !== 'init') ? [property] : [],
  );
  const names = methods.map(({ key, computed }) => nameOf(key, computed));
  if (names.length === 0 || names.includes(undefined)) return;
  const list = listOf(context, node, context.scope, { at: node.start });
  if (list !== undefined) context.wrap(node, 'o', `${newNumber()},${list},${JSON.stringify(names)}`);
}

/** `await`: the variables that the function uses when it continues, and the promise that it returned. */
export function rewriteAwait(context: TracingContext, node: Of<'AwaitExpression'>): void {
  context.visit(node.argument);
  const found = context.facts.awaits.get(node);
  const { scope } = context;
  // a variable that others assign may have another value than the engine keeps
  const isStable = (name: string): boolean => {
    const binding = scope.resolve(name);
    return binding === undefined || !isTracked(binding);
  };
  const list =
    found?.kept.every(isStable) &&
    listOf(context, scope.owner.node, scope, {
      from: found.from,
      at: node.start,
      hasThis: true,
      names: found.kept,
    });
  if (!list) {
    context.wrap(node.argument, 'a');
    return;
  }
  context.hasListedAwait = true;
  const own = [`${R}e`, ...(context.temps ?? [])].map((name) => `()=>${name}`);
  const all = list === '[]' ? `[${own.join()}]` : `[${own.join()},${list.slice(1)}`;
  context.wrap(node.argument, 'a', `${newNumber()},${all}`);
}

/** `at`: where the list is. `from`: where the variables are used. `names`: of further variables. */
interface ListOptions {
  readonly at: number;
  readonly from?: number;
  readonly hasThis?: boolean;
  readonly names?: readonly string[];
}

/** Getters of the variables, as seen from a scope, that a node uses from an offset on. Undefined if something is hidden. */
function listOf(
  context: TracingContext,
  node: Node,
  scope: Scope,
  { at, from = at, hasThis = false, names: others = [] }: ListOptions,
): string | undefined {
  const names = new Set<string>(others);
  collectNames(node, from, names);
  const values = new Set<string>();
  for (const name of names) {
    if (name === 'arguments') return undefined;
    if (name === 'this') {
      if (hasThis) values.add('this');
      continue;
    }
    const binding = scope.resolve(name);
    if (binding === undefined) continue;
    values.add(name);
    const { isCaptured, kind } = binding;
    const isLater = ['let', 'const', 'class'].includes(kind) && binding.node.start > at;
    if (binding.scope.isTop || !(isTracked(binding) || (isCaptured && isLater))) continue;
    const block = context.blockName(binding.scope);
    if (block === undefined) return undefined;
    values.add(block);
  }
  return `[${[...values].map((name) => `()=>${name}`).join()}]`;
}
