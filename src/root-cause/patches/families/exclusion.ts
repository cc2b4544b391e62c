/**
 * Families that keep calls of async methods apart: a promise chain for all calls, or one for each key.
 *
 * The chain stores the settled tail, not the result: the caller gets the error of its own body, and the next caller does
 * not. Candidates for the methods that take the lock are sets: the blamed ones with those that await and write a field
 * that they touch; the blamed ones alone; with all that write such a field; with those that read a field that they write. A method that another locked method calls keeps its body in a
 * version without lock, so that no call waits for itself.
 */
import { isFunction, type Node } from '../../../instrument/syntax/tree.js';
import { type Draft, EditRefused, type Family, type FamilyContext } from '../model/draft.js';
import {
  bodyNode,
  type ClassSource,
  fieldName,
  isOwnField,
  type Method,
  ownNodes,
  walk,
} from '../model/source.js';
import { boundNames, isStateKeyed, resultOf } from './keys.js';

export const PRIMITIVE: RegExp = /^(string|number|boolean|bigint)$/;

export const typeOf = (cls: ClassSource, param: Node | undefined): string | undefined =>
  param?.type === 'Identifier' && param.typeAnnotation
    ? cls.textOf(param.typeAnnotation.typeAnnotation)
    : undefined;

function lockSets({ cls, entries }: FamilyContext): Method[][] {
  const able = cls.methods.filter((method) => method.isPublic && method.isPromise && !throwsAtOnce(method));
  const blamed = able.filter((method) => entries.has(method));
  if (blamed.length === 0) return [];
  const used = new Set(blamed.flatMap((method) => usedTwice(cls, method)));
  const base = able.filter(
    (method) => blamed.includes(method) || usedTwice(cls, method).some((field) => used.has(field)),
  );
  const touched = (method: Method, which: 'reads' | 'writes'): string[] => [...cls.touched(method, which)];
  const fields = new Set(
    base.flatMap((method) => [...touched(method, 'reads'), ...touched(method, 'writes')]),
  );
  const written = new Set(base.flatMap((method) => touched(method, 'writes')));
  const writers = able.filter(
    (method) => base.includes(method) || touched(method, 'writes').some((field) => fields.has(field)),
  );
  const readers = able.filter(
    (method) => writers.includes(method) || touched(method, 'reads').some((field) => written.has(field)),
  );
  // a small test may not show that another method is interrupted, too, while it changes the same fields
  const interrupted = able.filter(
    (method) => base.includes(method) || (writers.includes(method) && awaitsItself(cls, method)),
  );
  const sets = [interrupted, base, writers, readers];
  return sets.filter((set, i) => sets.findIndex((other) => other.length === set.length) === i);
}

/** Objects of fields that a method awaits twice: it reads and then writes state outside, so that it needs the lock as well. */
function usedTwice(cls: ClassSource, method: Method): string[] {
  const fields = ownNodes(bodyNode(method)).flatMap((node) => {
    if (node.type !== 'AwaitExpression' || node.argument.type !== 'CallExpression') return [];
    const { callee } = node.argument;
    const object = callee.type === 'MemberExpression' ? (callee.object as Node) : undefined;
    return isOwnField(object) ? [fieldName(object)] : [];
  });
  return fields.filter(
    (field, i) => fields.indexOf(field) < i && !cls.methods.some(({ writes }) => writes.has(field)),
  );
}

/** Does a method await, or a method that it calls? */
function awaitsItself(cls: ClassSource, method: Method, seen: Set<Method> = new Set()): boolean {
  if (seen.has(method)) return false;
  seen.add(method);
  if (ownNodes(bodyNode(method)).some(({ type }) => type === 'AwaitExpression')) return true;
  return [...method.calls].some((name) => {
    const called = cls.method(name);
    return called !== undefined && awaitsItself(cls, called, seen);
  });
}

/** Does a method without `async` throw? In the lock, its promise would fail instead. */
const throwsAtOnce = (method: Method): boolean =>
  !method.isAsync && ownNodes(bodyNode(method)).some(({ type }) => type === 'ThrowStatement');

export const lockFamily: Family = (context, add) => {
  const { cls } = context;
  for (const set of lockSets(context)) {
    const names = set.map(({ name }) => name).join(', ');
    const warnings = [
      ...callbacksIn(cls, set).map(
        (called) =>
          `the lock is held while ${called} runs: if it awaits a call of ${set.map(({ name }) => name).join(' or ')}, both wait forever`,
      ),
      ...outsideWarnings(cls, set),
      ...set
        .filter(({ name }) => set.some(({ calls }) => calls.has(name)))
        .map(({ name }) => `inside the lock, ${name} of a subclass is not called`),
    ];
    const keys = set.map(({ params }) => params[0]);
    const [first] = keys;
    const isKeyed = keys.every(
      (param) =>
        param?.type === 'Identifier' &&
        first?.type === 'Identifier' &&
        param.name === first.name &&
        (!cls.source.isTypeScript || PRIMITIVE.test(typeOf(cls, param) ?? '')),
    );
    if (isKeyed && first?.type === 'Identifier' && set.every((one) => isStateKeyed(cls, one, first.name)))
      add({
        family: 'key-lock',
        isKeyed: true,
        group: 'key-lock',
        title: `calls of ${names} with the same ${first.name} run in sequence`,
        edit: (draft) => lockEdit(draft, set, first.name),
        warnings,
      });
    add({
      family: 'lock',
      group: 'lock',
      title: `calls of ${names} run in sequence`,
      edit: (draft) => lockEdit(draft, set, undefined),
      warnings,
    });
  }
};

/** The functions that the class was given and that some methods call, also through other methods. */
export function callbacksIn(cls: ClassSource, methods: readonly Method[]): string[] {
  const reached = new Set(methods);
  const found = new Set<string>();
  for (const method of reached) {
    const locals = new Set<string>();
    for (const param of method.params) for (const name of boundNames(param)) locals.add(name);
    walk(bodyNode(method), (node, parents) => {
      // a variable may hold an element of a list of functions
      if (node.type === 'VariableDeclarator' && !(node.init && isFunction(node.init as Node)))
        for (const name of boundNames(node.id as Node)) locals.add(name);
      if (node.type !== 'CallExpression') return undefined;
      const { callee } = node;
      const own = isOwnField(callee) ? cls.method(fieldName(callee)) : undefined;
      const isAwaited = parents.at(-1)?.type === 'AwaitExpression';
      const given = callee.type === 'MemberExpression' && isAwaited ? callee.object : callee;
      if (own) reached.add(own);
      else if (isOwnField(callee) && resultOf(cls, fieldName(callee))) return undefined;
      else if (isOwnField(callee) || (given.type === 'Identifier' && locals.has(given.name)))
        found.add(cls.textOf(callee));
      return undefined;
    });
  }
  return [...found];
}

/** A lock of one object does not exclude other objects that use the same state. */
function outsideWarnings(cls: ClassSource, set: readonly Method[]): string[] {
  if (set.some((method) => cls.touched(method, 'writes').size > 0)) return [];
  return [
    'the lock excludes calls of the same object only; other objects that use the same state do not wait',
  ];
}

function lockEdit(draft: Draft, set: readonly Method[], key: string | undefined): void {
  const { cls } = draft;
  const { semicolon: end } = cls;
  const lock = cls.privateMember(cls.unusedName('exclusive'));
  const first = key === undefined ? '' : `${key}, `;
  const unlocked = new Map<string, string>();
  for (const { name } of set)
    if (set.some(({ calls }) => calls.has(name))) {
      // the other methods would not reach the method of a subclass any more
      if (cls.relatives.some((one) => one.method(name))) throw new EditRefused('a method of a subclass');
      unlocked.set(name, cls.unusedName(`${name}Unlocked`));
    }
  for (const method of set) {
    const own = unlocked.get(method.name);
    if (own === undefined) {
      draft.encloseBody(method, [`return ${lock.used}(${first}async () => {`], [`})${end}`]);
    } else {
      const inner = cls.privateMember(own);
      splitMethod(draft, method, own, (args) => [
        `return ${lock.used}(${first}() => ${inner.used}(${args}))${end}`,
      ]);
    }
    // calls from inside of the lock
    walk(bodyNode(method), (one, parents) => {
      const parent = parents.at(-1);
      if (!isOwnField(one) || parent?.type !== 'CallExpression' || parent.callee !== (one as unknown))
        return undefined;
      const other = unlocked.get(fieldName(one));
      if (other !== undefined) draft.replace(one, cls.privateMember(other).used);
      return undefined;
    });
  }
  addChain(
    draft,
    lock.declared,
    key === undefined ? undefined : (typeOf(cls, set[0].params[0]) ?? 'unknown'),
  );
}

/** The body of a method becomes a private method, and other lines, which may call that one, take its place. */
export function splitMethod(
  draft: Draft,
  { node, body, params, name, isField }: Method,
  own: string,
  lines: (args: string) => readonly string[],
): void {
  const { cls } = draft;
  const names = params.map((param) => (param.type === 'Identifier' ? param.name : undefined));
  if (names.includes(undefined)) throw new EditRefused('a parameter without a name');
  const pad = cls.indentAt(node.start);
  const head = cls.textOf({ start: node.start, end: body.start });
  const text = lines(names.join(', ')).map((line) => `\n${pad}${cls.unit}${line}`);
  const end = `\n${pad}}${isField ? cls.semicolon : ''}\n\n${pad}`;
  draft.insert(
    body.start + 1,
    `${text.join('')}${end}${declaredAs(head, name, cls.privateMember(own).declared)}{`,
  );
}

/** The head of a method with another name: `async pay(amount: number): …` becomes `private async payUnlocked(…): …`. */
function declaredAs(head: string, name: string, declared: string): string {
  const plain = head.replace(/^(?:public\s+|override\s+)+/, '');
  const [, modifier = '', member] = /^(private )?(.+)$/.exec(declared) ?? [];
  return modifier + plain.replace(new RegExp(`\\b${name}\\b`), member);
}

function addChain(draft: Draft, name: string, key: string | undefined): void {
  const { cls } = draft;
  const { unit, semicolon: end } = cls;
  const generic = cls.typed('<T>');
  const body = `body${cls.typed(': () => Promise<T>')}`;
  const result = cls.typed(': Promise<T>');
  if (key === undefined) {
    const tail = cls.privateMember(cls.unusedName('tail'));
    draft.addField(`${tail.declared}${cls.typed(': Promise<unknown>')} = Promise.resolve()`);
    draft.addMethod([
      '/** Runs bodies in sequence. */',
      `${name}${generic}(${body})${result} {`,
      `${unit}const result = ${tail.used}.then(body)${end}`,
      `${unit}${tail.used} = result.catch(() => undefined)${end}`,
      `${unit}return result${end}`,
      '}',
    ]);
    return;
  }
  const field = cls.unusedName('tails');
  const { used } = cls.privateMember(field);
  draft.addField(`${cls.privateReadonly(field)} = new Map${cls.typed(`<${key}, Promise<unknown>>`)}()`);
  draft.addMethod([
    '/** Runs bodies in sequence, for each key. */',
    `${name}${generic}(key${cls.typed(`: ${key}`)}, ${body})${result} {`,
    `${unit}const result = (${used}.get(key) ?? Promise.resolve()).then(body)${end}`,
    `${unit}const settled = result.then(() => undefined, () => undefined).then(() => {`,
    `${unit}${unit}if (${used}.get(key) === settled) ${used}.delete(key)${end}`,
    `${unit}})${end}`,
    `${unit}${used}.set(key, settled)${end}`,
    `${unit}return result${end}`,
    '}',
  ]);
}
