/**
 * Families for what a call leaves behind: a copy that is put back over the changes of others, an entry in a queue whose call
 * has given up, and an entry that is removed only after the awaits that end its use.
 */
import { type Node, nameOf, type Of } from '../../../instrument/syntax/tree.js';
import { type Draft, EditRefused, type Family } from '../model/draft.js';
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
import { near } from './awaits.js';

const COPY =
  /^(?:new (?:Map|Set)\((this\.#?\w+)\)|\[\.\.\.(this\.#?\w+)\]|(this\.#?\w+)\.slice\(\)|\{ ?\.\.\.(this\.#?\w+) ?\})$/;

/** `const before = new Map(this.rows)`, changes of rows, and `this.rows = before`. */
interface Restore {
  readonly copy: Statement;
  readonly name: string;
  readonly field: string;
  readonly restore: Statement;
  /** Statements between them that change the field. */
  readonly changes: readonly Statement[];
}

function restoresIn(cls: ClassSource, method: Method): Restore[] {
  return cls.lists(method).flatMap((list) =>
    list.flatMap((copy, at): Restore[] => {
      if (copy.type !== 'VariableDeclaration' || copy.declarations.length !== 1) return [];
      const [{ id, init }] = copy.declarations;
      const field = init && COPY.exec(cls.textOf(init))?.slice(1).find(Boolean);
      if (!field || id.type !== 'Identifier') return [];
      const text = `${field} = ${id.name}`;
      const later = list.slice(at + 1).flatMap(ownNodes);
      const restore = later.find(
        (node) => node.type === 'ExpressionStatement' && cls.textOf(node).replace(/;$/, '') === text,
      );
      const wait = later.find(({ type }) => type === 'AwaitExpression');
      if (restore === undefined || wait === undefined || restore.start < wait.start) return [];
      const changes = later.filter(
        (one) =>
          (one.type === 'ForOfStatement' || one.type === 'ExpressionStatement') &&
          one.end <= wait.start &&
          cls.textOf(one).includes(`${field}.`),
      );
      const outer = changes.filter(
        (one) => !changes.some((other) => other.start < one.start && one.end <= other.end),
      );
      return [{ copy, name: id.name, field, restore, changes: outer }];
    }),
  );
}

/** What undoes `field.set(key, value)`, `field.add(value)` or `field.push(value)`; with the copy, the value before comes back. */
function undone(
  cls: ClassSource,
  call: Node,
  field: string,
  copy: string | undefined,
  isMap: boolean,
): string | undefined {
  if (call.type !== 'CallExpression' || call.callee.type !== 'MemberExpression') return undefined;
  if (cls.textOf(call.callee.object) !== field) return undefined;
  const name = nameOf(call.callee.property, call.callee.computed);
  const [first] = call.arguments as unknown as readonly Node[];
  const key = first && cls.textOf(first);
  if (key === undefined) return undefined;
  const end = cls.semicolon;
  const remove = `${field}.delete(${key})`;
  if (name === 'push' && copy === undefined) return `${field}.splice(${field}.indexOf(${key}), 1)${end}`;
  if (name === 'add') return copy === undefined ? remove + end : `if (!${copy}.has(${key})) ${remove}${end}`;
  const value = `${copy}.get(${key})${cls.source.isTypeScript ? '!' : ''}`;
  const back = `if (${copy}.has(${key})) ${field}.set(${key}, ${value})${end}`;
  if (name === 'delete' && copy !== undefined)
    return isMap ? back : `if (${copy}.has(${key})) ${field}.add(${key})${end}`;
  if (name !== 'set') return undefined;
  return copy === undefined ? remove + end : `${back} else ${remove}${end}`;
}

/** Only the own changes are undone. The calls that overlap keep theirs. */
export const restoreFamily: Family = (context, add) => {
  const { cls } = context;
  for (const method of near(context))
    for (const found of restoresIn(cls, method))
      for (const keepsCopy of [false, true])
        add({
          family: 'undo',
          group: `undo ${method.name}`,
          title: `${method.name} undoes its own changes of ${found.field.slice('this.'.length)}, instead of putting back a copy of all`,
          edit: (draft) => restoreEdit(draft, found, keepsCopy),
        });
};

function restoreEdit(
  draft: Draft,
  { copy, name, field, restore, changes }: Restore,
  keepsCopy: boolean,
): void {
  const { cls } = draft;
  const isMap = cls.textOf(copy).includes('new Map(');
  const undos = changes.map((change): string => {
    const isLoop = change.type === 'ForOfStatement';
    const body = (isLoop ? change.body : change) as Node;
    const only = body.type === 'BlockStatement' && body.body.length === 1 ? (body.body[0] as Node) : body;
    const call = only.type === 'ExpressionStatement' ? (only.expression as Node) : only;
    const text = undone(cls, call, field, keepsCopy ? name : undefined, isMap);
    if (text === undefined) throw new EditRefused('a change that cannot be undone');
    if (!isLoop) return text;
    // a loop over the state itself would see other elements now
    if (cls.textOf(change.right).includes('this.')) throw new EditRefused('a loop over a field');
    return cls.textOf({ start: change.start, end: body.start }) + text;
  });
  if (undos.length === 0) throw new EditRefused('no changes');
  const pad = cls.indentAt(restore.start);
  draft.replace(restore, undos.toReversed().join(`\n${pad}`));
  if (!keepsCopy) draft.remove(copy);
}

const ADDING: Readonly<Record<string, (queue: string, entry: string) => readonly string[]>> = {
  push: (queue, entry) => [`const at = ${queue}.indexOf(${entry})`, `if (at >= 0) ${queue}.splice(at, 1)`],
  unshift: (queue, entry) => [`const at = ${queue}.indexOf(${entry})`, `if (at >= 0) ${queue}.splice(at, 1)`],
  add: (queue, entry) => [`${queue}.delete(${entry})`],
  set: (queue, entry) => [`${queue}.delete(${entry})`],
};

/** A call that gives up, after a time or an abort, takes its entry out of the queue in which it waits. */
export const withdrawFamily: Family = ({ cls }, add) => {
  for (const method of cls.methods)
    walk(bodyNode(method), (node) => {
      if (node.type !== 'NewExpression' || cls.textOf(node.callee) !== 'Promise') return undefined;
      const executor = node.arguments[0] as unknown as Node | undefined;
      if (executor?.type !== 'ArrowFunctionExpression' || executor.body?.type !== 'BlockStatement')
        return undefined;
      const list = executor.body.body as unknown as readonly Statement[];
      const settle = (executor.params as unknown as readonly Node[]).map(
        (param) => cls.textOf(param).split(':')[0],
      );
      const giveUp = list.flatMap((one) => ownNodes(one)).find((one) => callbackOf(cls, one, settle));
      const entry = list.find((one) => addedEntry(cls, one) !== undefined);
      if (giveUp === undefined || entry === undefined) return undefined;
      const { queue, name, value } = addedEntry(cls, entry)!;
      add({
        family: 'withdraw',
        title: `a call of ${method.name} that gives up leaves ${queue.slice('this.'.length)}`,
        edit: (draft) => {
          const callback = callbackOf(cls, giveUp, settle)!;
          const pad = cls.indentAt(callback.start);
          const isNamed = value.type === 'Identifier' || name === 'set';
          const own = isNamed ? cls.textOf(value) : cls.unusedVariable(method, 'waiter');
          const lines = ADDING[name](queue, own).map((line) => line + cls.semicolon);
          if (!isNamed) {
            draft.before(entry, `const ${own} = ${cls.textOf(value)}${cls.semicolon}`);
            draft.replace(value, own);
          }
          const inner = `\n${pad}${cls.unit}`;
          const { body } = callback;
          if (body?.type === 'BlockStatement')
            draft.insert(body.start + 1, lines.map((line) => inner + line).join(''));
          else if (body) {
            const text = cls.textOf(body) + cls.semicolon;
            draft.replace(body, `{${[...lines, text].map((line) => inner + line).join('')}\n${pad}}`);
          }
        },
      });
      return undefined;
    });
};

/** The callback of a timer or an event that settles the promise. */
function callbackOf(
  cls: ClassSource,
  node: Node,
  settle: readonly string[],
): Of<'ArrowFunctionExpression'> | undefined {
  if (node.type !== 'CallExpression') return undefined;
  const called = cls.textOf(node.callee);
  if (!/^(?:setTimeout|setImmediate)$|\.(?:addEventListener|once|on)$/.test(called)) return undefined;
  const callback = (node.arguments as unknown as readonly Node[]).find(
    (one) => one.type === 'ArrowFunctionExpression',
  );
  if (callback?.type !== 'ArrowFunctionExpression' || callback.body === null) return undefined;
  return settle.some((name) => cls.uses(callback.body as unknown as Node, name) > 0) ? callback : undefined;
}

/** `this.queue.push(entry)`, or the key of `this.queue.set(key, entry)`. */
function addedEntry(
  cls: ClassSource,
  statement: Statement,
): { readonly queue: string; readonly name: string; readonly value: Node } | undefined {
  const call = statement.type === 'ExpressionStatement' ? (statement.expression as Node) : undefined;
  if (call?.type !== 'CallExpression' || call.callee.type !== 'MemberExpression') return undefined;
  const { object, property, computed } = call.callee;
  const name = nameOf(property, computed) ?? '';
  const [value] = call.arguments as unknown as readonly Node[];
  if (!isOwnField(object) || !Object.hasOwn(ADDING, name) || value === undefined) return undefined;
  return { queue: cls.textOf(object), name, value };
}

/** `await entry.close(); this.entries.delete(key)` removes the entry before others can find it in that state. */
export const earlyFamily: Family = (context, add) => {
  const { cls } = context;
  for (const method of near(context))
    for (const list of cls.lists(method))
      list.forEach((statement, i) => {
        const field = removedFrom(statement);
        if (field === undefined) return;
        const awaits = (one: Statement): boolean =>
          ownNodes(one).some(({ type }) => type === 'AwaitExpression');
        const last = list.findLastIndex((one, k) => k < i && awaits(one));
        const first = 1 + list.findLastIndex((one, k) => k < last && !awaits(one));
        const between = last < 0 ? [] : list.slice(first, i);
        if (between.length === 0 || between.some((one) => cls.textOf(one).includes(`this.${field}`))) return;
        if (between.some(({ type }) => type !== 'ExpressionStatement' && type !== 'VariableDeclaration'))
          return;
        add({
          family: 'early',
          title: `${method.name} removes its entry of ${field} before the await`,
          losesWork: true,
          changesFailures: true,
          warnings: ['if the await fails, the entry is removed as well'],
          edit: (draft) => draft.before(list[first], draft.remove(statement)),
        });
      });
};

/** The field of `this.entries.delete(key)`. */
function removedFrom(statement: Statement): string | undefined {
  const call = statement.type === 'ExpressionStatement' ? (statement.expression as Node) : undefined;
  if (call?.type !== 'CallExpression' || call.callee.type !== 'MemberExpression') return undefined;
  const { object, property, computed } = call.callee;
  return isOwnField(object) && nameOf(property, computed) === 'delete' && call.arguments.length === 1
    ? fieldName(object)
    : undefined;
}
