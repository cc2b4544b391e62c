/** A scope with its variables (`Binding`), and what is known of each: where it is assigned, and which functions use it. */
import { childrenOf, isFunction, isType, type Node, targetsOf } from './tree.js';

/** Variables, functions and classes that statements declare; those of inner blocks if they rise out of them. */
export function declaredIn(statements: readonly Node[]): Set<string> {
  const names = new Set<string>();
  const look = (node: Node, isOutermost: boolean): void => {
    if (isType(node)) return;
    if (isOutermost && (node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration') && node.id)
      names.add(node.id.name);
    if (node.type === 'VariableDeclaration' && (isOutermost || node.kind === 'var'))
      for (const { id } of node.declarations)
        for (const target of targetsOf(id)) if (target.type === 'Identifier') names.add(target.name);
    if (!isFunction(node)) for (const child of childrenOf(node)) look(child, false);
  };
  for (const statement of statements) look(statement, true);
  return names;
}

/** Names in the defaults of a parameter, but for parameters of functions in there. */
export function namesUsedIn(param: Node): Set<string> {
  const names = new Set<string>();
  const look = (node: Node, own: ReadonlySet<string>): void => {
    if (isType(node)) return;
    if (node.type === 'Identifier') {
      if (!own.has(node.name)) names.add(node.name);
      return;
    }
    if (node.type === 'MemberExpression' && !node.computed) {
      look(node.object, own);
      return;
    }
    const inside = isFunction(node)
      ? new Set([
          ...own,
          ...node.params.flatMap((at) => [...targetsOf(at)]).map((at) => ('name' in at ? at.name : '')),
        ])
      : own;
    for (const child of childrenOf(node)) look(child, inside);
  };
  const lookAtDefaults = (node: Node): void => {
    if (node.type === 'AssignmentPattern') look(node.right, new Set());
    for (const child of childrenOf(node)) if (child.type !== 'Identifier') lookAtDefaults(child);
  };
  lookAtDefaults(param);
  return names;
}

export type BindingKind = 'var' | 'let' | 'const' | 'param' | 'function' | 'class' | 'import' | 'catch';

export interface Binding {
  readonly name: string;
  readonly kind: BindingKind;
  readonly scope: Scope;
  /** What declares it: of a function, its node, the last one if it is declared twice. */
  node: Node;
  /** Where it is assigned, but for its declaration. */
  readonly assignments: Node[];
  /** Is it used as a value anywhere, and by a function that did not declare it? */
  isUsed: boolean;
  isCaptured: boolean;
  /** Is it assigned by a function that did not declare it? */
  isAssignedElsewhere: boolean;
  isExported: boolean;
}

export class Scope {
  readonly node: Node;
  readonly parent: Scope | undefined;
  /** The function, or the file, in which the scope lies. */
  readonly owner: Scope;
  readonly bindings: Map<string, Binding> = new Map();
  /** Of a function: the outer variables that it uses, or functions inside of it, outermost excepted. */
  readonly captures: Set<Binding> = new Set();
  /** Of a function: does it, or an arrow function inside of it, use `this` or `super`? */
  usesThis = false;
  usesArguments = false;

  constructor(node: Node, parent: Scope | undefined) {
    this.node = node;
    this.parent = parent;
    this.owner = parent === undefined || isFunction(node) || isInitializer(node) ? this : parent.owner;
  }

  /** Of the file itself? */
  get isTop(): boolean {
    return this.parent === undefined;
  }

  get tracked(): Binding[] {
    return [...this.bindings.values()].filter(isTracked);
  }

  resolve(name: string): Binding | undefined {
    for (let scope: Scope | undefined = this; scope; scope = scope.parent) {
      const binding = scope.bindings.get(name);
      if (binding !== undefined) return binding;
    }
    return undefined;
  }
}

/** Of the file: what it assigns itself is done before anything is explored. */
export function isTracked(binding: Binding): boolean {
  if (binding.scope.isTop) return binding.isAssignedElsewhere;
  return binding.isCaptured && binding.assignments.length > 0 && !isCountedByLoop(binding);
}

/** `for (let i …; …; i++)`: each round has its own `i`, so it does not change under a closure. */
function isCountedByLoop({ scope, assignments }: Binding): boolean {
  const { node } = scope;
  if (node.type !== 'ForStatement') return false;
  const { update } = node;
  return update !== null && assignments.every(({ start, end }) => update.start <= start && end <= update.end);
}

/** What runs when an object, or a class, is made: a function without a name. */
export function isInitializer(node: Node): boolean {
  return (
    node.type === 'PropertyDefinition' || node.type === 'StaticBlock' || node.type === 'AccessorProperty'
  );
}
