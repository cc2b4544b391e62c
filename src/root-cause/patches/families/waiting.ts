/**
 * Families for code that waits: looking again after a wake-up, or directly before the wait, waking all that wait, a list that
 * changes during a loop with awaits, and a state that is left behind if an await fails.
 */
import { isFunction, type Node, nameOf, type Of } from '../../../instrument/syntax/tree.js';
import { all, type Edit, type Family, type FamilyContext } from '../model/draft.js';
import {
  bodyNode,
  type ClassSource,
  fieldName,
  isExit,
  isOwnField,
  type Method,
  ownNodes,
  type Statement,
} from '../model/source.js';
import { awaits, near } from './awaits.js';

/** `if (condition) wait` becomes `while`. */
function loopEdits({ cls }: FamilyContext): Edit[] {
  return cls.methods.flatMap((method) =>
    ownNodes(bodyNode(method)).flatMap((node): Edit[] => {
      if (node.type !== 'IfStatement' || node.alternate) return [];
      // other calls may return before they come to the wait
      const { consequent } = node;
      const last = consequent.type === 'BlockStatement' ? (consequent.body.at(-1) as Statement) : undefined;
      if (!waits(cls, consequent) && !(last && waits(cls, last))) return [];
      if (ownNodes(node.test).some(({ type }) => EFFECTS.has(type))) return [];
      return [(draft) => draft.replace({ start: node.start, end: node.start + 2 }, 'while')];
    }),
  );
}

/** `if (free) { take; return; } await …; take;` becomes `while (!free) await …; take;`. */
function guardEdits({ cls }: FamilyContext): Edit[] {
  return cls.methods.flatMap((method) =>
    cls.lists(method).flatMap((list) =>
      list.flatMap((guard, i): Edit[] => {
        if (guard.type !== 'IfStatement' || guard.alternate || guard.consequent.type !== 'BlockStatement')
          return [];
        const wait = list.at(i + 1);
        if (wait?.type !== 'ExpressionStatement' || !waits(cls, wait)) return [];
        if (ownNodes(guard.test as Node).some(({ type }) => EFFECTS.has(type))) return [];
        const taken = guard.consequent.body as readonly Statement[];
        const last = taken.at(-1);
        if (last?.type !== 'ReturnStatement' || last.argument !== null) return [];
        const textOf = (statements: readonly Statement[]): string =>
          statements.map((one) => cls.textOf(one).replace(/;$/, '')).join(';');
        if (textOf(taken.slice(0, -1)) !== textOf(list.slice(i + 2))) return [];
        // a comment would be lost
        if (/\/[/*]/.test(cls.source.text.slice(guard.start, wait.start))) return [];
        const head = `while (${negated(cls, guard.test as Node)}) `;
        return [(draft) => draft.replace({ start: guard.start, end: wait.start }, head)];
      }),
    ),
  );
}

const OPPOSITE: Readonly<Record<string, string>> = {
  '<': '>=',
  '>': '<=',
  '<=': '>',
  '>=': '<',
  '===': '!==',
  '!==': '===',
};

/** The opposite of a condition. The fields that it compares are taken to be numbers: `NaN` differs, and exploring would show it. */
export function negated(cls: ClassSource, test: Node): string {
  if (test.type === 'UnaryExpression' && test.operator === '!') return cls.textOf(test.argument);
  const opposite = test.type === 'BinaryExpression' ? OPPOSITE[test.operator] : undefined;
  if (test.type === 'BinaryExpression' && opposite !== undefined)
    return `${cls.textOf(test.left)} ${opposite} ${cls.textOf(test.right)}`;
  return `!(${cls.textOf(test)})`;
}

const EFFECTS = new Set<Node['type']>(['AssignmentExpression', 'UpdateExpression', 'AwaitExpression']);

/** Does a statement wait for another call, and then continue behind the `if`? */
function waits(cls: ClassSource, statement: Node, mayReturn = false): boolean {
  const nodes = ownNodes(statement);
  const leaves = nodes.some(({ type }) => type === 'ReturnStatement' || type === 'ThrowStatement');
  if (leaves && !mayReturn) return false;
  if (
    statement.type === 'ReturnStatement' &&
    statement.argument &&
    isPromiseOfAnother(cls, statement.argument as Node)
  )
    return true;
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
    const [, name, queue] = /^const (\w+) ?= ?(.+)\.shift\(\);?$/.exec(cls.textOf(statement)) ?? [];
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

/** A loop that waits while a field is set, awaits after it, and then the change of that field. */
interface EarlyLoop {
  readonly method: Method;
  readonly loop: Statement;
  readonly change: Statement;
  readonly field: string;
}

function earlyLoops({ cls, blamed, entries }: FamilyContext): EarlyLoop[] {
  return [...new Set([...blamed, ...entries])].flatMap((method) =>
    cls.lists(method).flatMap((list) =>
      list.flatMap((loop, i): EarlyLoop[] => {
        if (loop.type !== 'WhileStatement' || !hasAwait(loop.body as Node)) return [];
        const fields = ownNodes(loop.test as Node).flatMap((node) =>
          isOwnField(node) ? [fieldName(node)] : [],
        );
        const at = list.findIndex((one, k) => k > i && fields.some((field) => changes(cls, one, field)));
        if (at < 0 || !list.slice(i + 1, at).some(hasAwait)) return [];
        return [
          { method, loop, change: list[at], field: fields.find((field) => changes(cls, list[at], field))! },
        ];
      }),
    ),
  );
}

const hasAwait = (node: Node): boolean => ownNodes(node).some(({ type }) => type === 'AwaitExpression');

const changes = (cls: ClassSource, statement: Statement, field: string): boolean =>
  statement.type === 'ExpressionStatement' &&
  new RegExp(`^this\\.${field}(?:\\+\\+|--| [+-]?= )`).test(cls.textOf(statement));

/** A check before an await, and a wait behind that await: what the check read may have changed. */
function lateWaits({ cls, blamed, entries }: FamilyContext): { method: Method; edit: Edit }[] {
  return [...new Set([...blamed, ...entries])].flatMap((method) =>
    cls.lists(method).flatMap((list) =>
      list.flatMap((wait, i): { method: Method; edit: Edit }[] => {
        if (wait.type === 'IfStatement' || !waits(cls, wait, true)) return [];
        const at = list.findLastIndex((one, k) => k < i && hasAwait(one));
        if (at < 0) return [];
        const guards = list.slice(0, at).filter((one) => isCheck(one) && isExit(one.consequent as Node));
        if (guards.length > 0)
          return [{ method, edit: (draft) => draft.before(wait, ...guards.map((one) => cls.textOf(one))) }];
        const around = ownNodes(bodyNode(method)).find(
          (node) =>
            isCheck(node) &&
            node.consequent.type === 'BlockStatement' &&
            node.consequent.body === (list as unknown),
        );
        if (around?.type !== 'IfStatement' || wait.type !== 'ExpressionStatement') return [];
        return [{ method, edit: (draft) => draft.insert(wait.start, `if (${cls.textOf(around.test)}) `) }];
      }),
    ),
  );
}

const isCheck = (node: Node): node is Of<'IfStatement'> =>
  node.type === 'IfStatement' &&
  !node.alternate &&
  ownNodes(node.test as Node).every(({ type }) => !EFFECTS.has(type)) &&
  ownNodes(node.test as Node).some(isOwnField);

/** A loop over a list of the object that awaits in its body runs over a copy of the list. */
export const copyFamily: Family = (context, add) => {
  const { cls } = context;
  for (const method of near(context))
    for (const node of ownNodes(bodyNode(method))) {
      if (node.type !== 'ForOfStatement' || node.await || !hasAwait(node.body as Node)) continue;
      const right = node.right as Node;
      const isOwn = ownNodes(right).some(isOwnField) || right.type === 'Identifier';
      if (!isOwn || right.type === 'ArrayExpression' || hasAwait(right)) continue;
      const text = cls.textOf(right);
      add({
        family: 'copy',
        title: `${method.name} loops over a copy of ${text.replace(/^this\./, '')}, which may change during an await`,
        edit: (draft) => draft.replace(right, `[...${text}]`),
      });
    }
};

export const wakeFamily: Family = (context, add) => {
  for (const { method, loop, change, field } of earlyLoops(context))
    add({
      family: 'while',
      title: `${method.name} waits for ${field} directly before it changes ${field}`,
      edit: (draft) => draft.before(change, draft.remove(loop)),
    });
  for (const { method, edit } of lateWaits(context))
    add({ family: 'while', title: `${method.name} checks again directly before it waits`, edit });
  const loops = [...loopEdits(context), ...guardEdits(context)];
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

/** A state that is set before and reset after an await is reset in `finally`. */
export const cleanupFamily: Family = (context, add) => {
  const { cls } = context;
  for (const method of near(context))
    for (const list of cls.lists(method))
      list.forEach((statement, i) => {
        const field = plainlyAssigned(cls, statement);
        const set = list.findLastIndex((other, k) => k < i && plainlyAssigned(cls, other) === field);
        if (field === undefined || set < 0 || !list.slice(set + 1, i).some(awaits)) return;
        const inside = list.slice(set + 1, i);
        const names = inside.flatMap((one) =>
          one.type === 'VariableDeclaration' ? one.declarations.map(({ id }) => cls.textOf(id)) : [],
        );
        if (list.slice(i).some((one) => names.some((name) => cls.uses(one, name) > 0))) return;
        add({
          family: 'cleanup',
          title: `${method.name} resets ${field.slice('this.'.length)} also if an await fails`,
          changesFailures: true,
          edit: (draft) => {
            const reset = draft.remove(statement);
            draft.enclose(inside, ['try {'], ['} finally {', cls.unit + reset, '}']);
          },
        });
      });
};

/** The field that a statement assigns a literal or a name to. */
function plainlyAssigned(cls: ClassSource, statement: Statement): string | undefined {
  if (statement.type !== 'ExpressionStatement' || statement.expression.type !== 'AssignmentExpression')
    return undefined;
  const { left, right, operator } = statement.expression;
  if (operator !== '=' || !isOwnField(left as Node) || isFunction(right as Node)) return undefined;
  return right.type === 'Literal' || right.type === 'Identifier' ? cls.textOf(left) : undefined;
}
