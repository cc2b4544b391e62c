/**
 * What an instrumented file describes to the runtime, above all: which fields can change after construction?
 *
 * A field that is assigned only through `this`, in constructors and initializers, has its final value whenever another
 * thread can reach the object. Reads of such an *immutable field* need no announcement. The analysis is by name: one
 * assignment to `x.next` anywhere makes every field `next` mutable.
 */
import { childrenOf, isFunction, type MemberNode, type Node, nameOf, type Of, targetsOf } from './tree.js';

/** The key, for `Symbol.for`, under which instrumented files find the runtime in `globalThis`. */
export const RUNTIME = 'straightedge.runtime';

export interface FileInfo extends Writes {
  readonly file: string;
  /** Line, column and name of each site, in order. */
  readonly sites: readonly (number | string)[];
}

interface Writes {
  /** Names of fields that are assigned after construction. */
  readonly writes: readonly string[];
  /**
   * Names of getters and setters, in classes and objects or by `Object.defineProperty` and the like. A function may create
   * the first object that has one when threads already run.
   */
  readonly accessors: readonly string[];
}

export function writesOf(program: Node): Writes {
  const names = new Set<string>();
  const accessors = new Set<string>();

  const add = (target: MemberNode, inConstructor: boolean): void => {
    const name = nameOf(target.property, target.computed);
    if (name !== undefined && !(inConstructor && target.object.type === 'ThisExpression')) names.add(name);
  };
  const addAccessor = ({ key, computed }: Of<'MethodDefinition' | 'Property'>): void => {
    const name = nameOf(key, computed);
    if (name !== undefined) accessors.add(name);
  };
  const look = (node: Node, inConstructor: boolean): void => {
    let inside = inConstructor;
    switch (node.type) {
      case 'MethodDefinition':
        if (node.kind === 'get' || node.kind === 'set') addAccessor(node);
        look(node.key, false);
        for (const child of childrenOf(node.value)) look(child, node.kind === 'constructor');
        return;
      case 'PropertyDefinition':
        inside = true;
        break;
      case 'Property':
        if (node.kind === 'get' || node.kind === 'set') addAccessor(node);
        break;
      case 'AssignmentExpression':
        for (const target of targetsOf(node.left))
          if (target.type === 'MemberExpression') add(target, inConstructor);
        break;
      case 'UpdateExpression':
        for (const target of targetsOf(node.argument))
          if (target.type === 'MemberExpression') add(target, inConstructor);
        break;
      case 'UnaryExpression':
        if (node.operator !== 'delete') break;
        for (const target of targetsOf(node.argument))
          if (target.type === 'MemberExpression') add(target, false);
        break;
      case 'CallExpression':
        for (const name of definedBy(node)) accessors.add(name);
        break;
    }
    if (isFunction(node)) inside = false;
    for (const child of childrenOf(node)) look(child, inside);
  };
  look(program, false);
  return { writes: [...names], accessors: [...accessors] };
}

/** `Object.defineProperty(o, 'name', { get … })`, `Object.defineProperties(o, { name: { get … } })`, `Object.create(o, …)`. */
function* definedBy({ callee, arguments: [, given, descriptor] }: Of<'CallExpression'>): Generator<string> {
  const called = callee.type === 'MemberExpression' ? nameOf(callee.property, callee.computed) : undefined;
  if (called === 'defineProperty' && given?.type === 'Literal' && isOfAccessor(descriptor))
    yield String(given.value);
  if (!(called === 'defineProperties' || called === 'create') || given?.type !== 'ObjectExpression') return;
  for (const property of given.properties) {
    if (property.type !== 'Property' || !isOfAccessor(property.value)) continue;
    const name = nameOf(property.key, property.computed);
    if (name !== undefined) yield name;
  }
}

function isOfAccessor(descriptor: Node | undefined): boolean {
  return (
    descriptor?.type === 'ObjectExpression' &&
    descriptor.properties.some(
      (property) =>
        property.type === 'Property' && /^[gs]et$/.test(nameOf(property.key, property.computed) ?? ''),
    )
  );
}
