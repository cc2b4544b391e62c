/**
 * Families for words of shared memory: operations of `Atomics`, and compare-and-exchange with a retry.
 */
import { type Node, nameOf } from '../../../instrument/syntax/tree.js';
import { type Draft, EditRefused, type Family } from '../model/draft.js';
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

const TYPED_ARRAY = /\b(?:Big)?(?:Int|Uint)(?:8|16|32|64)Array\b/;

/** The array and the index of `this.words[i]`, if the field holds integers that `Atomics` can change. */
export function elementOf(cls: ClassSource, node: Node | null | undefined): readonly Node[] | undefined {
  if (node?.type !== 'MemberExpression' || !node.computed) return undefined;
  const array = node.object as Node;
  if (!isOwnField(array)) return undefined;
  const name = fieldName(array);
  const field = cls.fields.find((one) => one.name === name)?.node;
  const isUsed = cls.textOf(cls.node).includes(`Atomics.load(this.${name},`);
  return isUsed || (field && TYPED_ARRAY.test(cls.textOf(field)))
    ? [array, node.property as Node]
    : undefined;
}

/** The arguments of `Atomics.name(…)`; a plain read of an element is a load, a plain write is a store. */
export function atomicsCall(
  cls: ClassSource,
  node: Node | null | undefined,
  name: string,
): readonly Node[] | undefined {
  if (name === 'load' && elementOf(cls, node)) return elementOf(cls, node);
  if (name === 'store' && node?.type === 'AssignmentExpression' && node.operator === '=') {
    const place = elementOf(cls, node.left as Node);
    return place && [...place, node.right as Node];
  }
  if (node?.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return undefined;
  if (cls.textOf(node.callee.object) !== 'Atomics' || nameOf(node.callee.property, false) !== name)
    return undefined;
  return node.arguments as unknown as readonly Node[];
}

export const expressionOf = (statement: Statement | undefined): Node | undefined =>
  statement?.type === 'ExpressionStatement' ? (statement.expression as Node) : undefined;

/** `const value = Atomics.load(a, i)`, and later in the list `Atomics.store(a, i, next)`, or `add` or `sub`. */
interface LoadStore {
  readonly list: readonly Statement[];
  readonly from: number;
  readonly to: number;
  readonly name: string;
  readonly init: Node;
  /** `a, i`. */
  readonly place: string;
  /** What is stored; `text` also if it is added to the value. */
  readonly next: Node | undefined;
  readonly text: string;
}

function loadStores(cls: ClassSource, method: Method): LoadStore[] {
  return cls.lists(method).flatMap((list) =>
    list.flatMap((statement, from): LoadStore[] => {
      if (statement.type !== 'VariableDeclaration' || statement.declarations.length !== 1) return [];
      const [{ id, init }] = statement.declarations;
      const load = atomicsCall(cls, init as Node | null, 'load');
      if (load === undefined || id.type !== 'Identifier') return [];
      const place = placeText(cls, load);
      const to = list.findIndex(
        (other, k) => k > from && changedText(cls, expressionOf(other), place, id.name) !== undefined,
      );
      if (to < 0) return [];
      const change = expressionOf(list[to]);
      const next = atomicsCall(cls, change, 'store')?.[2];
      const text = changedText(cls, change, place, id.name)!;
      return [{ list, from, to, name: id.name, init: init as Node, place, next, text }];
    }),
  );
}

/** The value of a place after a store, an `add` or a `sub`, if `name` is the value before; undefined if it is none of them. */
function changedText(
  cls: ClassSource,
  node: Node | undefined,
  place: string,
  name: string,
): string | undefined {
  const operation = CHANGES.find((one) => placeText(cls, atomicsCall(cls, node, one)) === place);
  if (operation === undefined) return undefined;
  const text = cls.textOf(atomicsCall(cls, node, operation)![2]);
  if (operation === 'store') return text;
  return `${name} ${operation === 'add' ? '+' : '-'} ${/^[\w.]+$/.test(text) ? text : `(${text})`}`;
}

const CHANGES = ['store', 'add', 'sub'] as const;

export const placeText = (cls: ClassSource, args: readonly Node[] | undefined): string =>
  args === undefined
    ? ''
    : args
        .slice(0, 2)
        .map((one) => cls.textOf(one))
        .join(', ');

/** Binary operators, and the operations of `Atomics` that do the same. */
export const OPERATIONS: Readonly<Record<string, string>> = {
  '+': 'add',
  '-': 'sub',
  '&': 'and',
  '|': 'or',
  '^': 'xor',
};

/** A load and a store become one operation of `Atomics`. */
export const atomicsFamily: Family = ({ cls, blamed, entries }, add) => {
  const shortest: ((draft: Draft) => void)[] = [];
  const retries: ((draft: Draft) => void)[] = [];
  for (const method of cls.methods) {
    const isNear = blamed.has(method) || entries.has(method);
    if (isNear) {
      directStores(cls, method, add);
      checkedChanges(cls, method, add);
    }
    for (const pair of loadStores(cls, method)) {
      const { list, from, to, name, init, place, next } = pair;
      const operation =
        next?.type === 'BinaryExpression' &&
        cls.textOf(next.left) === name &&
        cls.uses(next.right as Node, name) === 0
          ? OPERATIONS[next.operator]
          : undefined;
      const isRow = to === from + 1;
      const one =
        operation !== undefined && next?.type === 'BinaryExpression'
          ? `Atomics.${operation}(${place}, ${cls.textOf(next.right)})`
          : next !== undefined && cls.uses(next, name) === 0
            ? `Atomics.exchange(${place}, ${cls.textOf(next)})`
            : undefined;
      const retry = (draft: Draft): void => retryEdit(draft, method, pair);
      const isOne = isRow && one !== undefined && next !== undefined;
      const replace = (draft: Draft): void => {
        const isUnused = cls.uses(bodyNode(method), name) === 1 + cls.uses(next!, name);
        draft.replace(isUnused ? list[from] : init, isUnused ? one! + cls.semicolon : one!);
        draft.drop(list[to]);
      };
      if (isNear && isOne)
        add({
          family: 'atomics',
          title: `${method.name} uses ${one.slice(0, one.indexOf('('))}`,
          edit: replace,
        });
      if (isNear)
        add({
          family: 'cas',
          title: `${method.name} stores by compare-and-exchange, and retries if another thread was faster`,
          edit: retry,
        });
      retries.push(retry);
      shortest.push(isOne ? replace : retry);
    }
  }
  if (retries.length < 2) return;
  const all = (edits: typeof retries) => (draft: Draft) => {
    for (const edit of edits) edit(draft);
  };
  add({
    family: 'atomics',
    title: 'every method changes the words by one operation of Atomics',
    edit: all(shortest),
  });
  add({ family: 'cas', title: 'all methods store by compare-and-exchange, and retry', edit: all(retries) });
};

/** `Atomics.store(a, i, Atomics.load(a, i) + 1)`; and a check of a word that is then stored. */
function directStores(cls: ClassSource, method: Method, add: Parameters<Family>[1]): void {
  for (const list of cls.lists(method))
    list.forEach((statement, i) => {
      const store = atomicsCall(cls, expressionOf(statement), 'store');
      if (store === undefined) return;
      const place = placeText(cls, store);
      const next = store[2];
      const isLoad = (node: Node | null | undefined): node is Node =>
        placeText(cls, atomicsCall(cls, node, 'load')) === place;
      if (next.type === 'BinaryExpression' && isLoad(next.left as Node)) {
        const operation = OPERATIONS[next.operator];
        if (operation !== undefined)
          add({
            family: 'atomics',
            title: `${method.name} uses Atomics.${operation}`,
            edit: (draft) =>
              draft.replace(
                expressionOf(statement)!,
                `Atomics.${operation}(${place}, ${cls.textOf(next.right)})`,
              ),
          });
      }
      const loads = ownNodes(next).filter(isLoad);
      if (loads.length === 1 && ownNodes(next).every((node) => !hasEffect(cls, node)))
        add({
          family: 'cas',
          title: `${method.name} stores by compare-and-exchange, and retries if another thread was faster`,
          edit: (draft) => {
            const name = cls.unusedVariable(method, 'value');
            const text = cls.textOf(next);
            const [from, to] = [loads[0].start - next.start, loads[0].end - next.start];
            const stored = text.slice(0, from) + name + text.slice(to);
            const { unit, semicolon } = cls;
            draft.before(
              statement,
              'for (;;) {',
              `${unit}const ${name} = ${cls.textOf(loads[0])}${semicolon}`,
              `${unit}if (Atomics.compareExchange(${place}, ${name}, ${stored}) === ${name}) break${semicolon}`,
            );
            draft.replace(statement, '}');
          },
        });
      // the check stands before the store, or around it
      const around = ownNodes(bodyNode(method)).find(
        (node) => node.type === 'IfStatement' && isFirstIn(node.consequent, statement),
      );
      const check = around ?? list[i - 1];
      if (check?.type !== 'IfStatement' || check.alternate || check.test.type !== 'BinaryExpression') return;
      const { left, right, operator } = check.test;
      if (operator !== (around ? '===' : '!==') || !isLoad(left as Node)) return;
      if (!around && !isExit(check.consequent)) return;
      add({
        family: 'cas',
        title: `${method.name} checks and stores by one compare-and-exchange`,
        edit: (draft) => {
          draft.replace(left, `Atomics.compareExchange(${place}, ${cls.textOf(right)}, ${cls.textOf(next)})`);
          draft.drop(statement);
        },
      });
    });
}

/** `if (Atomics.load(a, i) < n) { Atomics.add(a, i, 1); …`: the load and the change become one step, with a retry. */
function checkedChanges(cls: ClassSource, method: Method, add: Parameters<Family>[1]): void {
  const list = method.body.body as readonly Statement[];
  for (const [i, check] of list.entries()) {
    if (check.type !== 'IfStatement' || check.alternate || check.consequent.type !== 'BlockStatement')
      continue;
    const [change] = check.consequent.body as readonly Statement[];
    const tested = ownNodes(check.test as Node);
    const loads = tested.filter((node) => atomicsCall(cls, node, 'load') !== undefined);
    if (change === undefined || loads.length !== 1 || tested.some((node) => hasEffect(cls, node))) continue;
    const name = cls.unusedVariable(method, 'value');
    const place = placeText(cls, atomicsCall(cls, loads[0], 'load'));
    const text = changedText(cls, expressionOf(change), place, name);
    if (text === undefined || !isExit(check.consequent) || list.at(-1)?.type !== 'ReturnStatement') continue;
    add({
      family: 'cas',
      title: `${method.name} checks and changes by compare-and-exchange, and retries if another thread was faster`,
      edit: (draft) => {
        draft.replace(
          expressionOf(change)!,
          `if (Atomics.compareExchange(${place}, ${name}, ${text}) !== ${name}) continue`,
        );
        draft.replace(loads[0], name);
        const head = `${cls.unit}const ${name} = ${cls.textOf(loads[0])}${cls.semicolon}`;
        draft.enclose(list.slice(i), ['for (;;) {', head], ['}']);
      },
    });
  }
}

const isFirstIn = (node: Node, statement: Statement): boolean =>
  node.type === 'BlockStatement' && (node.body[0] as unknown) === statement && node.body.length > 1;

/** The statements from the load on run again until no other thread has stored in between. */
function retryEdit(draft: Draft, method: Method, { list, from, to, name, place, text }: LoadStore): void {
  const { cls } = draft;
  if (list !== method.body.body) throw new EditRefused('not the body of the method');
  for (const statement of list.slice(from + 1, to))
    if (!leaves(cls, statement) && ownNodes(statement).some((node) => hasEffect(cls, node)))
      throw new EditRefused('an effect before the store');
  const end = cls.semicolon;
  draft.replace(
    list[to],
    `if (Atomics.compareExchange(${place}, ${name}, ${text}) !== ${name}) continue${end}`,
  );
  const isReturning = list[list.length - 1].type === 'ReturnStatement';
  draft.enclose(list.slice(from), ['for (;;) {'], isReturning ? ['}'] : [`${cls.unit}return${end}`, '}']);
}

/** Does a statement without effects decide to leave the method? What it does then happens once. */
function leaves(cls: ClassSource, statement: Statement): boolean {
  if (statement.type !== 'IfStatement' || statement.alternate) return false;
  return isExit(statement.consequent) && !ownNodes(statement.test).some((node) => hasEffect(cls, node));
}

function hasEffect(cls: ClassSource, node: Node): boolean {
  if (node.type === 'AssignmentExpression' || node.type === 'UpdateExpression') return true;
  return (
    node.type === 'CallExpression' &&
    atomicsCall(cls, node, 'load') === undefined &&
    !/^Math\./.test(cls.textOf(node))
  );
}
