/**
 * Families for code that waits: looking again after a wake-up, waking all that wait, longer lock sections, a second check
 * under the lock, one order of locks. None adds a lock class: they use the locks that the class has.
 */
import { type Node, nameOf, type Of } from '../../instrument/syntax/tree.js';
import { type Draft, EditRefused, type Family, type FamilyContext } from './draft.js';
import { bodyNode, type ClassSource, isOwnField, type Method, ownNodes, type Statement } from './source.js';

type Edit = (draft: Draft) => void;

/** `if (condition) wait` becomes `while`. */
function loopEdits({ cls }: FamilyContext): Edit[] {
  return cls.methods.flatMap((method) =>
    ownNodes(bodyNode(method)).flatMap((node): Edit[] => {
      if (node.type !== 'IfStatement' || node.alternate || !waits(cls, node.consequent)) return [];
      if (ownNodes(node.test).some(({ type }) => EFFECTS.has(type))) return [];
      return [(draft) => draft.replace({ start: node.start, end: node.start + 2 }, 'while')];
    }),
  );
}

const EFFECTS = new Set<Node['type']>(['AssignmentExpression', 'UpdateExpression', 'AwaitExpression']);

/** Does a statement wait for another call, and then continue behind the `if`? */
function waits(cls: ClassSource, statement: Node): boolean {
  const nodes = ownNodes(statement);
  if (nodes.some(({ type }) => type === 'ReturnStatement' || type === 'ThrowStatement')) return false;
  return nodes.some((node) => {
    if (node.type === 'AwaitExpression') return isPromiseOfAnother(cls, node.argument);
    return (
      node.type === 'CallExpression' && node.callee.type === 'MemberExpression' && calledName(node) === 'wait'
    );
  });
}

const TIMERS = /setTimeout|setImmediate|nextTick/;

/** A promise without a timer: another call resolves it. */
function isPromiseOfAnother(cls: ClassSource, node: Node): boolean {
  if (node.type === 'NewExpression')
    return cls.textOf(node.callee) === 'Promise' && !TIMERS.test(cls.textOf(node));
  if (node.type !== 'CallExpression' || !isOwnField(node.callee)) return false;
  const called = cls.method(nameOf(node.callee.property, false) ?? '');
  return (
    called !== undefined &&
    cls.textOf(called.node).includes('new Promise') &&
    !TIMERS.test(cls.textOf(called.node))
  );
}

const calledName = (node: Of<'CallExpression'>): string | undefined =>
  node.callee.type === 'MemberExpression' ? nameOf(node.callee.property, node.callee.computed) : undefined;

const WAKES_ONE = /^(.+)\.shift\(\)(?:\?\.|!)\(\);?$/;

/** One waiting call is woken: wake all of them. */
function wakeEdits({ cls }: FamilyContext): Edit[] {
  const edits: Edit[] = [];
  for (const method of cls.methods) {
    for (const node of ownNodes(bodyNode(method))) {
      if (
        node.type === 'CallExpression' &&
        node.callee.type === 'MemberExpression' &&
        calledName(node) === 'notify'
      ) {
        const { property } = node.callee;
        if (cls.textOf(node.callee.object) !== 'Atomics')
          edits.push((draft) => draft.replace(property, 'notifyAll'));
        else if (node.arguments.length === 3) {
          const [, index, count] = node.arguments;
          edits.push((draft) => draft.replace({ start: index.end, end: count.end }, ''));
        }
      }
      const [, queue] = (node.type === 'ExpressionStatement' && WAKES_ONE.exec(cls.textOf(node))) || [];
      if (queue !== undefined)
        edits.push((draft) =>
          draft.replace(node, `for (const wake of ${queue}.splice(0)) wake()${cls.semicolon}`),
        );
    }
    for (const list of cls.lists(method)) edits.push(...namedWakes(cls, list));
  }
  return edits;
}

/** `const next = queue.shift(); if (next) next();` */
function namedWakes(cls: ClassSource, list: readonly Statement[]): Edit[] {
  return list.flatMap((statement, i): Edit[] => {
    const [, name, queue] = /^const (\w+) = (.+)\.shift\(\);?$/.exec(cls.textOf(statement)) ?? [];
    const next = list[i + 1];
    if (name === undefined || next === undefined) return [];
    const wake = new RegExp(
      `^(?:if \\(${name}\\) |if \\(${name} !== undefined\\) )?(${name}(?:\\?\\.)?\\(\\)|setImmediate\\(${name}\\));?$`,
    );
    const [, call] = wake.exec(cls.textOf(next)) ?? [];
    if (call === undefined) return [];
    return [
      (draft) => {
        draft.remove(statement);
        draft.replace(
          next,
          `for (const ${name} of ${queue}.splice(0)) ${call.replace('?.', '')}${cls.semicolon}`,
        );
      },
    ];
  });
}

const all =
  (edits: readonly Edit[]) =>
  (draft: Draft): void => {
    for (const edit of edits) edit(draft);
  };

export const wakeFamily: Family = (context, add) => {
  const loops = loopEdits(context);
  const wakes = wakeEdits(context);
  const group = 'wake';
  const warnings = ['all calls that wait are woken; all but one may wait again'];
  if (loops.length > 0)
    add({ family: 'while', group, title: 'a woken call checks its condition again', edit: all(loops) });
  if (wakes.length === 0) return;
  add({ family: 'wake-all', group, title: 'wakes all calls that wait', edit: all(wakes), warnings });
  if (loops.length > 0)
    add({
      family: 'while and wake-all',
      group,
      title: 'wakes all calls that wait, and each checks its condition again',
      edit: all([...loops, ...wakes]),
      warnings,
    });
};

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

/** Two locks of objects of one class are taken in the order of a field that never changes. */
export const orderFamily: Family = ({ cls, classes }, add) => {
  const key = classes.flatMap((one) => one.orderedFields)[0];
  if (key === undefined) return;
  for (const method of cls.methods)
    for (const list of cls.lists(method))
      list.forEach((statement, i) => {
        const next = list[i + 1];
        if (next === undefined) return;
        const [a, b] = [statement, next].map((one) => TAKES.exec(cls.textOf(one)));
        if (!a || !b || a[2] !== b[2] || a[3] !== b[3]) return;
        add({
          family: 'order',
          title: `${method.name} takes its locks in the order of ${key}`,
          edit: (draft) => {
            const [first, second] = ['first', 'second'].map((wish) => cls.unusedVariable(method, wish));
            const pair = `const [${first}, ${second}] = ${a[1]}.${key} < ${b[1]}.${key} ? [${a[1]}, ${b[1]}] : [${b[1]}, ${a[1]}]`;
            draft.before(statement, pair + cls.semicolon);
            draft.replace(statement, `${first}.${a[2]}.${a[3]}()${cls.semicolon}`);
            draft.replace(next, `${second}.${b[2]}.${b[3]}()${cls.semicolon}`);
          },
        });
      });
};
