/** The class that a patch changes: its members, the fields that each method reads and writes, and the style of its file. */
import { Source } from '../../instrument/syntax/source.js';
import {
  type ClassNode,
  childrenOf,
  isFunction,
  type Node,
  nameOf,
  type Of,
  tools,
} from '../../instrument/syntax/tree.js';

/** Visits a node and all below it. `visit` returns false to skip the nodes below. */
export function walk(
  node: Node,
  visit: (node: Node, parents: readonly Node[]) => boolean | undefined,
  parents: readonly Node[] = [],
): void {
  if (visit(node, parents) === false) return;
  const inner = [...parents, node];
  for (const child of childrenOf(node)) walk(child, visit, inner);
}

/** All nodes below a node, itself included, without those inside of nested functions. */
export function ownNodes(node: Node): Node[] {
  const found: Node[] = [];
  walk(node, (one) => {
    if (one !== node && isFunction(one)) return false;
    found.push(one);
    return undefined;
  });
  return found;
}

export const isOwnField = (node: Node | null | undefined): node is Of<'MemberExpression'> =>
  node?.type === 'MemberExpression' && node.object.type === 'ThisExpression' && !node.computed;

/** The name of `this.name`; private names start with `#`. */
export const fieldName = (node: Of<'MemberExpression'>): string => nameOf(node.property, node.computed) ?? '';

/** Methods of arrays, maps and sets that change them. */
const CHANGING = new Set('push pop shift unshift splice set add delete clear sort reverse fill'.split(' '));

export type Statement = Node & { readonly start: number; readonly end: number };

export interface Field {
  readonly node: Of<'PropertyDefinition'>;
  readonly name: string;
  readonly isReadonly: boolean;
}

export interface Method {
  readonly node: Of<'MethodDefinition'>;
  readonly body: { readonly start: number; readonly end: number; readonly body: readonly Statement[] };
  readonly name: string;
  readonly params: readonly Node[];
  readonly isPublic: boolean;
  readonly isAsync: boolean;
  /** Does it return a promise, as far as the source shows? */
  readonly isPromise: boolean;
  /** The type of its result, as text. */
  readonly returns: string | undefined;
  readonly reads: ReadonlySet<string>;
  readonly writes: ReadonlySet<string>;
  /** The methods of its class that it calls. */
  readonly calls: ReadonlySet<string>;
}

export class ClassSource {
  readonly source: Source;
  readonly node: ClassNode;
  readonly fields: readonly Field[];
  readonly methods: readonly Method[];
  /** One level of indentation. */
  readonly unit: string;
  /** `;`, or nothing if the file has none. */
  readonly semicolon: string;
  readonly #isHash: boolean;

  constructor(source: Source, node: ClassNode) {
    this.source = source;
    this.node = node;
    const fields: Field[] = [];
    const methods: Method[] = [];
    const overloaded = new Set<string>();
    for (const member of node.body.body) {
      const name = 'key' in member ? nameOf(member.key, member.computed) : undefined;
      if (name === undefined) continue;
      if (member.type === 'PropertyDefinition')
        fields.push({ node: member, name, isReadonly: member.readonly === true });
      else if (member.type === 'MethodDefinition' && member.kind === 'method') {
        if (member.value.body === null) overloaded.add(name);
        else if (!member.static && !member.value.generator && (member.decorators ?? []).length === 0)
          methods.push(this.#methodOf(member, name));
      }
    }
    this.fields = fields;
    this.methods = methods.filter(({ name }) => !overloaded.has(name));
    const { text } = source;
    this.unit = /\n(\t| {2,8})\S/.exec(text)?.[1] ?? '  ';
    this.semicolon = /;[ \t]*(\/\/.*)?$/m.test(text) ? ';' : '';
    this.#isHash = !source.isTypeScript || [...fields, ...methods].some(({ name }) => name.startsWith('#'));
  }

  /** Constructor parameters that become readonly fields with an order: numbers and strings. */
  get orderedFields(): string[] {
    const found: string[] = [];
    walk(this.node, (one) => {
      if (one.type !== 'TSParameterProperty' || !one.readonly) return undefined;
      const [, name] = /^(\w+): (?:number|string)$/.exec(this.textOf(one.parameter)) ?? [];
      if (name !== undefined) found.push(name);
      return undefined;
    });
    return found;
  }

  textOf(node: { readonly start: number; readonly end: number }): string {
    return this.source.textOf(node);
  }

  method(name: string): Method | undefined {
    return this.methods.find((one) => one.name === name);
  }

  /** A member name that the class does not have yet. */
  unusedName(wish: string): string {
    const names = new Set([...this.fields, ...this.methods].map(({ name }) => name.replace(/^#/, '')));
    let name = wish;
    for (let i = 2; names.has(name) || new RegExp(`\\bthis\\.#?${name}\\b`).test(this.textOf(this.node)); i++)
      name = `${wish}${i}`;
    return name;
  }

  /** A variable name that a method does not use yet. */
  unusedVariable(method: Method, wish: string): string {
    let name = wish;
    for (let i = 2; new RegExp(`\\b${name}\\b`).test(this.textOf(method.node)); i++) name = `${wish}${i}`;
    return name;
  }

  /** How a new private member is declared, without and with `this.`. */
  privateMember(name: string): { readonly declared: string; readonly used: string } {
    return this.#isHash
      ? { declared: `#${name}`, used: `this.#${name}` }
      : { declared: `private ${name}`, used: `this.${name}` };
  }

  /** A new private field that is not assigned again. */
  privateReadonly(name: string): string {
    const modifier = this.source.isTypeScript ? 'readonly ' : '';
    return this.#isHash ? `${modifier}#${name}` : `private ${modifier}${name}`;
  }

  /** A type annotation; nothing in JavaScript. */
  typed(annotation: string): string {
    return this.source.isTypeScript ? annotation : '';
  }

  /** The lists of statements of a method, those of nested functions left out. */
  lists(method: Method): (readonly Statement[])[] {
    const found: (readonly Statement[])[] = [];
    for (const node of ownNodes(bodyNode(method)))
      if (node.type === 'BlockStatement') found.push(node.body as unknown as readonly Statement[]);
    return found;
  }

  indentAt(offset: number): string {
    const line = this.source.text.lastIndexOf('\n', offset - 1) + 1;
    return /^[ \t]*/.exec(this.source.text.slice(line))?.[0] ?? '';
  }

  /** How often a name occurs as an identifier below a node. */
  uses(node: Node, name: string): number {
    let count = 0;
    walk(node, (one) => {
      if (one.type === 'Identifier' && one.name === name) count++;
      return undefined;
    });
    return count;
  }

  /** The fields of a method, and of all that it calls. */
  touched(method: Method, which: 'reads' | 'writes', seen: Set<Method> = new Set()): Set<string> {
    if (seen.has(method)) return new Set();
    seen.add(method);
    const found = new Set(method[which]);
    for (const name of method.calls) {
      const called = this.method(name);
      if (called) for (const field of this.touched(called, which, seen)) found.add(field);
    }
    return found;
  }

  #methodOf(node: Of<'MethodDefinition'>, name: string): Method {
    const { value } = node;
    const [reads, writes, calls] = [new Set<string>(), new Set<string>(), new Set<string>()];
    walk(value.body as unknown as Node, (one, parents) => {
      if (!isOwnField(one)) return undefined;
      const field = fieldName(one);
      const parent = parents.at(-1);
      const isAssigned = parent?.type === 'AssignmentExpression' && parent.left === (one as unknown);
      if (parent?.type === 'CallExpression' && parent.callee === (one as unknown)) calls.add(field);
      else if (isAssigned && parent.operator === '=') writes.add(field);
      else {
        reads.add(field);
        if (isAssigned || parent?.type === 'UpdateExpression' || isChangedThrough(one, parents))
          writes.add(field);
      }
      return undefined;
    });
    const returns = value.returnType ? this.textOf(value.returnType.typeAnnotation) : undefined;
    return {
      node,
      body: value.body as unknown as Method['body'],
      name,
      params: value.params as unknown as readonly Node[],
      isPublic:
        !name.startsWith('#') && node.accessibility !== 'private' && node.accessibility !== 'protected',
      isAsync: value.async,
      isPromise: value.async || /^Promise</.test(returns ?? ''),
      returns,
      reads,
      writes,
      calls,
    };
  }
}

/** Is a field changed by a method of its value, or by an assignment to an element or a member of it? */
function isChangedThrough(node: Node, parents: readonly Node[]): boolean {
  const [outer, parent] = parents.slice(-2);
  if (parent?.type !== 'MemberExpression' || parent.object !== (node as unknown)) return false;
  if (outer?.type === 'CallExpression') return CHANGING.has(nameOf(parent.property, parent.computed) ?? '');
  if (outer?.type === 'UpdateExpression') return true;
  return outer?.type === 'AssignmentExpression' && outer.left === (parent as unknown);
}

export const bodyNode = (method: Method): Node => method.body as unknown as Node;

/** The classes of a file. A file with mixed line ends has none that can be patched. */
export function classesIn(file: string, text: string): ClassSource[] {
  const source = new Source(file, text);
  const found: ClassSource[] = [];
  walk(source.program as Node, (node) => {
    if (node.type === 'ClassDeclaration' || node.type === 'ClassExpression')
      found.push(new ClassSource(source, node));
    return undefined;
  });
  return found;
}

/** The text of a class whose awaits of calls may fail: `await call()` asks a stub of that name. */
export function withFailingAwaits(cls: ClassSource): string | undefined {
  const edited = new (tools().MagicString)(cls.source.text);
  // also those of closures: a patch may move a body into one
  for (const method of cls.methods)
    walk(bodyNode(method), (node) => {
      if (node.type !== 'AwaitExpression' || !canFail(cls, node.argument)) return undefined;
      const { argument } = node;
      const called = argument.type === 'CallExpression' ? argument.callee : argument;
      const name = JSON.stringify(
        called === argument ? 'promise' : cls.textOf(called).replace(/^this\./, ''),
      );
      edited.appendLeft(argument.start, `globalThis[Symbol.for('straightedge.await')](${name}, () => `);
      edited.appendRight(argument.end, ')');
      return undefined;
    });
  return edited.hasChanged() ? edited.toString() : undefined;
}

/** Is an awaited value the result of a call or of a timer? A promise that another call resolves does not fail by itself. */
function canFail(cls: ClassSource, argument: Node): boolean {
  if (argument.type === 'NewExpression') return /setTimeout|setImmediate/.test(cls.textOf(argument));
  if (argument.type !== 'CallExpression') return false;
  const called = isOwnField(argument.callee) ? cls.method(fieldName(argument.callee)) : undefined;
  // then the awaits inside may fail
  return [argument, ...(called ? [bodyNode(called)] : [])].every((inner) =>
    ownNodes(inner).every(({ type }) => type !== 'AwaitExpression'),
  );
}
