/**
 * Families that notice a change by a version: of a field during an await, or of a word of shared memory.
 *
 * After an await, a result is stored only if it is still current: a constant that copies a field shows that, or a counter of
 * changes. What is stored has to come from an await: that result may be out of date and can be left out. Any other change
 * would be lost.
 *
 * Compare-and-exchange succeeds although the word has changed and changed back (ABA), unless each change also counts a version
 * in the upper half of the word. A word is the 32 bits of one element. The value is in the lower 16 bits, with its sign. A value
 * that was stored without a version, as in a constructor, has version 0 (or −1, if it is negative), so that it needs no change.
 */
import { type Node, nameOf } from '../../../instrument/syntax/tree.js';
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
  writesIn,
} from '../model/source.js';
import { atomicsCall, placeText } from './atomics.js';
import { awaits, copiesIn, near, SIMPLE } from './awaits.js';

/** A store of what an await returned. */
interface Store {
  /** The statement that awaits; it is the store itself in `this.copy = await read()`. */
  readonly awaiting: Statement;
  readonly store: Statement;
  readonly field: string;
  /** Statements behind the store in its list. */
  readonly later: readonly Statement[];
}

export const versionFamily: Family = (context, add) => {
  const { cls } = context;
  for (const method of near(context))
    for (const found of cls.lists(method).flatMap((list) => storeIn(cls, list) ?? [])) {
      const { awaiting, store, field } = found;
      for (const [copy, current] of copiesIn(cls, method)) {
        const name = current.slice('this.'.length);
        const isChanged = cls.methods.some((other) => other !== method && other.writes.has(name));
        if (name === field || !isChanged || !isDeclaredBefore(cls, method, copy, awaiting)) continue;
        add({
          family: 'version',
          title: `${method.name} stores its result only if ${name} is still the one that it awaited`,
          isKeyed: isKeyed(store),
          edit: (draft) => storeIf(draft, method, found, `${current} === ${copy}`),
        });
      }
      const writes = cls.methods.flatMap((other) =>
        (other === method ? [] : writesIn(other, field)).map(({ start, end }) =>
          cls
            .lists(other)
            .flat()
            .find((one) => SIMPLE.has(one.type) && one.start <= start && end <= one.end),
        ),
      );
      // each change has to be counted
      if (writes.length === 0 || !writes.every((one) => one !== undefined)) continue;
      add({
        family: 'version',
        title: `${method.name} stores its result only if ${field} was not changed during the await`,
        isKeyed: isKeyed(store),
        edit: (draft) => {
          const { declared, used } = cls.privateMember(cls.unusedName('changes'));
          const name = cls.unusedVariable(method, 'changes');
          draft.before(awaiting, `const ${name} = ${used}${cls.semicolon}`);
          storeIf(draft, method, found, `${used} === ${name}`);
          draft.addField(`${declared} = 0`);
          for (const write of new Set(writes)) draft.before(write, `${used}++${cls.semicolon}`);
        },
      });
    }
};

/** The first store of a list whose value an await returned. */
function storeIn(cls: ClassSource, list: readonly Statement[]): Store | undefined {
  const at = list.findIndex(awaits);
  if (at < 0) return undefined;
  const awaiting = list[at];
  const names = list
    .slice(at)
    .filter(awaits)
    .flatMap((one) =>
      one.type === 'VariableDeclaration' ? one.declarations.map(({ id }) => cls.textOf(id)) : [],
    );
  const to = list.findIndex(
    (one, k) =>
      k >= at &&
      storedField(one) !== undefined &&
      (k === at ? isPlain(one) : names.some((name) => cls.uses(one, name) > 0)),
  );
  if (to < 0) return undefined;
  return { awaiting, store: list[to], field: storedField(list[to])!, later: list.slice(to + 1) };
}

/** `this.field = await …` */
const isPlain = (statement: Statement): boolean =>
  statement.type === 'ExpressionStatement' &&
  statement.expression.type === 'AssignmentExpression' &&
  statement.expression.right.type === 'AwaitExpression';

const isKeyed = (store: Statement): boolean =>
  store.type === 'ExpressionStatement' && store.expression.type === 'CallExpression';

/** Is a variable declared before a statement, in the same list or around it? */
const isDeclaredBefore = (cls: ClassSource, method: Method, name: string, statement: Statement): boolean =>
  ownNodes(bodyNode(method)).some(
    (node) =>
      node.type === 'BlockStatement' &&
      node.start < statement.start &&
      statement.end < node.end &&
      node.body.some(
        (one) =>
          one.end <= statement.start &&
          one.type === 'VariableDeclaration' &&
          one.declarations.some(({ id }) => cls.textOf(id) === name),
      ),
  );

/** A store becomes conditional. What was awaited in it gets a name, which is returned instead of the field. */
function storeIf(
  draft: Draft,
  method: Method,
  { awaiting, store, field, later }: Store,
  condition: string,
): void {
  const { cls } = draft;
  if (store !== awaiting || store.type !== 'ExpressionStatement') {
    draft.insert(store.start, `if (${condition}) `);
    return;
  }
  const { expression } = store;
  if (expression.type !== 'AssignmentExpression') return;
  const name = cls.unusedVariable(method, field.replace(/^#/, ''));
  const own = new RegExp(`(?<![.#\\w])${field.replace(/^#/, '')}\\b`).test(cls.textOf(method.node))
    ? name
    : field.replace(/^#/, '');
  const place = cls.textOf(expression.left);
  draft.replace(expression.left, `const ${own}`);
  draft.after(store, `if (${condition}) ${place} = ${own}${cls.semicolon}`);
  for (const one of later)
    if (one.type === 'ReturnStatement' && one.argument)
      for (const node of ownNodes(one.argument as Node))
        if (isOwnField(node) && fieldName(node) === field) draft.replace(node, own);
}

/** The field that a statement stores something in: `this.copies.set(key, value)`, `this.copy = value`. */
function storedField(statement: Statement): string | undefined {
  if (statement.type !== 'ExpressionStatement') return undefined;
  const { expression } = statement;
  if (expression.type === 'AssignmentExpression' && expression.operator === '=')
    return isOwnField(expression.left as Node) ? fieldName(expression.left as never) : undefined;
  if (expression.type !== 'CallExpression' || expression.callee.type !== 'MemberExpression') return undefined;
  const { object, property, computed } = expression.callee;
  const isStore = ['set', 'add'].includes(nameOf(property, computed) ?? '');
  return isStore && isOwnField(object) ? fieldName(object) : undefined;
}

export const tagFamily: Family = ({ cls }, add) => {
  for (const place of changedPlaces(cls))
    add({
      family: 'tag',
      title: `each change of ${place.replace('this.', '').replace(/, (.+)$/, '[$1]')} counts a version in the upper half of the word`,
      warnings: [
        'the values must fit in 16 bits, from -32768 to 32767; after 65536 changes a version comes again',
      ],
      edit: (draft) => {
        const pack = cls.privateMember(cls.unusedName('nextWord'));
        const value = cls.privateMember(cls.unusedName('valueIn'));
        for (const method of cls.methods) {
          const words = wordsOf(cls, method, place);
          for (const call of ownNodes(bodyNode(method))) {
            const args = atomicsCall(cls, call, 'compareExchange');
            if (args === undefined || placeText(cls, args) !== place) continue;
            const [, , expected, next] = args;
            if (
              expected.type !== 'Identifier' ||
              !words.has(expected.name) ||
              cls.uses(next, expected.name) > 0
            )
              throw new EditRefused('another word is expected');
            draft.replace(next, `${pack.used}(${expected.name}, ${cls.textOf(next)})`);
          }
          for (const node of valuesIn(cls, method, place, words))
            draft.replace(node, `${value.used}(${cls.textOf(node)})`);
        }
        const { unit, semicolon: end } = cls;
        const number = cls.typed(': number');
        draft.addMethod([
          '/** The value of a word: its lower 16 bits. */',
          `${value.declared}(word${number})${number} {`,
          `${unit}return (word << 16) >> 16${end}`,
          '}',
        ]);
        draft.addMethod([
          '/** A word with another value and the next version. */',
          `${pack.declared}(word${number}, value${number})${number} {`,
          `${unit}return ((word + 0x10000) & ~0xffff) | (value & 0xffff)${end}`,
          '}',
        ]);
      },
    });
};

/** The places of private `Int32Array` words that compare-and-exchange changes, if all accesses are known. */
function changedPlaces(cls: ClassSource): string[] {
  const places = new Set<string>();
  const others = new Set<string>();
  for (const member of cls.node.body.body) {
    const isMethod = cls.methods.some(({ node }) => node === (member as unknown));
    const isConstructor = member.type === 'MethodDefinition' && member.kind === 'constructor';
    // a constructor may store plain values
    if (isConstructor || (member.type === 'PropertyDefinition' && !isMethod)) continue;
    walk(member as Node, (node, parents) => {
      if (!isOwnField(node)) return undefined;
      const parent = parents.at(-1);
      const [load, swap] = ['load', 'compareExchange'].map((name) =>
        isMethod && parent?.type === 'CallExpression' ? atomicsCall(cls, parent, name) : undefined,
      );
      const args = load ?? swap;
      const isElement = args !== undefined && args[0] === (node as unknown) && isFixed(args[1]);
      if (!isElement) others.add(fieldName(node));
      else if (swap && isPrivateInt32(cls, fieldName(node))) places.add(placeText(cls, swap));
      return undefined;
    });
  }
  return [...places].filter((place) => !others.has(place.split(',')[0].replace('this.', '')));
}

const isFixed = (index: Node | undefined): boolean =>
  index?.type === 'Literal' || (index?.type === 'Identifier' && /^[A-Z][A-Z0-9_]*$/.test(index.name));

/** Is a field private, and declared or assigned as an `Int32Array` and as no other array? */
function isPrivateInt32(cls: ClassSource, field: string): boolean {
  const declared = cls.fields.find(({ name }) => name === field)?.node;
  if (!field.startsWith('#') && declared?.accessibility !== 'private') return false;
  const text = cls.textOf(cls.node);
  const name = field.replace('#', '\\#?');
  const kinds = [...text.matchAll(new RegExp(`${name}(?:: | = new |: .* = new )(\\w+)`, 'g'))].map(
    ([, kind]) => kind,
  );
  return kinds.length > 0 && kinds.every((kind) => kind === 'Int32Array');
}

/** The variables of a method that hold the word: loaded, returned by compare-and-exchange, or assigned from one of these. */
function wordsOf(cls: ClassSource, method: Method, place: string): Set<string> {
  const words = new Set<string>();
  const isWord = (node: Node | null | undefined): boolean =>
    node?.type === 'Identifier'
      ? words.has(node.name)
      : ['load', 'compareExchange'].some((name) => placeText(cls, atomicsCall(cls, node, name)) === place);
  for (let before = -1; before !== words.size; ) {
    before = words.size;
    for (const node of ownNodes(bodyNode(method))) {
      const [target, value] =
        node.type === 'VariableDeclarator'
          ? [node.id as Node, node.init as Node | null]
          : node.type === 'AssignmentExpression' && node.operator === '='
            ? [node.left as Node, node.right as Node]
            : [undefined, undefined];
      if (target?.type !== 'Identifier') continue;
      if (isWord(value)) words.add(target.name);
      else if (value && words.has(target.name)) throw new EditRefused('a variable of two kinds');
    }
  }
  return words;
}

/** The places where a variable stands for the value: not where words are compared, exchanged or assigned. */
function valuesIn(cls: ClassSource, method: Method, place: string, words: ReadonlySet<string>): Node[] {
  const found: Node[] = [];
  walk(bodyNode(method), (node, parents) => {
    const parent = parents.at(-1);
    const isLoad = placeText(cls, atomicsCall(cls, node, 'load')) === place;
    if (isLoad && parent?.type !== 'VariableDeclarator' && parent?.type !== 'AssignmentExpression')
      found.push(node);
    if (node.type !== 'Identifier' || !words.has(node.name)) return undefined;
    if (parent?.type === 'MemberExpression' && !parent.computed && parent.property === (node as unknown))
      return undefined;
    if (parent?.type === 'VariableDeclarator') return undefined;
    if (parent?.type === 'AssignmentExpression') return undefined;
    const isExpected = placeText(cls, atomicsCall(cls, parent, 'compareExchange')) === place;
    if (isExpected && parent?.type === 'CallExpression' && (parent.arguments[2] as unknown) === node)
      return undefined;
    const isCompared =
      parent?.type === 'BinaryExpression' &&
      [parent.left, parent.right].every(
        (side) =>
          (side.type === 'Identifier' && words.has(side.name)) ||
          placeText(cls, atomicsCall(cls, side as Node, 'compareExchange')) === place,
      );
    if (!isCompared) found.push(node);
    return undefined;
  });
  return found;
}
