/**
 * Scope analysis of a file: which variable does a name mean, which functions assign it, which capture it?
 *
 * First all declarations are entered into their scopes (`var` and functions are hoisted), then every used name is resolved. Two results
 * are used. A variable that is assigned after its declaration and captured by an inner function is *tracked*: threads that get the
 * function share it. And each function has the outer variables that it captures.
 */
import { type BindingKind, isInitializer, Scope } from './scope.js';
import { bare, childrenOf, isFunction, isType, type Node, type Of, targetsOf } from './tree.js';

export class Scopes {
  readonly top: Scope;
  readonly #scopeOf: Map<Node, Scope> = new Map();
  /** The number of loops around the current node in its function. */
  #loops = 0;

  constructor(program: Of<'Program'>) {
    this.top = new Scope(program, undefined);
    this.#scopeOf.set(program, this.top);
    for (const child of program.body) this.#declareIn(child, this.top);
    for (const child of program.body) this.#use(child, this.top);
  }

  /** The scope that a node opens. */
  of(node: Node): Scope | undefined {
    return this.#scopeOf.get(node);
  }

  // ── declarations ──

  #declareIn(node: Node, outer: Scope): void {
    if (isType(node)) return;
    const scope = opensScope(node) ? this.#open(node, outer) : outer;
    switch (node.type) {
      case 'ImportDeclaration':
        if (node.importKind !== 'type')
          for (const specifier of node.specifiers)
            if (!('importKind' in specifier && specifier.importKind === 'type'))
              declare(scope, specifier.local.name, 'import', specifier);
        return;
      case 'VariableDeclaration': {
        const kind = node.kind === 'var' || node.kind === 'let' ? node.kind : 'const';
        for (const { id } of node.declarations)
          for (const target of targetsOf(id))
            if (target.type === 'Identifier')
              declare(kind === 'var' ? scope.owner : scope, target.name, kind, node);
        break;
      }
      case 'FunctionDeclaration':
        if (node.id) declare(outer, node.id.name, 'function', node);
        break;
      case 'ClassDeclaration':
        if (node.id) declare(outer, node.id.name, 'class', node);
        break;
      case 'TSEnumDeclaration':
        declare(outer, node.id.name, 'var', node);
        break;
      case 'ClassExpression':
      case 'FunctionExpression':
        if (node.id) declare(scope, node.id.name, 'const', node);
        break;
      case 'CatchClause':
        if (node.param)
          for (const target of targetsOf(node.param))
            if (target.type === 'Identifier') declare(scope, target.name, 'catch', node);
        break;
    }
    if (isFunction(node))
      for (const param of node.params)
        for (const target of targetsOf(param))
          if (target.type === 'Identifier') declare(scope, target.name, 'param', node);
    for (const child of this.#below(node)) this.#declareIn(child, scope);
  }

  #open(node: Node, outer: Scope): Scope {
    const scope = new Scope(node, outer);
    this.#scopeOf.set(node, scope);
    return scope;
  }

  /** The body of a function or a catch clause is in the scope of its parameters. */
  #below(node: Node): Node[] {
    return childrenOf(node).flatMap((child) =>
      child.type === 'BlockStatement' && (isFunction(node) || node.type === 'CatchClause')
        ? child.body
        : [child],
    );
  }

  // ── uses ──

  #use(node: Node, outer: Scope): void {
    if (isType(node)) return;
    const scope = this.#scopeOf.get(node) ?? outer;
    switch (node.type) {
      case 'Identifier':
        this.#refer(node.name, scope);
        return;
      case 'ThisExpression':
      case 'Super':
        for (const owner of arrowsUp(scope)) owner.usesThis = true;
        return;
      case 'AssignmentExpression':
        this.#assign(node.left, node, scope);
        break;
      case 'UpdateExpression':
        this.#assign(node.argument, node, scope);
        break;
      case 'ForOfStatement':
      case 'ForInStatement':
        if (node.left.type !== 'VariableDeclaration') this.#assign(node.left, node.left, scope);
        else if (node.left.kind === 'var')
          for (const one of node.left.declarations) this.#assign(one.id, one, scope, true);
        break;
      case 'VariableDeclaration':
        // a var that is declared twice, or in a loop, is assigned again
        if (node.kind === 'var')
          for (const { id, init } of node.declarations) if (init) this.#assign(id, init, scope, true);
        break;
      case 'ExportNamedDeclaration':
        this.#export(node, scope);
        if (node.source) return;
        break;
      case 'MetaProperty':
      case 'ImportDeclaration':
      case 'BreakStatement':
      case 'ContinueStatement':
        return;
      case 'LabeledStatement':
        this.#use(node.body, scope);
        return;
      case 'MemberExpression':
        this.#use(node.object, scope);
        if (node.computed) this.#use(node.property, scope);
        return;
      case 'Property':
        if (node.computed) this.#use(node.key, scope);
        this.#use(node.value, scope);
        return;
      case 'MethodDefinition':
      case 'PropertyDefinition':
        if (node.computed) this.#use(node.key, outer);
        if (node.value) this.#use(node.value, scope);
        return;
      case 'TSEnumDeclaration':
        for (const { initializer } of node.body.members) if (initializer) this.#use(initializer, scope);
        return;
    }
    const loops = this.#loops;
    if (isFunction(node)) this.#loops = 0;
    else if (/^(For|While|DoWhile)/.test(node.type)) this.#loops++;
    for (const child of this.#below(node)) this.#use(child, scope);
    this.#loops = loops;
  }

  #refer(name: string, scope: Scope): void {
    if (name === 'arguments') for (const owner of arrowsUp(scope)) owner.usesArguments = true;
    const binding = scope.resolve(name);
    if (binding === undefined) return;
    binding.isUsed = true;
    if (binding.scope.owner !== scope.owner) {
      binding.isCaptured = true;
      // a declared function exists before all statements
      if (scope.owner.node.type === 'FunctionDeclaration' && binding.first)
        binding.assignments.push(binding.first);
    }
    if (binding.scope.isTop) return;
    for (let user = scope.owner; user !== binding.scope.owner; user = user.parent!.owner)
      user.captures.add(binding);
  }

  #assign(target: Node, by: Node, scope: Scope, isDeclaration = false): void {
    for (const node of targetsOf(bare(target))) {
      if (node.type !== 'Identifier') continue;
      const binding = scope.resolve(node.name);
      if (binding === undefined) continue;
      // a parameter had a value before, and functions may have read a variable before
      const isFirst =
        isDeclaration &&
        binding.node.start <= by.start &&
        by.end <= binding.node.end &&
        binding.kind !== 'param' &&
        !binding.isCaptured;
      if (!isFirst || this.#loops > 0) binding.assignments.push(by);
      else binding.first = by;
      if (binding.scope.owner !== scope.owner) binding.isAssignedElsewhere = true;
    }
  }

  #export(node: Of<'ExportNamedDeclaration'>, scope: Scope): void {
    if (node.source) return;
    for (const { local } of node.specifiers) {
      const binding = local.type === 'Identifier' ? scope.resolve(local.name) : undefined;
      if (binding !== undefined) binding.isExported = true;
    }
    if (node.declaration?.type === 'VariableDeclaration')
      for (const { id } of node.declaration.declarations)
        for (const target of targetsOf(id))
          if (target.type === 'Identifier') scope.resolve(target.name)!.isExported = true;
  }
}

function opensScope(node: Node): boolean {
  switch (node.type) {
    case 'BlockStatement':
    case 'CatchClause':
    case 'ForStatement':
    case 'ForOfStatement':
    case 'ForInStatement':
    case 'SwitchStatement':
    case 'ClassExpression':
      return true;
    default:
      return isFunction(node) || isInitializer(node);
  }
}

function declare(scope: Scope, name: string, kind: BindingKind, node: Node): void {
  const known = scope.bindings.get(name);
  if (known?.kind === 'function' && kind === 'function') {
    known.node = node;
    return;
  }
  // a function expression's own name gives way to whatever is called so in it
  if (known !== undefined && !(known.node === scope.node && known.kind === 'const')) return;
  const nothingYet = { isUsed: false, isCaptured: false, isAssignedElsewhere: false, isExported: false };
  scope.bindings.set(name, { name, kind, scope, node, assignments: [], ...nothingYet });
}

/** The function that runs here, and those around it as long as they are arrow functions. */
function* arrowsUp(scope: Scope): Generator<Scope> {
  for (let owner = scope.owner; ; owner = owner.parent!.owner) {
    yield owner;
    if (owner.node.type !== 'ArrowFunctionExpression') return;
  }
}
