/**
 * Families for locks that a class has: longer sections, a second check under the lock, one order of two locks. None adds a
 * lock class.
 */
import type { Node } from '../../instrument/syntax/tree.js';
import { all, type Edit, EditRefused, type Family } from './draft.js';
import {
  bodyNode,
  type ClassSource,
  fieldName,
  isOwnField,
  type Method,
  ownNodes,
  type Statement,
  walk,
} from './source.js';

/** A lock of the class, by the field that holds it and the names of its methods. */
interface Lock {
  readonly field: string;
  readonly take: string;
  readonly give: string;
}

const PAIRS: Readonly<Record<string, string>> = { lock: 'unlock', enter: 'exit', acquire: 'release' };

/** The fields that a method of the class locks, or that a lock class was created for. */
function locksOf(cls: ClassSource): Lock[] {
  const text = cls.textOf(cls.node);
  // fields may be declared, or assigned in the constructor
  const names = new Set(cls.fields.map(({ name }) => name));
  for (const [, name] of text.matchAll(/\bthis\.(#?\w+)\.(?:lock|enter|acquire)\(\)/g)) names.add(name);
  return [...names].flatMap((name): Lock[] => {
    const value = cls.fields.find((field) => field.name === name)?.node.value;
    const made = value ? /^new (Mutex|Monitor)\b/.exec(cls.textOf(value))?.[1] : undefined;
    const used = Object.keys(PAIRS).find(
      (take) => text.includes(`this.${name}.${take}()`) && text.includes(`this.${name}.${PAIRS[take]}()`),
    );
    const take = used ?? (made === 'Mutex' ? 'lock' : made === 'Monitor' ? 'enter' : undefined);
    return take === undefined ? [] : [{ field: name, take, give: PAIRS[take] }];
  });
}

const isCallOf = (cls: ClassSource, statement: Node, { field }: Lock, name: string): boolean =>
  statement.type === 'ExpressionStatement' &&
  cls.textOf(statement).replace(/;$/, '') === `this.${field}.${name}()`;

/** The statements of a method that take or release a lock. */
const lockCalls = (cls: ClassSource, method: Method, lock: Lock): Statement[] =>
  ownNodes(bodyNode(method)).filter(
    (node) => isCallOf(cls, node, lock, lock.take) || isCallOf(cls, node, lock, lock.give),
  );

/** One section with `try … finally`: from the first `lock` to the last `unlock`, or the whole body. */
function holdEdit(cls: ClassSource, method: Method, lock: Lock, isWhole: boolean): Edit {
  const take = `this.${lock.field}.${lock.take}()${cls.semicolon}`;
  const give = `${cls.unit}this.${lock.field}.${lock.give}()${cls.semicolon}`;
  return (draft) => {
    const calls = lockCalls(cls, method, lock);
    const list = method.body.body;
    if (ownNodes(bodyNode(method)).some((node) => node.type === 'TryStatement'))
      throw new EditRefused('a try statement');
    const first = list.findIndex((one) => isCallOf(cls, one, lock, lock.take));
    const last = list.findLastIndex((one) => isCallOf(cls, one, lock, lock.give));
    if (isWhole || first < 0 || last < first) {
      for (const call of calls) draft.remove(call);
      draft.encloseBody(method, [take, 'try {'], ['} finally {', give, '}']);
      return;
    }
    const named = list.slice(first, last).flatMap((one) => declaredNames(one));
    const isUsedLater = list.slice(last + 1).some((one) => named.some((name) => cls.uses(one, name) > 0));
    const section = list.slice(first + 1, isUsedLater ? list.length : last);
    const kept = section.filter((one) => !calls.includes(one));
    if (kept.length === 0) throw new EditRefused('an empty section');
    for (const call of calls) if (call !== list[first]) draft.remove(call);
    draft.enclose(trimmed(section, calls), ['try {'], ['} finally {', give, '}']);
  };
}

/** Statements without the removed ones at both ends. */
function trimmed(section: readonly Statement[], removed: readonly Statement[]): readonly Statement[] {
  const isKept = (one: Statement): boolean => !removed.includes(one);
  return section.slice(section.findIndex(isKept), section.findLastIndex(isKept) + 1);
}

const declaredNames = (statement: Node): string[] =>
  statement.type === 'VariableDeclaration'
    ? statement.declarations.flatMap(({ id }) =>
        ownNodes(id as Node).flatMap((one) => (one.type === 'Identifier' ? [one.name] : [])),
      )
    : [];

export const holdFamily: Family = ({ cls, blamed, entries }, add) => {
  for (const lock of locksOf(cls)) {
    const near = [...new Set([...blamed, ...entries])];
    for (const method of near) {
      const isLocked = lockCalls(cls, method, lock).length > 0;
      if (isLocked)
        add({
          family: 'hold',
          group: 'hold',
          title: `${method.name} holds ${lock.field} from its first use to its last`,
          edit: holdEdit(cls, method, lock, false),
        });
      add({
        family: 'hold',
        group: 'hold',
        title: `${method.name} holds ${lock.field} from start to end`,
        edit: holdEdit(cls, method, lock, true),
      });
    }
    const open = cls.methods.filter((method) => method.isPublic && lockCalls(cls, method, lock).length === 0);
    const methods = [...new Set([...near, ...open])];
    if (methods.length < 2) continue;
    const names = methods.map(({ name }) => name).join(', ');
    for (const isWhole of [false, true])
      add({
        family: 'hold',
        group: 'hold',
        title: `${names} hold ${lock.field}${isWhole ? ' from start to end' : ''}`,
        edit: all(
          methods.map((method) =>
            holdEdit(cls, method, lock, isWhole || lockCalls(cls, method, lock).length === 0),
          ),
        ),
      });
  }
};

/** `if (condition) { lock; change; unlock }` checks the condition once more under the lock. */
export const lockedRecheckFamily: Family = ({ cls, blamed, entries }, add) => {
  for (const lock of locksOf(cls))
    for (const method of new Set([...blamed, ...entries]))
      for (const node of ownNodes(bodyNode(method))) {
        if (node.type !== 'IfStatement' || node.alternate || node.consequent.type !== 'BlockStatement')
          continue;
        const list = node.consequent.body as unknown as readonly Statement[];
        const [first, ...inner] = list;
        const last = inner.pop();
        if (inner.length === 0 || last === undefined) continue;
        if (!isCallOf(cls, first, lock, lock.take) || !isCallOf(cls, last, lock, lock.give)) continue;
        add({
          family: 'recheck-locked',
          title: `${method.name} checks again once it holds ${lock.field}`,
          edit: (draft) => {
            const test = `if (${cls.textOf(node.test)})`;
            if (inner.length === 1) draft.insert(inner[0].start, `${test} `);
            else draft.enclose(inner, [`${test} {`], ['}']);
          },
        });
      }
};

const TAKES = /^(\w+)\.(\w+)\.(lock|enter|acquire)\(\);?$/;

/** Two locks of objects of one class are taken in the order of a field that never changes, or in that of two fields. */
export const orderFamily: Family = ({ cls, classes }, add) => {
  const key = classes.flatMap((one) => one.orderedFields)[0];
  for (const method of cls.methods)
    for (const list of cls.lists(method))
      list.forEach((statement, i) => {
        const next = list[i + 1];
        if (next === undefined) return;
        const [a, b] = [statement, next].map((one) => TAKES.exec(cls.textOf(one)));
        if (!a || !b || a[2] !== b[2] || a[3] !== b[3]) return;
        const [take, { semicolon }] = [`${a[2]}.${a[3]}()`, cls];
        if (key !== undefined)
          add({
            family: 'order',
            title: `${method.name} takes its locks in the order of ${key}`,
            edit: (draft) => {
              const [first, second] = ['first', 'second'].map((wish) => cls.unusedVariable(method, wish));
              const pair = `const [${first}, ${second}] = ${a[1]}.${key} < ${b[1]}.${key} ? [${a[1]}, ${b[1]}] : [${b[1]}, ${a[1]}]`;
              draft.before(statement, pair + semicolon);
              draft.replace(statement, `${first}.${take}${semicolon}`);
              draft.replace(next, `${second}.${take}${semicolon}`);
            },
          });
        const fields = fieldsGiven(cls, method, a[1], b[1]);
        if (fields === undefined) return;
        for (const [first, second] of [fields, fields.toReversed()])
          add({
            family: 'order',
            group: `order ${method.name}`,
            title: `${method.name} locks ${first} before ${second} in every call`,
            edit: (draft) => {
              draft.replace(statement, `this.${first}.${take}${semicolon}`);
              draft.replace(next, `this.${second}.${take}${semicolon}`);
            },
          });
      });
};

/** The two fields that all calls of a private method pass for two of its parameters, in either order. */
function fieldsGiven(cls: ClassSource, method: Method, ...params: readonly string[]): string[] | undefined {
  const places = params.map((name) =>
    method.params.findIndex((param) => param.type === 'Identifier' && param.name === name),
  );
  if (method.isPublic || places.includes(-1)) return undefined;
  const given = new Set<string>();
  let isKnown = true;
  for (const { node } of cls.methods)
    walk(node, (one, parents) => {
      if (!isOwnField(one) || fieldName(one) !== method.name) return undefined;
      const call = parents.at(-1);
      const isCall = call?.type === 'CallExpression' && call.callee === (one as unknown);
      const passed = places.map((place) =>
        isCall ? (call.arguments[place] as Node | undefined) : undefined,
      );
      const names = passed.flatMap((argument) => (isOwnField(argument) ? [fieldName(argument)] : []));
      isKnown &&= new Set(names).size === 2;
      for (const name of names) given.add(name);
      return undefined;
    });
  return isKnown && given.size === 2 ? [...given] : undefined;
}
