/**
 * Families for a method that is interrupted at an await, without a lock: it changes the current value instead of an old one,
 * changes first and undoes, takes out before it sends, checks again, or shares
 * one run with the calls that overlap it.
 */
import type { Node } from '../../../instrument/syntax/tree.js';
import { type Draft, EditRefused, type Family, type FamilyContext } from '../model/draft.js';
import {
  bodyNode,
  type ClassSource,
  isExit,
  isOwnField,
  type Method,
  ownNodes,
  type Statement,
  walk,
} from '../model/source.js';
import { callbacksIn, PRIMITIVE, typeOf } from './exclusion.js';
import { isStateKeyed } from './keys.js';

export const SIMPLE: ReadonlySet<Node['type']> = new Set<Node['type']>([
  'ExpressionStatement',
  'VariableDeclaration',
  'ReturnStatement',
]);

/** Does a statement without branches await? */
export const awaits = (statement: Statement): boolean =>
  SIMPLE.has(statement.type) && ownNodes(statement).some(({ type }) => type === 'AwaitExpression');

export const near = ({ blamed, entries }: FamilyContext): Method[] => [...new Set([...blamed, ...entries])];

/** Constants of a method that are copies of a field: `const before = this.balance`. */
export function copiesIn(cls: ClassSource, method: Method): Map<string, string> {
  const found = new Map<string, string>();
  for (const node of ownNodes(bodyNode(method)))
    if (node.type === 'VariableDeclaration' && node.kind === 'const')
      for (const { id, init } of node.declarations)
        if (id.type === 'Identifier' && isOwnField(init as Node | null))
          found.set(id.name, cls.textOf(init!));
  return found;
}

/** A change of a field by an amount, the statement that undoes it, and the copy of the field that it no longer needs. */
interface Change {
  readonly text: string;
  readonly undo: string;
  readonly copy?: string;
}

const OPPOSITE: Readonly<Record<string, string>> = {
  '+': '-',
  '-': '+',
  '++': '--',
  '--': '++',
  '+=': '-=',
  '-=': '+=',
};

export function changeOf(
  cls: ClassSource,
  statement: Statement,
  copies: ReadonlyMap<string, string>,
): Change | undefined {
  if (statement.type !== 'ExpressionStatement') return undefined;
  const { expression } = statement;
  const end = cls.semicolon;
  if (expression.type === 'UpdateExpression' && isOwnField(expression.argument as Node)) {
    const field = cls.textOf(expression.argument);
    return { text: cls.textOf(statement), undo: `${field}${OPPOSITE[expression.operator]}${end}` };
  }
  if (expression.type !== 'AssignmentExpression' || !isOwnField(expression.left as Node)) return undefined;
  const { operator, right } = expression;
  const field = cls.textOf(expression.left);
  if (ownNodes(right as Node).some(({ type }) => type === 'AwaitExpression')) return undefined;
  if (operator === '+=' || operator === '-=')
    return { text: cls.textOf(statement), undo: `${field} ${OPPOSITE[operator]} ${cls.textOf(right)}${end}` };
  if (operator !== '=' || right.type !== 'BinaryExpression' || !(right.operator in OPPOSITE))
    return undefined;
  if (right.left.type !== 'Identifier' || copies.get(right.left.name) !== field) return undefined;
  const amount = cls.textOf(right.right);
  return {
    text: `${field} ${right.operator}= ${amount}${end}`,
    undo: `${field} ${OPPOSITE[right.operator]}= ${amount}${end}`,
    copy: right.left.name,
  };
}

/** Removes the declaration of a copy that was used once. */
function dropCopy(draft: Draft, method: Method, name: string | undefined): void {
  if (name === undefined || draft.cls.uses(bodyNode(method), name) > 2) return;
  for (const list of draft.cls.lists(method))
    for (const statement of list)
      if (statement.type === 'VariableDeclaration' && statement.declarations.length === 1)
        if (draft.cls.textOf(statement.declarations[0].id) === name) draft.drop(statement);
}

/** The change is made to the value at that time, not to a copy from before the await. */
export const freshFamily: Family = (context, add) => {
  const { cls } = context;
  for (const method of near(context)) {
    const copies = copiesIn(cls, method);
    for (const statement of cls.lists(method).flat()) {
      const change = changeOf(cls, statement, copies);
      if (change?.copy !== undefined)
        add({
          family: 'fresh',
          title: `${method.name} changes the current value, not a copy from before the await`,
          edit: (draft) => {
            draft.replace(statement, change.text);
            dropCopy(draft, method, change.copy);
          },
        });
      awaitedAmount(cls, method, statement, add);
    }
  }
};

/** `this.total += await price()` reads `total` before the await. */
function awaitedAmount(
  cls: ClassSource,
  method: Method,
  statement: Statement,
  add: Parameters<Family>[1],
): void {
  if (statement.type !== 'ExpressionStatement' || statement.expression.type !== 'AssignmentExpression')
    return;
  const { left, right, operator } = statement.expression;
  if (!isOwnField(left as Node)) return;
  const field = cls.textOf(left);
  const isSum = operator === '=' && right.type === 'BinaryExpression' && cls.textOf(right.left) === field;
  const amount = isSum ? right.right : right;
  if (amount.type !== 'AwaitExpression' || (operator === '=' && !isSum)) return;
  const sign = isSum ? `${right.operator}=` : operator;
  add({
    family: 'fresh',
    title: `${method.name} reads ${field.slice('this.'.length)} after the await, not before`,
    edit: (draft) => {
      const name = cls.unusedVariable(method, 'amount');
      draft.before(statement, `const ${name} = ${cls.textOf(amount)}${cls.semicolon}`);
      draft.replace(statement, `${field} ${sign} ${name}${cls.semicolon}`);
    },
  });
}

/** The change is made before the await, and undone if the await fails. */
export const firstFamily: Family = (context, add) => {
  const { cls } = context;
  for (const method of near(context)) {
    const copies = copiesIn(cls, method);
    for (const list of cls.lists(method))
      list.forEach((statement, i) => {
        const change = changeOf(cls, statement, copies);
        const last = list.findLastIndex((other, k) => k < i && awaits(other));
        if (change === undefined || last < 0) return;
        const first = 1 + list.findLastIndex((other, k) => k < last && !awaits(other));
        const awaiting = list.slice(first, last + 1);
        if (list.slice(first, i).some(({ type }) => type === 'VariableDeclaration')) return;
        add({
          family: 'first',
          title: `${method.name} does ${change.text.replace(/;$/, '')} before the await, and undoes it if the await fails`,
          losesWork: true,
          edit: (draft) => {
            draft.remove(statement);
            dropCopy(draft, method, change.copy);
            const { unit, semicolon } = cls;
            const undo = ['} catch (error) {', unit + change.undo, `${unit}throw error${semicolon}`, '}'];
            draft.enclose(awaiting, [change.text, 'try {'], undo);
          },
        });
      });
  }
};

/** What puts back what was taken, by what the field is emptied with. */
const PUT_BACK: readonly (readonly [RegExp, (field: string) => string])[] = [
  [/^\[\]$/, (field) => `${field}.unshift(...taken)`],
  [/^0$/, (field) => `${field} += taken`],
];

/** `await send(this.items); this.items = []` takes the items out before it sends them. */
export const takeFamily: Family = (context, add) => {
  const { cls } = context;
  for (const method of near(context))
    for (const list of cls.lists(method))
      list.forEach((statement, i) => {
        if (statement.type !== 'ExpressionStatement' || statement.expression.type !== 'AssignmentExpression')
          return;
        const { left, right, operator } = statement.expression;
        const back = PUT_BACK.find(([empty]) => empty.test(cls.textOf(right)))?.[1];
        const at = list.findLastIndex((other, k) => k < i && awaits(other));
        if (operator !== '=' || !isOwnField(left as Node) || back === undefined || at < 0) return;
        const field = cls.textOf(left);
        const awaiting = list[at];
        const places: Node[] = [];
        walk(awaiting, (node) => {
          if (isOwnField(node) && cls.textOf(node) === field) places.push(node);
          return undefined;
        });
        if (places.length === 0 || awaiting.type !== 'ExpressionStatement') return;
        add({
          family: 'take',
          title: `${method.name} takes ${field.slice('this.'.length)} out before the await, and puts it back if the await fails`,
          losesWork: true,
          edit: (draft) => {
            if (cls.uses(bodyNode(method), 'taken') > 0) throw new EditRefused('the name is used');
            const emptying = draft.remove(statement);
            for (const place of places) draft.replace(place, 'taken');
            const { unit, semicolon: end } = cls;
            const undo = ['} catch (error) {', unit + back(field) + end, `${unit}throw error${end}`, '}'];
            draft.enclose([awaiting], [`const taken = ${field}${end}`, emptying, 'try {'], undo);
          },
        });
      });
};

/** The guards of a method before an await are checked once more after it. */
export const recheckFamily: Family = (context, add) => {
  const { cls } = context;
  for (const method of near(context)) {
    const copies = copiesIn(cls, method);
    for (const list of cls.lists(method)) {
      const at = list.findLastIndex(awaits);
      const guards = list.slice(0, Math.max(0, at)).filter(isGuard);
      if (at < 0 || guards.length === 0 || list[at].type === 'ReturnStatement') continue;
      add({
        family: 'recheck',
        title: `${method.name} checks again after the await`,
        warnings: ['what was done during the await is not undone if the second check fails'],
        losesWork: true,
        edit: (draft) => {
          const texts = guards.map((guard) => {
            let text = cls.textOf(guard);
            for (const [name, field] of copies)
              text = text.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), field);
            return text;
          });
          draft.after(list[at], ...texts);
          for (const statement of list.slice(at + 1)) {
            const change = changeOf(cls, statement, copies);
            if (change?.copy !== undefined) draft.replace(statement, change.text);
          }
        },
      });
    }
  }
};

/** `if (condition) return …`, or `throw`. */
const isGuard = (statement: Statement): boolean =>
  statement.type === 'IfStatement' && !statement.alternate && isExit(statement.consequent);

/** Calls that overlap share one run and its result. */
export const shareFamily: Family = ({ cls, entries, blamed }, add) => {
  for (const method of new Set([...entries, ...blamed])) {
    const { params, returns, isAsync } = method;
    const isTyped = cls.source.isTypeScript;
    if (!isAsync || params.length > 1 || (isTyped && returns === undefined)) continue;
    const [param] = params;
    const type = typeOf(cls, param);
    if (param && (param.type !== 'Identifier' || (isTyped && !PRIMITIVE.test(type ?? '')))) continue;
    // calls with other arguments still overlap
    if (param?.type === 'Identifier' && !isStateKeyed(cls, method, param.name)) continue;
    add({
      family: 'share',
      isKeyed: param !== undefined,
      title: `calls of ${method.name} that overlap share one run`,
      warnings: callbacksIn(cls, [method]).map(
        (called) => `if ${called} awaits a call of ${method.name}, both wait forever`,
      ),
      edit: (draft) => {
        const { unit, semicolon: end } = cls;
        const name = cls.unusedName('pending');
        const { declared, used } = cls.privateMember(name);
        if (param?.type === 'Identifier') {
          const [running, result] = ['running', 'result'].map((wish) => cls.unusedVariable(method, wish));
          const key = param.name;
          draft.encloseBody(
            method,
            [
              `const ${running} = ${used}.get(${key})${end}`,
              `if (${running}) return ${running}${end}`,
              `const ${result} = (async () => {`,
            ],
            [
              `})().finally(() => ${used}.delete(${key}))${end}`,
              `${used}.set(${key}, ${result})${end}`,
              `return ${result}${end}`,
            ],
          );
          draft.addField(`${cls.privateReadonly(name)} = new Map${cls.typed(`<${type}, ${returns}>`)}()`);
          return;
        }
        draft.encloseBody(
          method,
          [`${used} ??= (async () => {`],
          ['})().finally(() => {', `${unit}${used} = undefined${end}`, `})${end}`, `return ${used}${end}`],
        );
        draft.addField(`${declared}${cls.typed(`: ${returns} | undefined`)}`);
      },
    });
  }
};
