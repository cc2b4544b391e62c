/**
 * Families for code that waits: looking again after a wake-up, waiting directly before the change, waking all that wait.
 */
import { type Node, nameOf, type Of } from '../../instrument/syntax/tree.js';
import { all, type Edit, type Family, type FamilyContext } from './draft.js';
import {
  bodyNode,
  type ClassSource,
  fieldName,
  isOwnField,
  type Method,
  ownNodes,
  type Statement,
} from './source.js';

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

export const wakeFamily: Family = (context, add) => {
  for (const { method, loop, change, field } of earlyLoops(context))
    add({
      family: 'while',
      title: `${method.name} waits for ${field} directly before it changes ${field}`,
      edit: (draft) => draft.before(change, draft.remove(loop)),
    });
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
