/**
 * Families for a value that is read too early: the read moves down to its first use (`late`), or what was read before an await
 * is read and checked again after it.
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
import { changeOf, copiesIn, near } from './awaits.js';

/** `const name = …`, which reads fields and changes nothing. */
interface Read {
  readonly at: number;
  readonly statement: Of<'VariableDeclaration'> & Statement;
  readonly name: string;
  readonly init: Node;
}

const COLLECTIONS = new Set(['Map', 'Set', 'Array']);
const LOOK_UPS = new Set(
  'get has at slice keys values entries includes indexOf find findIndex filter map some every concat join'.split(
    ' ',
  ),
);

function readsIn(cls: ClassSource, list: readonly Statement[]): Read[] {
  return list.flatMap((statement, at): Read[] => {
    if (statement.type !== 'VariableDeclaration' || statement.kind !== 'const') return [];
    const [{ id, init }, ...others] = statement.declarations;
    if (others.length > 0 || id.type !== 'Identifier' || !init || !readsOnly(cls, init as Node)) return [];
    return [{ at, statement, name: id.name, init: init as Node }];
  });
}

/** Does an expression read a field, and change nothing as far as the source shows? */
function readsOnly(cls: ClassSource, init: Node): boolean {
  let [reads, changes] = [false, false];
  walk(init, (node) => {
    reads ||= isOwnField(node);
    changes ||= EFFECTS.has(node.type);
    if (node.type === 'NewExpression') changes ||= !COLLECTIONS.has(cls.textOf(node.callee));
    if (node.type === 'CallExpression') changes ||= !isLookUp(cls, node);
    return undefined;
  });
  return reads && !changes;
}

const EFFECTS = new Set<Node['type']>([
  'AssignmentExpression',
  'UpdateExpression',
  'AwaitExpression',
  'YieldExpression',
]);

function isLookUp(cls: ClassSource, { callee }: Of<'CallExpression'>): boolean {
  if (callee.type !== 'MemberExpression') return false;
  const name = nameOf(callee.property, callee.computed) ?? '';
  if (callee.object.type === 'ThisExpression') {
    const called = cls.method(name);
    const isQuiet = (node: Node): boolean => !EFFECTS.has(node.type) && node.type !== 'CallExpression';
    return called !== undefined && !called.isPromise && ownNodes(bodyNode(called)).every(isQuiet);
  }
  if (cls.textOf(callee.object) === 'Atomics') return name === 'load';
  return LOOK_UPS.has(name) && !CHANGING.has(name);
}

/** Can something run between two statements that changes what a read returns? Another call, or a step of this one. */
const isStep = (statement: Statement): boolean =>
  ownNodes(statement).some(({ type }) => EFFECTS.has(type) || type === 'CallExpression');

const hasAwait = (statement: Statement): boolean =>
  ownNodes(statement).some(({ type }) => type === 'AwaitExpression');

const uses = (cls: ClassSource, statements: readonly Statement[], name: string): boolean =>
  statements.some((one) => cls.uses(one, name) > 0);

/** Is a variable of an expression assigned in some statements? */
function isAssignedIn(cls: ClassSource, statements: readonly Statement[], init: Node): boolean {
  let isAssigned = false;
  for (const statement of statements)
    walk(statement, (node) => {
      const target =
        node.type === 'AssignmentExpression'
          ? node.left
          : node.type === 'UpdateExpression'
            ? node.argument
            : undefined;
      if (target?.type === 'Identifier') isAssigned ||= cls.uses(init, target.name) > 0;
      return undefined;
    });
  return isAssigned;
}

/** A read moves down to the statement that uses it first. */
export const lateFamily: Family = (context, add) => {
  const { cls } = context;
  for (const method of near(context))
    for (const list of cls.lists(method)) {
      const moves = readsIn(cls, list).flatMap(({ at, statement, name, init }) => {
        const to = list.findIndex((one, k) => k > at && cls.uses(one, name) > 0);
        const between = list.slice(at + 1, to);
        // `fresh` changes the field itself by the amount
        if (to >= 0 && changeOf(cls, list[to], copiesIn(cls, method))?.copy === name) return [];
        if (to < 0 || !between.some(method.isPromise ? hasAwait : isStep) || isAssignedIn(cls, between, init))
          return [];
        return [{ statement, to: list[to], what: name }];
      });
      const move = (some: typeof moves) => (draft: Draft) => {
        for (const { statement, to } of some) draft.before(to, draft.remove(statement));
      };
      for (const one of moves)
        add({
          family: 'late',
          title: `${method.name} reads the value of ${one.what} directly before its use`,
          edit: move([one]),
        });
      if (moves.length > 1)
        add({
          family: 'late',
          title: `${method.name} reads the values of ${moves.map(({ what }) => what).join(' and ')} directly before their use`,
          edit: move(moves),
        });
    }
};

function fieldsOf(init: Node): string {
  const names = new Set<string>();
  walk(init, (node) => {
    if (isOwnField(node)) names.add(fieldName(node));
    return undefined;
  });
  return [...names].join(' and ');
}

/** What was looked up before the last await is looked up again after it, with the checks that depend on it. */
export const rereadFamily: Family = (context, add) => {
  const { cls } = context;
  for (const method of near(context))
    for (const list of cls.lists(method)) {
      const at = list.findLastIndex((one) => hasAwait(one) && !isFunction(one));
      const later = list.slice(at + 1);
      const reads = readsIn(cls, list.slice(0, Math.max(0, at)));
      const checks = list.slice(0, Math.max(0, at)).filter((one) => isCheckOf(cls, one, reads));
      const isChecked = ({ name }: Read): boolean => uses(cls, checks, name);
      const needed = reads.filter((read) => isChecked(read) || uses(cls, later, read.name));
      if (checks.length === 0 || later.length === 0 || needed.length === 0) continue;
      if (isAssignedIn(cls, list.slice(0, at), needed[0].init)) continue;
      add({
        family: 'recheck',
        title: `${method.name} reads ${needed.map(({ init }) => fieldsOf(init)).join(' and ')} again after the await, and checks again`,
        warnings: ['what was done during the await is not undone if the second check fails'],
        losesWork: true,
        edit: (draft) => reread(draft, method, list, at, needed, checks),
      });
    }
};

/** `if (found) return …` where `found` was read from a field. */
const isCheckOf = (cls: ClassSource, statement: Statement, reads: readonly Read[]): boolean =>
  statement.type === 'IfStatement' &&
  !statement.alternate &&
  isExit(statement.consequent as Node) &&
  !hasAwait(statement) &&
  reads.some(({ name }) => cls.uses(statement.test as Node, name) > 0);

function reread(
  draft: Draft,
  method: Method,
  list: readonly Statement[],
  at: number,
  reads: readonly Read[],
  checks: readonly Statement[],
): void {
  const { cls } = draft;
  const names = new Map<string, string>();
  const lines: string[] = [];
  for (const read of reads) {
    const used = list.slice(read.at + 1, at + 1);
    if (!uses(cls, used, read.name)) {
      lines.push(draft.remove(read.statement));
      continue;
    }
    const wish =
      reads.length === 1 || names.size === 0
        ? 'current'
        : `current${read.name[0].toUpperCase()}${read.name.slice(1)}`;
    const name = cls.unusedVariable(method, wish);
    names.set(read.name, name);
    lines.push(`const ${name} = ${renamed(cls, read.init, names)}${cls.semicolon}`);
  }
  // a check stands behind the last read that it needs
  for (const check of checks) {
    const text = renamed(cls, check, names);
    const needs = [...names.values()].filter((name) => new RegExp(`\\b${name}\\b`).test(text));
    const to = lines.findLastIndex((line) => needs.some((name) => line.startsWith(`const ${name} =`)));
    lines.splice(to + 1, 0, text);
  }
  for (const one of list.slice(at + 1))
    walk(one, (node, parents) => {
      const name = node.type === 'Identifier' ? names.get(node.name) : undefined;
      if (name === undefined || isProperty(node, parents.at(-1))) return undefined;
      if (parents.at(-1)?.type === 'Property') throw new EditRefused('a short property');
      draft.replace(node, name);
      return undefined;
    });
  draft.after(list[at], ...lines);
}

/** Is a name that of a member: `one.name`, `{ name: … }`? */
const isProperty = (node: Node, parent: Node | undefined): boolean =>
  (parent?.type === 'MemberExpression' && !parent.computed && parent.property === (node as unknown)) ||
  (parent?.type === 'Property' && !parent.shorthand && parent.key === (node as unknown));

/** The text of a node with other names for some variables. */
function renamed(cls: ClassSource, node: Node, names: ReadonlyMap<string, string>): string {
  const places: { readonly start: number; readonly end: number; readonly name: string }[] = [];
  walk(node, (one, parents) => {
    const name = one.type === 'Identifier' ? names.get(one.name) : undefined;
    if (name === undefined || isProperty(one, parents.at(-1))) return undefined;
    if (parents.at(-1)?.type === 'Property') throw new EditRefused('a short property');
    places.push({ start: one.start, end: one.end, name });
    return undefined;
  });
  let text = cls.textOf(node);
  for (const { start, end, name } of places.toSorted((a, b) => b.start - a.start))
    text = text.slice(0, start - node.start) + name + text.slice(end - node.start);
  return text;
}
