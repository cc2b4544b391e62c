/** Whether the state that a method touches belongs to one key, as far as the source shows. */
import { isFunction, type Node, nameOf, type Of } from '../../../instrument/syntax/tree.js';
import {
  bodyNode,
  type ClassSource,
  fieldName,
  isOwnField,
  type Method,
  ownNodes,
  walk,
} from '../model/source.js';

/** The names that a parameter or a declaration binds. */
export const boundNames = (pattern: Node): string[] =>
  ownNodes(pattern).flatMap((node) => (node.type === 'Identifier' ? [node.name] : []));

const KEYED = new Set(['get', 'has', 'set', 'delete']);

/**
 * Is all state that a method touches that of one key? Fields that a method of the class changes are accessed only as
 * `this.field[key]` or `this.field.get(key)`, and functions of other objects are given the key first. A scenario with few
 * keys does not refute a lock that leaves out another key, so this is a condition on the source.
 */
export function isStateKeyed(
  cls: ClassSource,
  method: Method,
  key: string | undefined,
  seen: Set<string> = new Set(),
): boolean {
  const visit = `${method.name} ${key}`;
  if (seen.has(visit)) return true;
  seen.add(visit);
  const locals = new Set(ownNamesIn(method));
  const isKey = (node: Node | undefined): boolean => isKeyText(cls, method, node, key);
  let isKeyed = true;
  walk(bodyNode(method), (node, parents) => {
    const [outer, parent] = [parents.at(-2), parents.at(-1)];
    const changed = changedRoot(node);
    if (changed && (isKey(changed) || !locals.has(changed.name))) isKeyed = false;
    if (!isOwnField(node)) {
      // `this` itself may go anywhere
      if (node.type === 'ThisExpression' && !isOwnField(parent)) isKeyed = false;
      return undefined;
    }
    const isCalled = parent?.type === 'CallExpression' && parent.callee === (node as unknown);
    const called = isCalled ? cls.method(fieldName(node)) : undefined;
    if (called) {
      const at = (parent as Of<'CallExpression'>).arguments.findIndex((argument) => isKey(argument as Node));
      const param = at < 0 ? undefined : called.params.at(at);
      isKeyed &&= isStateKeyed(cls, called, param?.type === 'Identifier' ? param.name : undefined, seen);
      return undefined;
    }
    const isMember = parent?.type === 'MemberExpression' && parent.object === (node as unknown);
    const call = isCalled ? parent : isMember && outer?.type === 'CallExpression' ? outer : undefined;
    const isElement = isMember && parent.computed && isKey(parent.property as Node);
    if (cls.methods.some(({ writes }) => writes.has(fieldName(node)))) {
      const name = isMember ? nameOf(parent.property, parent.computed) : undefined;
      const isLookUp = KEYED.has(name ?? '') && isKey(call?.arguments[0] as Node | undefined);
      isKeyed &&= isElement || isLookUp;
    } else if (call) {
      const given = call.arguments as unknown as readonly Node[];
      // nothing depends on what a call returns whose result is not used: `await this.audit('open', key)`
      const above = parents
        .slice(0, parents.indexOf(call))
        .findLast(({ type }) => type !== 'AwaitExpression');
      const isUnused = above?.type === 'ExpressionStatement';
      isKeyed &&= given.length === 0 || isKey(given[0]) || (isUnused && given.some(isKey));
    }
    return undefined;
  });
  return isKeyed;
}

/** Is an expression the key, or a text that contains it and otherwise never changes: `prefix + key`, `this.nameOf(key)`? */
function isKeyText(
  cls: ClassSource,
  method: Method | undefined,
  node: Node | undefined,
  key: string | undefined,
): boolean {
  const isSame = (one: Node | undefined): boolean => isKeyText(cls, method, one, key);
  const isFixed = (one: Node): boolean =>
    one.type === 'Literal' ||
    (isOwnField(one) && !cls.methods.some(({ writes }) => writes.has(fieldName(one))));
  if (node === undefined || key === undefined) return false;
  if (node.type === 'Identifier') {
    if (node.name === key) return true;
    const declared = (method ? ownNodes(bodyNode(method)) : []).flatMap((one) =>
      one.type === 'VariableDeclaration' && one.kind === 'const' ? one.declarations : [],
    );
    const init = declared.find(({ id }) => id.type === 'Identifier' && id.name === node.name)?.init;
    return init ? isSame(init as Node) : false;
  }
  if (node.type === 'TemplateLiteral') {
    const parts = node.expressions as unknown as Node[];
    return parts.length === 1 && isSame(parts[0]);
  }
  if (node.type === 'BinaryExpression' && node.operator === '+') {
    const [left, right] = [node.left as Node, node.right as Node];
    return (isFixed(left) && isSame(right)) || (isSame(left) && isFixed(right));
  }
  if (node.type !== 'CallExpression' || !isOwnField(node.callee) || node.arguments.length !== 1) return false;
  const called = resultOf(cls, fieldName(node.callee));
  if (called === undefined) return false;
  const isText = isKeyText(cls, cls.method(fieldName(node.callee)), called.result, called.param);
  return isText && isSame(node.arguments[0] as Node);
}

/** The only parameter and the result of a method or a field that does nothing but return it. */
export function resultOf(
  cls: ClassSource,
  name: string,
): { readonly param: string; readonly result: Node } | undefined {
  const value = cls.fields.find((field) => field.name === name)?.node.value;
  const arrow = value?.type === 'ArrowFunctionExpression' && value.expression ? value : undefined;
  const [only, ...others] = cls.method(name)?.body.body ?? [];
  const returned = only?.type === 'ReturnStatement' && others.length === 0 ? only.argument : undefined;
  const result = (arrow?.body ?? returned ?? undefined) as Node | undefined;
  const [param, ...params] = (arrow?.params ?? cls.method(name)?.params ?? []) as readonly Node[];
  if (result === undefined || param?.type !== 'Identifier' || params.length > 0) return undefined;
  return { param: param.name, result };
}

/** The variable that a statement assigns to, or whose object it changes; undefined for members of `this`. */
function changedRoot(node: Node): Of<'Identifier'> | undefined {
  const isChange = node.type === 'AssignmentExpression' || node.type === 'UpdateExpression';
  if (!isChange) return undefined;
  let root = (node.type === 'AssignmentExpression' ? node.left : node.argument) as Node;
  while (root.type === 'MemberExpression') root = root.object as Node;
  return root.type === 'Identifier' ? root : undefined;
}

/** The parameters and variables of a method, and of the functions inside it. */
function ownNamesIn(method: Method): string[] {
  const found = method.params.flatMap(boundNames);
  walk(bodyNode(method), (node) => {
    if (node.type === 'VariableDeclarator') found.push(...boundNames(node.id as Node));
    if (isFunction(node)) found.push(...(node.params as unknown as Node[]).flatMap(boundNames));
    return undefined;
  });
  return found;
}
