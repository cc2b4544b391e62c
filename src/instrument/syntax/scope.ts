/** A scope with its variables (`Binding`), and what is known of each: where it is assigned, which functions use it, and where it is live. */
import { childrenOf, isFunction, isType, type Node, type Of, targetsOf } from './tree.js';

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

/** Names of variables that occur from an offset on, and `this`. Some are variables of inner functions; they do no harm. */
export function collectNames(node: Node, from: number, names: Set<string>): void {
  if (isType(node) || node.end <= from) return;
  if (node.type === 'Identifier') names.add(node.name);
  else if (node.type === 'ThisExpression' || node.type === 'Super') names.add('this');
  const isKeyed =
    node.type === 'Property' ||
    node.type === 'MethodDefinition' ||
    node.type === 'PropertyDefinition' ||
    node.type === 'MemberExpression';
  for (const child of childrenOf(node)) {
    if (
      isKeyed &&
      !node.computed &&
      child === (node.type === 'MemberExpression' ? node.property : node.key)
    ) {
      // `{ x }`: the key is the variable
      if (!(node.type === 'Property' && node.shorthand)) continue;
    }
    collectNames(child, from, names);
  }
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
  /** Of a `var`: the value that its declaration assigns, if it has one. */
  first?: Node;
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

/*
 * Live variables. A thread is compared by the values that it has observed (execution/memory/memory.ts). Most of them no longer matter:
 * what comes next depends only on the place in the code and on the variables that it may still read. So a coroutine reports these at
 * places where it keeps no other value, and the memory drops what was observed before.
 *
 *     const a = this.x; const b = this.y; …b…     const a = …; const b = …; rt.live(mark,site,b); …b…
 *
 * A *region* is a loop or the body of a function. What was assigned before it follows from what was observed before it. So a place
 * reports the variables that the region has assigned:
 *
 *   - declared in it, and used in it from the place on
 *   - declared outside of it; they may be used after it
 *
 * The place is between two statements of the region, and not in a part of it where the engine keeps a value that no variable holds: the
 * body of `for … of` or `for … in` (an iterator), a `case`, a `finally` (a result that is delayed), a constructor (its object). Functions that use variables of the
 * region are variables too, or values of objects; the memory keeps what it has if one of them is an own object. Nothing is reported where
 * a variable of an inner block hides one of the region.
 */

export type Loop = Of<'WhileStatement' | 'DoWhileStatement' | 'ForStatement'>;

/** The variables of a region that are live between two statements; none are known where `before` accesses nothing, or one is hidden. */
export function liveBetween(
  region: Node,
  scope: Scope,
  before: Node,
  next: Node,
): readonly string[] | undefined {
  if (!mayAccess(before)) return undefined;
  const assigned = assignedIn(region);
  const used = new Set<string>();
  collectNames(region, next.start, used);
  const isLive = (name: string): boolean => {
    const binding = scope.resolve(name);
    if (binding === undefined || binding.scope.isTop) return false;
    if (!isLocal(binding, region)) return assigned.has(name);
    const isThere = binding.kind === 'var' || binding.node.start < next.start;
    return used.has(name) && isThere && !(binding.node === region && binding.assignments.length === 0);
  };
  const names = [...new Set([...assigned, ...used])];
  const isHidden = (name: string): boolean => {
    const hidden = scope.resolve(name)?.scope.parent?.resolve(name);
    return hidden !== undefined && (isWithin(hidden.scope.node, region) || assigned.has(name));
  };
  return names.some(isHidden) ? undefined : names.filter(isLive);
}

/** The variables that a loop carries to its next iteration: those around its body that it assigns. */
export function carriedBy(loop: Loop, scope: Scope): string[] {
  return [...assignedIn(loop)].filter((name) => scope.resolve(name)?.scope.isTop === false);
}

/** Is a variable of a function its own, or one of the body of a loop? What the head of a loop declares is used in each iteration. */
function isLocal({ scope: { node } }: Binding, region: Node): boolean {
  return isWithin(node, region) && (isFunction(region) || node !== region);
}

const isWithin = (node: Node, region: Node): boolean => region.start <= node.start && node.end <= region.end;

const ACCESSES = /^(Member|Call|New|TaggedTemplate)Expression$|^Chain|^ForOf|^ForIn|Pattern$|^Spread/;

/** Without an access there is nothing to drop. */
function mayAccess(node: Node): boolean {
  return !isFunction(node) && (ACCESSES.test(node.type) || childrenOf(node).some(mayAccess));
}

/** Names of variables that a loop or a function assigns itself, and those that the head of a loop declares: its run starts before the head. What functions inside of it assign is tracked. */
function assignedIn(region: Node): Set<string> {
  const names = new Set<string>();
  const add = (pattern: Node): void => {
    for (const target of targetsOf(pattern)) if (target.type === 'Identifier') names.add(target.name);
  };
  const look = (node: Node): void => {
    if (isFunction(node) && node !== region) return;
    if (node.type === 'AssignmentExpression') add(node.left);
    else if (node.type === 'UpdateExpression') add(node.argument);
    else if (node.type === 'VariableDeclaration' && (node.kind === 'var' || isHead(node, region)))
      for (const { id } of node.declarations) add(id);
    else if (
      (node.type === 'ForOfStatement' || node.type === 'ForInStatement') &&
      node.left.type !== 'VariableDeclaration'
    )
      add(node.left);
    for (const child of childrenOf(node)) look(child);
  };
  look(region);
  return names;
}

const isHead = (node: Node, loop: Node): boolean => loop.type === 'ForStatement' && node === loop.init;
