/**
 * A file whose accesses are noted, and nothing else: for asynchronous code, which is explored as it is, and is alone
 * between two awaits. Who knows what each task reads and writes knows which orders of tasks come to the same.
 *
 *     o.f         becomes    R.r(o,"f").f
 *     o.f = v                R.w(o,"f").f = v            where `v` waits: (t=o).f = R.late(v,t,"f")
 *     o.m(a)                 R.m(o,"m").m(R.g(a))        which method it is tells what it does (recording.ts)
 *     f(a)                   R.f(f)(R.g(a))
 *     x                      R.vr(x,7)                   a variable that functions share, by its number
 *     x = v                  x = R.vw(v,7)
 *     a?.b.c                 R.k(R.q(R.r(a,"b"),3)?.b,3,"c")?.c
 *
 * All is written in place, so that lines keep their numbers; types stay, since whoever compiles the file takes them away. What can not
 * be written so says `R.no()`: from then on nothing is known.
 */
import { Edits } from '../edits.js';
import { isTracked, type Scope } from '../scope.js';
import { Scopes } from '../scopes.js';
import { Source } from '../source.js';
import {
  bare,
  type ClassNode,
  childrenOf,
  type FunctionNode,
  hasOptionalBelow,
  isFunction,
  isType,
  type MemberNode,
  type Node,
  nameOf,
  type Of,
  targetsOf,
} from '../tree.js';
import { RECORDING as R } from './mark.js';
import { waits } from './waits.js';

export function rewriteRecorded(file: string, text: string): string {
  return new Recorded(new Source(file, text)).rewrite();
}

/** Variables of all files, and chains, are told apart by numbers. */
let numbers = 0;

type Callee = { readonly callee: Node; readonly arguments: readonly Node[]; readonly optional?: boolean };

class Recorded {
  readonly #source: Source;
  readonly #edits: Edits;
  readonly #scopes: Scopes;
  readonly #variables = new Map<object, number>();
  #scope: Scope;
  /** Of the function around, if it may wait: the names of variables that it needs. */
  #temps: string[] | undefined;
  /** Private names of the classes around that are methods or accessors: code of the file. */
  #methods: ReadonlySet<string> = new Set();
  #chain = 0;

  constructor(source: Source) {
    this.#source = source;
    this.#edits = new Edits(source.text);
    this.#scopes = new Scopes(source.program);
    this.#scope = this.#scopes.top;
  }

  rewrite(): string {
    for (const statement of this.#source.program.body) this.#visit(statement);
    return this.#edits.result(this.#source.file).code;
  }

  // ── all nodes ──

  #visit(node: Node): void {
    if (isType(node)) return;
    const outer = this.#scope;
    this.#scope = this.#scopes.of(node) ?? outer;
    this.#node(node);
    this.#scope = outer;
  }

  #visitAll(nodes: readonly (Node | null)[]): void {
    for (const node of nodes) if (node) this.#visit(node);
  }

  #node(node: Node): void {
    if (isFunction(node)) {
      this.#function(node);
      return;
    }
    switch (node.type) {
      case 'Identifier':
        this.#identifier(node);
        return;
      case 'MemberExpression':
        this.#member(node, 'r');
        return;
      case 'ChainExpression': {
        const outer = this.#chain;
        this.#chain = ++numbers;
        this.#visit(node.expression);
        this.#chain = outer;
        return;
      }
      case 'AssignmentExpression':
        this.#assignment(node);
        return;
      case 'UpdateExpression':
        this.#update(node);
        return;
      case 'CallExpression':
        this.#call(node);
        return;
      case 'NewExpression':
        this.#new(node);
        return;
      case 'TaggedTemplateExpression':
        this.#callee({ callee: node.tag, arguments: [] });
        this.#visit(node.quasi);
        return;
      case 'TemplateLiteral':
        for (const expression of node.expressions) this.#wrapped(expression, 'look');
        return;
      case 'AwaitExpression':
        this.#wrapped(node.argument, 'a');
        return;
      case 'YieldExpression':
        if (node.argument && node.delegate) this.#wrapped(node.argument, 'of');
        else if (node.argument) this.#visit(node.argument);
        return;
      case 'SpreadElement':
        this.#wrapped(node.argument, 'look');
        return;
      case 'UnaryExpression':
        if (node.operator === 'typeof' && node.argument.type === 'Identifier') return;
        if (node.operator === 'delete' && bare(node.argument).type === 'MemberExpression')
          this.#member(bare(node.argument) as MemberNode, 'w');
        else this.#visit(node.argument);
        return;
      case 'BinaryExpression':
        this.#binary(node);
        return;
      case 'ForOfStatement':
      case 'ForInStatement':
        this.#loop(node);
        return;
      case 'VariableDeclarator':
        this.#declarator(node);
        return;
      case 'Property':
        this.#property(node);
        return;
      case 'ClassDeclaration':
      case 'ClassExpression':
        this.#class(node);
        return;
      case 'MethodDefinition':
      case 'PropertyDefinition':
      case 'AccessorProperty':
        if (node.computed) this.#visit(node.key);
        if (node.value) this.#visit(node.value);
        return;
      case 'CatchClause':
        if (node.param && node.param.type !== 'Identifier') this.#edits.at(node.body.start + 1, `${R}.no();`);
        this.#visit(node.body);
        return;
      case 'ImportExpression':
        this.#unknown(node);
        return;
      case 'LabeledStatement':
        this.#visit(node.body);
        return;
      case 'ExportNamedDeclaration':
        if (node.declaration) this.#visit(node.declaration);
        return;
      case 'ImportDeclaration':
      case 'ExportAllDeclaration':
      case 'MetaProperty':
      case 'BreakStatement':
      case 'ContinueStatement':
      case 'TSEnumDeclaration':
        return;
      default:
        this.#visitAll(childrenOf(node));
        return;
    }
  }

  /** `R.name(node, …more)` */
  #wrap(node: Node, name: string, more = ''): void {
    this.#edits.before(node, `${R}.${name}(`);
    this.#edits.after(node, `${more && `,${more}`})`);
  }

  #wrapped(node: Node, name: string): void {
    this.#visit(node);
    this.#wrap(node, name);
  }

  #unknown(node: Node): void {
    this.#edits.before(node, `(${R}.no(),`);
    this.#edits.after(node, ')');
  }

  // ── variables ──

  /** The number of a variable that changes and that functions share. */
  #numberOf(name: string): number | undefined {
    const binding = this.#scope.resolve(name);
    if (binding === undefined || !isTracked(binding)) return undefined;
    const number = this.#variables.get(binding) ?? ++numbers;
    this.#variables.set(binding, number);
    return number;
  }

  #identifier(node: Of<'Identifier'>): void {
    const number = this.#numberOf(node.name);
    if (number !== undefined) this.#wrap(node, 'vr', String(number));
  }

  #property({ key, value, computed, shorthand }: Of<'Property'>): void {
    if (computed) this.#visit(key);
    if (shorthand && value.type === 'Identifier' && this.#numberOf(value.name) !== undefined) {
      this.#identifier(value);
      this.#edits.before(value, `${value.name}:`);
    } else this.#visit(value);
  }

  /** What is written to variables by a pattern: told when its value is there. */
  #writes(pattern: Node, value: Node): void {
    for (const target of targetsOf(pattern)) {
      if (target.type !== 'Identifier') continue;
      const binding = this.#scope.resolve(target.name);
      const number = this.#numberOf(target.name);
      if (number !== undefined && binding?.isExported) this.#wrap(value, 'no');
      else if (number !== undefined) this.#wrap(value, 'vw', String(number));
      // a global one
      else if (binding === undefined) this.#wrap(value, 'no');
    }
  }

  #declarator({ id, init }: Of<'VariableDeclarator'>): void {
    this.#pattern(id);
    if (!init) return;
    this.#visit(init);
    this.#taken(id, init);
    this.#writes(id, init);
  }

  /** A value that is taken apart. */
  #taken(pattern: Node, value: Node): void {
    const depth = depthOf(pattern);
    if (depth > 0) this.#wrap(value, 'd', String(depth));
  }

  /** Defaults, computed keys, and members that are written to. */
  #pattern(pattern: Node): void {
    const node = bare(pattern);
    switch (node.type) {
      case 'MemberExpression':
        this.#member(node, 'w');
        return;
      case 'AssignmentPattern':
        this.#pattern(node.left);
        this.#visit(node.right);
        return;
      case 'RestElement':
        this.#pattern(node.argument);
        return;
      case 'ArrayPattern':
        for (const element of node.elements) if (element) this.#pattern(element);
        return;
      case 'ObjectPattern':
        for (const property of node.properties) {
          if (property.type === 'RestElement') this.#pattern(property.argument);
          else {
            if (property.computed) this.#visit(property.key);
            this.#pattern(property.value);
          }
        }
    }
  }

  // ── members ──

  /** `name`: what is done with it. `temps`: the variables in which its object and its key are kept. */
  #member(node: MemberNode, name: string, more = '', temps?: readonly [string, string]): void {
    const { object, property, computed } = node;
    if (object.type === 'Super') {
      if (computed) this.#visit(property);
      return;
    }
    this.#visit(object);
    const told = nameOf(property, computed);
    const isOwnMethod = property.type === 'PrivateIdentifier' && this.#methods.has(property.name);
    const isPast = hasOptionalBelow(object);
    let key = JSON.stringify(told);
    if (told === undefined) {
      // evaluated once: nothing runs between the two places
      this.#visit(property);
      const kept = temps ? temps[1] : `${R}.key`;
      key = `${kept}=(${this.#edits.move(property, kept)})`;
    } else if (computed) this.#visit(property);
    if (temps) this.#edits.before(object, `${temps[0]}=`);
    if (!isOwnMethod) this.#wrap(object, name, `${key}${more}`);
    if (isPast) {
      this.#wrap(object, 'k', String(this.#chain));
      if (!node.optional) this.#edits.at(object.end, computed ? '?.' : '?');
    }
    if (node.optional) this.#wrap(object, 'q', String(this.#chain));
  }

  #newTemps(): [string, string] | undefined {
    if (this.#temps === undefined) return undefined;
    const number = ++numbers;
    const made: [string, string] = [`${R}o${number}`, `${R}k${number}`];
    this.#temps.push(...made);
    return made;
  }

  #assignment(node: Of<'AssignmentExpression'>): void {
    const { left, right, operator } = node;
    const target = bare(left);
    const isWaiting = waits(right);
    if (target.type !== 'MemberExpression') {
      this.#pattern(target);
      this.#visit(right);
      this.#taken(target, right);
      if (target.type === 'Identifier' && operator !== '=' && isWaiting) {
        const number = this.#numberOf(target.name);
        this.#writes(target, right);
        if (number !== undefined) this.#edits.before(right, `(${R}.vr(0,${number}),`);
        if (number !== undefined) this.#edits.after(right, ')');
      } else this.#writes(target, right);
      return;
    }
    const temps = isWaiting ? this.#newTemps() : undefined;
    this.#member(target, temps === undefined ? 'w' : operator === '=' ? 'i' : 'r', '', temps);
    this.#visit(right);
    if (isWaiting && temps === undefined) this.#unknown(right);
    if (!temps) return;
    const told = nameOf(target.property, target.computed);
    this.#wrap(right, 'late', `${temps[0]},${told === undefined ? temps[1] : JSON.stringify(told)}`);
  }

  #update(node: Of<'UpdateExpression'>): void {
    const target = bare(node.argument);
    if (target.type === 'MemberExpression') this.#member(target, 'w');
    else this.#writes(target, node);
  }

  // ── calls ──

  #call(node: Of<'CallExpression'>): void {
    this.#callee(node);
    if (nameOfCallee(node.callee) === 'bind') this.#wrap(node, 'z');
  }

  #callee(node: Callee): void {
    const { callee } = node;
    const target = bare(callee);
    const lastWaits = node.arguments.findLastIndex(waits);
    const taking = this.#isTaking(callee) ? ',1' : '';
    if (callee.type === 'Super') this.#args(node.arguments, 'g');
    else if (target.type === 'MemberExpression' && callee.type !== 'ParenthesizedExpression') {
      const temps = lastWaits >= 0 ? this.#newTemps() : undefined;
      if (target.object.type === 'Super') this.#superCall(node as Of<'CallExpression'>, target);
      else if (target.property.type === 'PrivateIdentifier') this.#privateCallee(target);
      else this.#member(target, 'm', `${taking || ',0'},${this.#chain}`, temps);
      this.#args(node.arguments, taking ? takenBy(target) : 'g');
      const last = node.arguments.at(-1);
      if (temps && last && target.object.type !== 'Super') {
        const told = nameOf(target.property, target.computed);
        const key = told === undefined ? temps[1] : JSON.stringify(told);
        this.#wrap(
          last.type === 'SpreadElement' ? last.argument : last,
          'lateCall',
          `${temps[0]},${key}${taking}`,
        );
      }
    } else {
      this.#visit(callee);
      if (hasOptionalBelow(callee)) {
        this.#wrap(callee, 'k', String(this.#chain));
        if (!node.optional) this.#edits.at(callee.end, '?.');
      }
      this.#wrap(callee, 'f', taking ? '1' : '');
      if (node.optional) this.#wrap(callee, 'q', String(this.#chain));
      this.#args(node.arguments, taking ? 'look' : 'g');
    }
  }

  /** Does a function that comes with JavaScript, and looks into its arguments, stand here by its name? */
  #isTaking(callee: Node): boolean {
    const target = bare(callee);
    if (target.type === 'Identifier') return this.#scope.resolve(target.name) === undefined;
    if (target.type !== 'MemberExpression') return false;
    if (nameOfCallee(callee) === 'concat') return true;
    return target.object.type === 'Identifier' && this.#scope.resolve(target.object.name) === undefined;
  }

  /** A private method is code of the file; what a private field holds may be any function. */
  #privateCallee(target: MemberNode): void {
    const { object, property } = target;
    const name = (property as Of<'PrivateIdentifier'>).name;
    const isSimple =
      object.type === 'ThisExpression' || (object.type === 'Identifier' && !hasOptionalBelow(target));
    this.#member(target, 'r');
    if (this.#methods.has(name)) return;
    const value = isSimple ? `${this.#source.textOf(object)}.#${name}` : '0';
    this.#wrap(object, 'p', value);
  }

  #superCall(node: Of<'CallExpression'>, { property, computed }: MemberNode): void {
    const name = nameOf(property, computed);
    const told = name === undefined ? `${R}.no()` : `${R}.super(super.${name},this)`;
    this.#edits.before(node, `(${told},`);
    this.#edits.after(node, ')');
  }

  #args(args: readonly Node[], name: string): void {
    for (const arg of args) {
      this.#visit(arg);
      if (arg.type !== 'SpreadElement' && !isPlain(arg)) this.#wrap(arg, name);
    }
  }

  #new({ callee, arguments: args }: Of<'NewExpression'>): void {
    this.#visit(callee);
    const isNamed = callee.type === 'Identifier';
    const taking = isNamed && this.#isTaking(callee);
    this.#edits.before(callee, `(${R}.n(`);
    this.#edits.after(callee, `,${isNamed ? 1 : 0}))`);
    this.#args(args, taking ? 'look' : 'g');
    const [first] = args;
    if (isNamed && callee.name === 'Promise' && first) this.#wrap(first, 'x');
  }

  // ── other expressions and statements ──

  #binary({ left, right, operator }: Of<'BinaryExpression'>): void {
    if (left.type !== 'PrivateIdentifier') this.#visit(left);
    this.#visit(right);
    if (operator === 'in' && left.type !== 'PrivateIdentifier') this.#wrap(right, 'look');
    // an object may be made into a text
    if (operator !== '+') return;
    for (const side of [left, right]) if (!isPlain(side)) this.#wrap(side, 'look');
  }

  #loop(node: Of<'ForOfStatement' | 'ForInStatement'>): void {
    const { left, right, body } = node;
    const isOf = node.type === 'ForOfStatement';
    const isAwaited = isOf && node.await;
    const pattern = left.type === 'VariableDeclaration' ? left.declarations[0].id : left;
    this.#pattern(pattern);
    this.#visit(right);
    const depth = depthOf(pattern);
    if (isAwaited) this.#wrap(right, 'every');
    else if (isOf && (depth > 0 || waits(body))) this.#wrap(right, 'of', String(depth));
    else this.#wrap(right, 'look');
    // what is taken apart, or written, in each round
    const isSimple = [...targetsOf(pattern)].every(
      (target) =>
        target.type === 'Identifier' &&
        (left.type === 'VariableDeclaration' || this.#numberOf(target.name) === undefined),
    );
    if (!isSimple || (isAwaited && depth > 0)) this.#wrap(right, 'no');
    this.#visit(body);
  }

  #class({ body, superClass }: ClassNode): void {
    if (superClass) this.#visit(superClass);
    const outer = this.#methods;
    const own = body.body.flatMap((member) =>
      member.type === 'MethodDefinition' && member.key.type === 'PrivateIdentifier' ? [member.key.name] : [],
    );
    this.#methods = new Set([...outer, ...own]);
    this.#visitAll(body.body);
    this.#methods = outer;
    this.#edits.at(body.start + 1, `static{${R}}`);
  }

  #function(node: FunctionNode): void {
    const { body, params } = node;
    if (!body) return;
    const outer = this.#temps;
    const mayWait = node.async || node.generator;
    this.#temps = mayWait ? [] : undefined;
    for (const param of params) this.#pattern(param.type === 'TSParameterProperty' ? param.parameter : param);
    let first = `${R};`;
    for (const param of params) first += this.#param(param, node);
    if (body.type === 'BlockStatement') this.#visitAll(body.body);
    else this.#visit(body);
    if (this.#temps && this.#temps.length > 0) first += `let ${this.#temps.join()};`;
    this.#temps = outer;
    if (body.type === 'BlockStatement') {
      const directive = body.body.findLast((statement) => 'directive' in statement && statement.directive);
      this.#edits.at(directive?.end ?? body.start + 1, directive ? `;${first}` : first);
    } else {
      this.#edits.before(body, `{${first}return (`);
      this.#edits.after(body, ')}');
    }
  }

  /** A parameter that is taken apart is given a name, and taken apart first of all. */
  #param(param: Node, { params, generator }: FunctionNode): string {
    const pattern = param.type === 'AssignmentPattern' ? param.left : param;
    const depth = depthOf(pattern);
    if (depth === 0 || pattern.type === 'RestElement') return '';
    const names = new Set([...targetsOf(pattern)].flatMap((t) => (t.type === 'Identifier' ? [t.name] : [])));
    const uses = (node: Node): boolean =>
      (node.type === 'Identifier' && names.has(node.name)) || childrenOf(node).some(uses);
    const isUsed = params.some((other) => other !== param && uses(other));
    if (generator || isUsed) return `${R}.no();`;
    const name = `${R}p${++numbers}`;
    const text = this.#edits.move(pattern, name).replaceAll('\n', ' ');
    return `let ${text}=${R}.d(${name},${depth});`;
  }
}

/** How deep a pattern takes something apart. */
function depthOf(pattern: Node): number {
  const node = bare(pattern);
  const deepest = (nodes: readonly (Node | null)[]) =>
    1 + Math.max(0, ...nodes.map((child) => (child ? depthOf(child) : 0)));
  switch (node.type) {
    case 'AssignmentPattern':
      return depthOf(node.left);
    case 'RestElement':
      return depthOf(node.argument);
    case 'ArrayPattern':
      return deepest(node.elements);
    case 'ObjectPattern':
      return deepest(
        node.properties.map((property) => (property.type === 'RestElement' ? null : property.value)),
      );
    default:
      return 0;
  }
}

/** No object, and no function but one of the file. */
function isPlain(node: Node): boolean {
  return node.type === 'Literal' || node.type === 'TemplateLiteral' || isFunction(node);
}

/** What a function that comes with JavaScript does to its arguments. */
function takenBy(callee: MemberNode): string {
  const name = nameOfCallee(callee) ?? '';
  const isOfAtomics = callee.object.type === 'Identifier' && callee.object.name === 'Atomics';
  if (isOfAtomics || /^(assign|freeze|defineProperty)$/.test(name)) return 'change';
  return name === 'stringify' ? 'deep' : 'look';
}

function nameOfCallee(callee: Node): string | undefined {
  const target = bare(callee);
  return target.type === 'MemberExpression' ? nameOf(target.property, target.computed) : undefined;
}
