/**
 * Families for threads over shared memory without a lock: one read instead of two, publishing last, changes of elements of typed
 * arrays by one step, and a check before a change that would be undone. A field without `Atomics` is a model of shared memory:
 * the patch keeps that model.
 */
import { isFunction, type Node, nameOf, type Of } from '../../../instrument/syntax/tree.js';
import { type Draft, EditRefused, type Family } from '../model/draft.js';
import {
  bodyNode,
  CHANGING,
  type ClassSource,
  fieldName,
  isExit,
  isOwnField,
  type Method,
  ownNodes,
  type Statement,
  walk,
} from '../model/source.js';
import { atomicsCall, elementOf, expressionOf, OPERATIONS, placeText } from './atomics.js';
import { negated } from './waiting.js';

/** A mutable field that is read several times is read once. */
export const readOnceFamily: Family = ({ cls, blamed, entries }, add) => {
  for (const method of new Set([...blamed, ...entries])) {
    const reads = new Map<string, Of<'MemberExpression'>[]>();
    walk(bodyNode(method), (node, parents) => {
      if (isFunction(node)) return false;
      const parent = parents.at(-1);
      if (!isOwnField(node) || (parent?.type === 'CallExpression' && parent.callee === (node as unknown)))
        return undefined;
      const name = fieldName(node);
      reads.set(name, [...(reads.get(name) ?? []), node]);
      return undefined;
    });
    for (const [name, places] of reads) {
      const field = cls.fields.find((one) => one.name === name);
      const isWritten = cls.methods.some(({ writes }) => writes.has(name)) && !method.writes.has(name);
      if (places.length < 2 || field?.isReadonly || !isWritten) continue;
      add({
        family: 'read-once',
        title: `${method.name} reads ${name} once`,
        edit: (draft) => {
          const variable = cls.unusedVariable(method, name.replace(/^#/, ''));
          const used = new RegExp(`(?<!this\\.#?)\\b${name.replace(/^#/, '')}\\b`).test(
            cls.textOf(method.body),
          )
            ? variable
            : name.replace(/^#/, '');
          const first = method.body.body.find(
            ({ start, end }) => start <= places[0].start && places[0].end <= end,
          );
          if (first === undefined) throw new EditRefused('no statement');
          draft.before(first, `const ${used} = this.${name}${cls.semicolon}`);
          for (const place of places) draft.replace(place, used);
        },
      });
    }
  }
};

/** Independent writes in a row: the first of them, which publishes the others, becomes the last. */
export const swapFamily: Family = ({ cls, blamed, entries }, add) => {
  for (const method of new Set([...blamed, ...entries]))
    for (const list of cls.lists(method))
      list.forEach((statement, i) => {
        const one = writeOf(cls, statement);
        if (one === undefined) return;
        for (let k = i + 1; k < list.length; k++) {
          const other = writeOf(cls, list[k]);
          if (other === undefined || !areIndependent(one, other)) return;
          const row = list.slice(i, k + 1);
          add({
            family: 'swap',
            title: `${method.name} writes ${other.place} before ${one.place}`,
            edit: (draft) =>
              row.forEach((place, at) => {
                draft.replace(place, cls.textOf(row[(at + 1) % row.length]));
              }),
          });
        }
      });
};

/** A statement that writes one place, and nothing else. */
interface Write {
  /** `field`, `field[i]`, or the arguments of `Atomics.store`; and the field in it. */
  readonly place: string;
  readonly field: string;
  /** The fields that occur in it as well. */
  readonly reads: ReadonlySet<string>;
}

function writeOf(cls: ClassSource, statement: Statement): Write | undefined {
  if (statement.type !== 'ExpressionStatement') return undefined;
  const target = writtenPlace(cls, statement.expression as Node);
  if (target === undefined) return undefined;
  const { node, text } = target;
  const inside = ownNodes(statement);
  const isPlain = inside.every((one) => !['AwaitExpression', 'YieldExpression'].includes(one.type));
  const calls = inside.filter(({ type }) => type === 'CallExpression' || type === 'NewExpression');
  // the write itself may be a call
  if (!isPlain || calls.some((call) => call !== (statement.expression as unknown))) return undefined;
  const reads = inside.flatMap((one) => (isOwnField(one) && one !== node ? [fieldName(one)] : []));
  return { place: text.replaceAll('this.', ''), field: fieldName(node), reads: new Set(reads) };
}

/** The field of what an expression writes, and the text of the place. */
function writtenPlace(
  cls: ClassSource,
  expression: Node,
): { readonly node: Of<'MemberExpression'>; readonly text: string } | undefined {
  if (expression.type === 'CallExpression') {
    const { callee } = expression;
    if (callee.type !== 'MemberExpression') return undefined;
    const name = nameOf(callee.property, callee.computed) ?? '';
    const [array, index] = expression.arguments as unknown as Node[];
    if (cls.textOf(callee.object) === 'Atomics')
      return name === 'store' && isOwnField(array)
        ? { node: array, text: `${cls.textOf(array)}[${cls.textOf(index)}]` }
        : undefined;
    return CHANGING.has(name) && isOwnField(callee.object)
      ? { node: callee.object, text: cls.textOf(callee.object) }
      : undefined;
  }
  const isUpdate = expression.type === 'UpdateExpression';
  if (!isUpdate && expression.type !== 'AssignmentExpression') return undefined;
  const left = (isUpdate ? expression.argument : expression.left) as Node;
  const node = left.type === 'MemberExpression' && left.computed ? (left.object as Node) : left;
  return isOwnField(node) ? { node, text: cls.textOf(left) } : undefined;
}

const areIndependent = (one: Write, other: Write): boolean =>
  one.place !== other.place && !one.reads.has(other.field) && !other.reads.has(one.field);

/** `this.words[i]` as `this.words, i`. */
const elementPlace = (cls: ClassSource, node: Node): string | undefined =>
  elementOf(cls, node)
    ?.map((one) => cls.textOf(one))
    .join(', ');

/** `this.words[i]++` and `this.words[i] += n` become one operation of `Atomics`. */
export const elementFamily: Family = ({ cls, blamed, entries }, add) => {
  const near = new Set([...blamed, ...entries]);
  for (const methods of [[...near], cls.methods]) {
    const changes = methods.flatMap((method) => elementChanges(cls, method));
    const names = [...new Set(changes.map(({ operation }) => `Atomics.${operation}`))].join(' and ');
    if (changes.length === 0) continue;
    add({
      family: 'atomics',
      group: 'elements',
      title: `${methods.length === near.size ? [...near].map(({ name }) => name).join(', ') : 'every method'} uses ${names}`,
      edit: (draft) => {
        for (const { node, text } of changes) draft.replace(node, text);
      },
    });
  }
};

interface ElementChange {
  readonly node: Node;
  readonly operation: string;
  readonly text: string;
}

function elementChanges(cls: ClassSource, method: Method): ElementChange[] {
  const found: ElementChange[] = [];
  walk(bodyNode(method), (node, parents) => {
    const isStatement = parents.at(-1)?.type === 'ExpressionStatement';
    const change = elementChange(cls, node);
    if (change === undefined) return undefined;
    const { place, operator, amount, isNewValue } = change;
    const operation = OPERATIONS[operator];
    const call = `Atomics.${operation}(${place}, ${amount})`;
    // the value after the change is computed again from the value before it
    const isSimple = /^[\w.]+$/.test(amount);
    if (isStatement || !isNewValue) found.push({ node, operation, text: call });
    else if (isSimple) found.push({ node, operation, text: `${call} ${operator} ${amount}` });
    return undefined;
  });
  return found;
}

/** A change of an element: where, by what, and whether its value is that after the change. */
function elementChange(
  cls: ClassSource,
  node: Node,
): { place: string; operator: string; amount: string; isNewValue: boolean } | undefined {
  if (node.type === 'UpdateExpression') {
    const place = elementPlace(cls, node.argument as Node);
    return place === undefined
      ? undefined
      : { place, operator: node.operator[0], amount: '1', isNewValue: node.prefix };
  }
  if (node.type !== 'AssignmentExpression') return undefined;
  const place = elementPlace(cls, node.left as Node);
  const { operator, right } = node;
  if (place === undefined || ownNodes(right as Node).some(({ type }) => type === 'AwaitExpression'))
    return undefined;
  if (operator.slice(0, -1) in OPERATIONS)
    return { place, operator: operator.slice(0, -1), amount: cls.textOf(right), isNewValue: true };
  const isSum =
    operator === '=' &&
    right.type === 'BinaryExpression' &&
    right.operator in OPERATIONS &&
    cls.textOf(right.left) === cls.textOf(node.left) &&
    !place.includes('(');
  return isSum
    ? { place, operator: right.operator, amount: cls.textOf(right.right), isNewValue: true }
    : undefined;
}

const UNDONE: Readonly<Record<string, string>> = { add: 'sub', sub: 'add' };

/** A change that is undone if a check fails, so that others see it in between: checked first, then compare-and-exchange. */
export const undoneFamily: Family = ({ cls, blamed, entries }, add) => {
  for (const method of new Set([...blamed, ...entries])) {
    const list = method.body.body as readonly Statement[];
    list.forEach((statement, at) => {
      for (const node of ownNodes(statement)) {
        const operation = Object.keys(UNDONE).find((one) => atomicsCall(cls, node, one));
        if (operation === undefined) continue;
        const args = atomicsCall(cls, node, operation)!;
        const isDeclared = statement.type === 'VariableDeclaration' && statement.declarations.length === 1;
        const check = isDeclared ? list[at + 1] : statement;
        if (check?.type !== 'IfStatement' || check.alternate || !isExit(check.consequent)) continue;
        if (!isDeclared && !ownNodes(check.test as Node).includes(node)) continue;
        const undo = `Atomics.${UNDONE[operation]}(${args.map((one) => cls.textOf(one)).join(', ')})`;
        const isUndo = (one: Statement | undefined): one is Statement =>
          expressionOf(one) !== undefined && cls.textOf(expressionOf(one)!) === undo;
        const inner = check.consequent.type === 'BlockStatement' ? check.consequent.body : [];
        const later = list[list.indexOf(check as Statement) + 1];
        const undone = [...(inner as readonly Statement[]), later].find(isUndo);
        if (undone === undefined) continue;
        add({
          family: 'cas',
          title: `${method.name} checks before it changes the word, by compare-and-exchange, so that no other thread sees a change that is undone`,
          edit: (draft) =>
            checkFirst(draft, method, {
              at,
              node,
              operation,
              check: check as Statement,
              undo: undone,
            }),
        });
      }
    });
  }
};

interface Undone {
  readonly at: number;
  readonly node: Node;
  readonly operation: string;
  readonly check: Statement;
  readonly undo: Statement;
}

function checkFirst(draft: Draft, method: Method, { at, node, operation, check, undo }: Undone): void {
  const { cls } = draft;
  const list = method.body.body as readonly Statement[];
  if (list.at(-1)?.type !== 'ReturnStatement' || check.type !== 'IfStatement')
    throw new EditRefused('no return at the end');
  const args = atomicsCall(cls, node, operation)!;
  const [place, amount] = [placeText(cls, args), cls.textOf(args[2])];
  const first = list[at];
  const isNamed =
    first.type === 'VariableDeclaration' &&
    (first.declarations[0].init as unknown) === node &&
    first.declarations[0].id.type === 'Identifier';
  const name = isNamed ? cls.textOf(first.declarations[0].id) : cls.unusedVariable(method, 'value');
  const load = `Atomics.load(${place})`;
  const { unit, semicolon: end } = cls;
  const next = `${name} ${operation === 'add' ? '+' : '-'} ${/^[\w.]+$/.test(amount) ? amount : `(${amount})`}`;
  const swap = `Atomics.compareExchange(${place}, ${name}, ${next})`;
  draft.replace(node, isNamed ? load : name);
  const head = isNamed ? ['for (;;) {'] : ['for (;;) {', `${unit}const ${name} = ${load}${end}`];
  draft.removeWithComment(undo);
  if (list.includes(undo)) {
    // `if (enough) return true; undo; return false;`
    const rest = list.slice(list.indexOf(undo) + 1);
    const kept = check.consequent as Statement;
    if (rest.length !== 1 || kept.type === 'BlockStatement') throw new EditRefused('another shape');
    draft.replace(check, `if (${negated(cls, check.test as Node)}) ${cls.textOf(rest[0])}`);
    draft.replace(rest[0], `if (${swap} === ${name}) ${cls.textOf(kept)}`);
  } else draft.after(check, `${unit}if (${swap} !== ${name}) continue${end}`);
  draft.enclose(list.slice(at), head, ['}']);
}
