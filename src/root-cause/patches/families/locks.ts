/** Families for locks that a class has: longer sections, a second check, one order of two locks. None adds a lock class. */
import type { Node, Of } from '../../../instrument/syntax/tree.js';
import { all, type Draft, type Edit, EditRefused, type Family } from '../model/draft.js';
import {
  bodyNode,
  type ClassSource,
  fieldName,
  isOwnField,
  type Method,
  ownNodes,
  type Statement,
  walk,
} from '../model/source.js';
import { splitMethod } from './exclusion.js';

/** A lock of the class: what it is called, and the calls that take and release it. */
interface Lock {
  readonly name: string;
  readonly take: string;
  readonly give: string;
}

const PAIRS: Readonly<Record<string, string>> = { lock: 'unlock', enter: 'exit', acquire: 'release' };

/** The fields that a method of the class locks, or that a lock class was created for; and pairs of its own methods. */
function locksOf(cls: ClassSource): Lock[] {
  const text = cls.textOf(cls.node);
  // fields may be declared, or assigned in the constructor
  const names = new Set(cls.fields.map(({ name }) => name));
  for (const [, name] of text.matchAll(/\bthis\.(#?\w+)\.(?:lock|enter|acquire)\(\)/g)) names.add(name);
  const fields = [...names].flatMap((name): Lock[] => {
    const value = cls.fields.find((field) => field.name === name)?.node.value;
    const made = value ? /^new (Mutex|Monitor)\b/.exec(cls.textOf(value))?.[1] : undefined;
    const used = Object.keys(PAIRS).find(
      (take) => text.includes(`this.${name}.${take}()`) && text.includes(`this.${name}.${PAIRS[take]}()`),
    );
    const take = used ?? (made === 'Mutex' ? 'lock' : made === 'Monitor' ? 'enter' : undefined);
    return take === undefined
      ? []
      : [{ name, take: `this.${name}.${take}()`, give: `this.${name}.${PAIRS[take]}()` }];
  });
  return [...fields, ...ownLocks(cls)];
}

/** `this.enter(); try { … } finally { this.leave(); }`: two methods of the class that are its lock. */
function ownLocks(cls: ClassSource): Lock[] {
  const found = new Map<string, Lock>();
  const calledIn = (node: Node | undefined): Method | undefined => {
    const call = node?.type === 'ExpressionStatement' ? (node.expression as Node) : undefined;
    if (call?.type !== 'CallExpression' || !isOwnField(call.callee) || call.arguments.length > 0)
      return undefined;
    return cls.method(fieldName(call.callee));
  };
  for (const list of cls.methods.flatMap((method) => cls.lists(method)))
    for (const [i, next] of list.slice(1).entries()) {
      if (next.type !== 'TryStatement' || next.finalizer?.body.length !== 1) continue;
      const [take, give] = [calledIn(list[i]), calledIn(next.finalizer.body[0] as Node)];
      if (take === undefined || give === undefined || take === give || take.isPromise) continue;
      const [own, other] = [take, give].map(({ name }) => `this.${name}()`);
      found.set(own, { name: `the lock of ${take.name} and ${give.name}`, take: own, give: other });
    }
  return [...found.values()];
}

const isCallOf = (cls: ClassSource, statement: Node, call: string): boolean =>
  statement.type === 'ExpressionStatement' && cls.textOf(statement).replace(/;$/, '') === call;

/** The statements of a method that take or release a lock. */
const lockCalls = (cls: ClassSource, method: Method, lock: Lock): Statement[] =>
  ownNodes(bodyNode(method)).filter(
    (node) => isCallOf(cls, node, lock.take) || isCallOf(cls, node, lock.give),
  );

/** One section with `try … finally`: from the first `lock` to the last `unlock`, or the whole body. */
function holdEdit(cls: ClassSource, method: Method, lock: Lock, isWhole: boolean): Edit {
  const take = `${lock.take}${cls.semicolon}`;
  const give = `${cls.unit}${lock.give}${cls.semicolon}`;
  return (draft) => {
    if (calledLocked(cls, method, lock).length > 0) return unlockedEdit(draft, method, lock);
    const calls = lockCalls(cls, method, lock);
    const list = method.body.body;
    if (ownNodes(bodyNode(method)).some((node) => node.type === 'TryStatement'))
      throw new EditRefused('a try statement');
    const first = list.findIndex((one) => isCallOf(cls, one, lock.take));
    const last = list.findLastIndex((one) => isCallOf(cls, one, lock.give));
    if (isWhole || first < 0 || last < first) {
      for (const call of calls) draft.remove(call);
      draft.encloseBody(method, [take, 'try {'], ['} finally {', give, '}']);
      return;
    }
    const named = list.slice(first, last).flatMap((one) => declaredNames(one));
    const isUsedLater = list.slice(last + 1).some((one) => named.some((name) => cls.uses(one, name) > 0));
    const section = list.slice(first + 1, isUsedLater ? list.length : last);
    for (const call of calls) if (call !== list[first]) draft.remove(call);
    const isKept = (one: Statement): boolean => !calls.includes(one);
    const inner = section.slice(section.findIndex(isKept), section.findLastIndex(isKept) + 1);
    if (!inner.some(isKept)) throw new EditRefused('an empty section');
    draft.enclose(inner, ['try {'], ['} finally {', give, '}']);
  };
}

/** The calls of a method by others that hold the lock. */
function calledLocked(cls: ClassSource, method: Method, lock: Lock): Of<'MemberExpression'>[] {
  return cls.methods.flatMap((other) =>
    other === method || lockCalls(cls, other, lock).length === 0
      ? []
      : ownNodes(bodyNode(other)).flatMap((node) =>
          node.type === 'CallExpression' && isOwnField(node.callee) && fieldName(node.callee) === method.name
            ? [node.callee]
            : [],
        ),
  );
}

/** A method that others call while they hold the lock: these call a version without lock. */
function unlockedEdit(draft: Draft, method: Method, lock: Lock): void {
  const { cls } = draft;
  const { unit, semicolon: end } = cls;
  if (lockCalls(cls, method, lock).length > 0 || method.isPromise) throw new EditRefused('a lock in a lock');
  if (cls.relatives.some((one) => one.method(method.name))) throw new EditRefused('a method of a subclass');
  const own = cls.unusedName(`${method.name}Unlocked`);
  const { used } = cls.privateMember(own);
  splitMethod(draft, method, own, (args) => [
    lock.take + end,
    'try {',
    `${unit}return ${used}(${args})${end}`,
    '} finally {',
    `${unit}${lock.give}${end}`,
    '}',
  ]);
  for (const place of calledLocked(cls, method, lock)) draft.replace(place, used);
}

const declaredNames = (statement: Node): string[] =>
  statement.type === 'VariableDeclaration'
    ? statement.declarations.flatMap(({ id }) =>
        ownNodes(id as Node).flatMap((one) => (one.type === 'Identifier' ? [one.name] : [])),
      )
    : [];

export const holdFamily: Family = ({ cls, blamed, entries }, add) => {
  for (const lock of locksOf(cls)) {
    const isOwn = ({ name }: Method): boolean => [lock.take, lock.give].includes(`this.${name}()`);
    const near = [...new Set([...blamed, ...entries])].filter((method) => !isOwn(method));
    for (const method of near) {
      const isLocked = lockCalls(cls, method, lock).length > 0;
      if (isLocked)
        add({
          family: 'hold',
          group: 'hold',
          title: `${method.name} holds ${lock.name} from its first use to its last`,
          edit: holdEdit(cls, method, lock, false),
        });
      add({
        family: 'hold',
        group: 'hold',
        title: `${method.name} holds ${lock.name} from start to end`,
        edit: holdEdit(cls, method, lock, true),
      });
    }
    const open = cls.methods.filter(
      (method) => method.isPublic && !isOwn(method) && lockCalls(cls, method, lock).length === 0,
    );
    const methods = [...new Set([...near, ...open])];
    if (methods.length < 2) continue;
    const names = methods.map(({ name }) => name).join(', ');
    for (const isWhole of [false, true])
      add({
        family: 'hold',
        group: 'hold',
        title: `${names} hold ${lock.name}${isWhole ? ' from start to end' : ''}`,
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
        if (!isCallOf(cls, first, lock.take) || !isCallOf(cls, last, lock.give)) continue;
        add({
          family: 'recheck-locked',
          title: `${method.name} checks again once it holds ${lock.name}`,
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

/** `const release = await this.lock(key)` with the `try` statement behind it. */
interface Taken {
  readonly declaration: Statement;
  readonly guarded: Of<'TryStatement'>;
  readonly name: string;
  readonly called: string;
  readonly key: Of<'Identifier'>;
}

function takenIn(cls: ClassSource, list: readonly Statement[]): Taken[] {
  return list.flatMap((declaration, i): Taken[] => {
    const guarded = list[i + 1];
    if (declaration.type !== 'VariableDeclaration' || declaration.declarations.length !== 1) return [];
    const [{ id, init }] = declaration.declarations;
    const call = init?.type === 'AwaitExpression' ? (init.argument as Node) : undefined;
    if (id.type !== 'Identifier' || call?.type !== 'CallExpression' || call.arguments.length !== 1) return [];
    const [key] = call.arguments as unknown as readonly Node[];
    const root = call.callee.type === 'MemberExpression' ? (call.callee.object as Node) : undefined;
    if (key.type !== 'Identifier' || (!isOwnField(call.callee) && !isOwnField(root))) return [];
    if (guarded?.type !== 'TryStatement' || guarded.handler || guarded.finalizer?.body.length !== 1)
      return [];
    const frees = cls.textOf(guarded.finalizer.body[0]).startsWith(`${id.name}(`);
    return frees ? [{ declaration, guarded, name: id.name, called: cls.textOf(call.callee), key }] : [];
  });
}

/** Locks of two keys are taken in the order of the keys, and what is checked between them is checked under both. */
export const callOrderFamily: Family = ({ cls, blamed, entries }, add) => {
  for (const method of new Set([...blamed, ...entries]))
    for (const outer of cls.lists(method).flatMap((list) => takenIn(cls, list))) {
      const list = outer.guarded.block.body as unknown as readonly Statement[];
      const inner = takenIn(cls, list)[0];
      if (inner === undefined || inner.called !== outer.called || inner.key.name === outer.key.name) continue;
      const keys = [outer.key.name, inner.key.name];
      const isParam = (name: string): boolean =>
        method.params.some((param) => param.type === 'Identifier' && param.name === name);
      const at = list.indexOf(inner.declaration);
      // what stands behind the inner section would not see variables that moved into it
      if (!keys.every(isParam) || list.length !== at + 2) continue;
      const checks = list.slice(0, at);
      if (checks.some((one) => ownNodes(one).some(({ type }) => type === 'AwaitExpression'))) continue;
      add({
        family: 'order',
        title: `${method.name} takes the locks of ${keys[0]} and ${keys[1]} in the order of their names`,
        edit: (draft) => callOrderEdit(draft, method, outer, inner, checks),
      });
    }
};

function callOrderEdit(
  draft: Draft,
  method: Method,
  outer: Taken,
  inner: Taken,
  checks: readonly Statement[],
): void {
  const { cls } = draft;
  const { unit, semicolon: end } = cls;
  const [a, b] = [outer.key.name, inner.key.name];
  const names = ['first', 'second'].map((wish) => cls.unusedVariable(method, wish));
  draft.before(
    outer.declaration,
    `const [${names.join(', ')}] = ${a} < ${b} ? [${a}, ${b}] : [${b}, ${a}]${end}`,
  );
  for (const [i, { key, name }] of [outer, inner].entries()) {
    draft.replace(key, names[i]);
    // `releaseFrom` would release another lock now
    const own = capital(key.name);
    if (!name.endsWith(own)) continue;
    const other = cls.unusedVariable(method, name.slice(0, -own.length) + capital(names[i]));
    for (const node of ownNodes(bodyNode(method)))
      if (node.type === 'Identifier' && node.name === name) draft.replace(node, other);
  }
  const [first] = inner.guarded.block.body as unknown as readonly Statement[];
  const moved = checks.map((check) => draft.remove(check).replaceAll('\n', `\n${unit}`));
  if (first === undefined) throw new EditRefused('an empty section');
  if (moved.length > 0) draft.before(first, ...moved);
}

const capital = (name: string): string => name[0].toUpperCase() + name.slice(1);
