/** A scope with its variables, and what is known of each: who assigns it, and who can see it. */
import { isFunction, type Node } from './tree.js';

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
