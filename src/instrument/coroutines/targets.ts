/** What is assigned, wherever that is done: a variable that functions share, a member, a private accessor. */
import type { Binding } from '../syntax/scope.js';
import { type MemberNode, type Node, nameOf } from '../syntax/tree.js';
import type { Unit } from './context.js';
import { askText, readText, refer, writeText } from './members.js';
import { checkVariable, getText, setText, trackedAs } from './variables.js';

/** What can be assigned: how to get at it, read it, write it. */
export interface Target {
  readonly parts: readonly (string | Node)[];
  readonly read: () => string;
  readonly write: (value: string) => string;
}

/** Visits a target. Undefined: it may stay as it is. */
export function targetOf(unit: Unit, left: Node, whole: Node): Target | undefined {
  if (left.type === 'Identifier') {
    const binding: Binding | undefined = trackedAs(unit, left);
    if (unit.mode !== 'plain' && unit.scope.resolve(left.name) === undefined)
      unit.report(left, `${left.name} is not declared in this file: declare it, or pass it as an object`);
    if (binding === undefined) return undefined;
    if (unit.mode === 'sync') {
      checkVariable(unit, left, whole, binding);
      return undefined;
    }
    return {
      parts: [],
      read: () => getText(unit, left, binding),
      write: (value) => setText(unit, left, binding, value),
    };
  }
  const accessor = left.type === 'MemberExpression' ? privateAccessor(unit, left) : undefined;
  if (accessor !== undefined) return accessor;
  if (left.type === 'MemberExpression' && unit.mode === 'twin') {
    if (left.object.type !== 'Super') return memberTarget(unit, left);
    if (unit.frame.isArrow)
      unit.report(left, 'super is assigned to in an arrow function: do it in the method itself');
    return superTarget(unit, left);
  }
  unit.targets.add(left);
  unit.visit(left);
  return undefined;
}

/** `super.f = …`: a setter of the base, or a field of the object itself. */
function superTarget(unit: Unit, left: MemberNode): Target {
  const name = nameOf(left.property, left.computed);
  const key = name === undefined ? unit.temp() : JSON.stringify(name);
  if (name === undefined) unit.visit(left.property);
  const [before, after] = askText(unit);
  const [begin, end] = askText(unit);
  const site = unit.site(left, name);
  return {
    parts: name === undefined ? [`${key}=(`, left.property, '),'] : [],
    read: () => `${before}super[${key}]${after}`,
    write: (value) =>
      `(${unit.rt('assign')}(this,${key},${value},${site})&&(yield ${unit.rt('p')}),${begin}(super[${key}]=${value})${end},${value})`,
  };
}

function memberTarget(unit: Unit, left: MemberNode): Target {
  const { parts, reference } = refer(unit, left);
  return {
    parts,
    read: () => readText(unit, left, reference),
    write: (value) => writeText(unit, left, reference, value),
  };
}

function privateAccessor(unit: Unit, left: MemberNode): Target | undefined {
  if (left.property.type !== 'PrivateIdentifier' || unit.privateKind(left.property.name) !== 'accessor')
    return undefined;
  unit.visit(left.object);
  const object = unit.temp();
  const site = unit.site(left);
  const { name } = left.property;
  const run = (call: string): string =>
    unit.mode === 'twin' ? `(yield*${unit.rt('into')}(${call},${site}))` : `${unit.rt('finish')}(${call})`;
  return {
    parts: [`${object}=`, left.object, ','],
    read: () => run(`${object}.#${unit.prefix}get_${name}()`),
    write: (value) => `(${run(`${object}.#${unit.prefix}set_${name}(${value})`)},${value})`,
  };
}
