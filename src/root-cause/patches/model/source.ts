/** The class that a patch changes: its members, the fields that each method reads and writes, and the style of its file. */
import { Source } from '../../../instrument/syntax/source.js';
import {
  type ClassNode,
  childrenOf,
  isFunction,
  type Node,
  nameOf,
  type Of,
} from '../../../instrument/syntax/tree.js';

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
export const CHANGING: ReadonlySet<string> = new Set(
  'push pop shift unshift splice set add delete clear sort reverse fill'.split(' '),
);

export type Statement = Node & { readonly start: number; readonly end: number };

export interface Field {
  readonly node: Of<'PropertyDefinition'>;
  readonly name: string;
  readonly isReadonly: boolean;
}

/** A method, or a field that holds a function with a body: `find = async (id) => { … }`. */
export interface Method {
  readonly node: Of<'MethodDefinition'> | Of<'PropertyDefinition'>;
  readonly body: { readonly start: number; readonly end: number; readonly body: readonly Statement[] };
  readonly name: string;
  readonly params: readonly Node[];
  readonly isPublic: boolean;
  readonly isAsync: boolean;
  /** Is it a field that holds a function? */
  readonly isField: boolean;
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
  /** Subclasses and superclasses of other files that are known. */
  relatives: readonly ClassSource[] = [];
  readonly #privacy: 'hash' | 'keyword' | 'underscore';

  constructor(source: Source, node: ClassNode) {
    this.source = source;
    this.node = node;
    const fields: Field[] = [];
    const methods: Method[] = [];
    const overloaded = new Set<string>();
    for (const member of node.body.body) {
      const name = 'key' in member ? nameOf(member.key, member.computed) : undefined;
      if (name === undefined) continue;
      if (member.type !== 'PropertyDefinition' && member.type !== 'MethodDefinition') continue;
      const value = functionOf(member);
      if (member.type === 'PropertyDefinition' && value === undefined)
        fields.push({ node: member, name, isReadonly: member.readonly === true });
      else if (value === undefined) overloaded.add(name);
      else if (!('kind' in member) || member.kind === 'method') {
        const isPlain = !member.static && !value.generator && (member.decorators ?? []).length === 0;
        if (isPlain) methods.push(this.#methodOf(member, value, name));
      }
    }
    this.fields = fields;
    this.methods = methods.filter(({ name }) => !overloaded.has(name));
    const { text } = source;
    const [outer, inner] = [node, ...node.body.body.slice(0, 1)].map(({ start }) => this.indentAt(start));
    const unit = inner?.startsWith(outer) ? inner.slice(outer.length) : '';
    this.unit = unit === '' ? (/\n(\t| {2,8})\S/.exec(text)?.[1] ?? '  ') : unit;
    this.semicolon = /;[ \t]*(\/\/.*)?$/m.test(text) ? ';' : '';
    const uses = (pattern: RegExp): boolean => pattern.test(this.textOf(node));
    if (uses(/\bthis\.#/)) this.#privacy = 'hash';
    else if (uses(/\bthis\._\w/)) this.#privacy = 'underscore';
    else this.#privacy = source.isTypeScript ? 'keyword' : 'hash';
  }

  /** Readonly fields with an order, numbers and strings; also those that are parameters of the constructor. */
  get orderedFields(): string[] {
    const found: string[] = [];
    walk(this.node, (one) => {
      if (one.type !== 'TSParameterProperty' || !one.readonly) return undefined;
      const [, name] = ORDERED.exec(this.textOf(one.parameter)) ?? [];
      if (name !== undefined) found.push(name);
      return undefined;
    });
    for (const { node, isReadonly } of this.fields) {
      const [, name] = ORDERED.exec(this.textOf(node).replace(/^(public |readonly )+|;$/g, '')) ?? [];
      if (isReadonly && name !== undefined) found.push(name);
    }
    return found;
  }

  textOf(node: { readonly start: number; readonly end: number }): string {
    return this.source.textOf(node);
  }

  method(name: string): Method | undefined {
    return this.methods.find((one) => one.name === name);
  }

  /** A member name that no class of the file has yet, and no relative: a subclass may see it too. */
  unusedName(wish: string): string {
    let name = wish;
    const texts = [this, ...this.relatives].map(({ source }) => source.text);
    const isUsed = () => {
      const pattern = new RegExp(`(?:[.#]|^\\s*(?:[a-z]+\\s+)*)_?${name}\\b`, 'm');
      return texts.some((text) => pattern.test(text));
    };
    for (let i = 2; isUsed(); i++) name = `${wish}${i}`;
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
    const own = this.#privateName(name);
    return { declared: this.#modifier + own, used: `this.${own}` };
  }

  #privateName(name: string): string {
    return { hash: '#', keyword: '', underscore: '_' }[this.#privacy] + name;
  }

  get #modifier(): string {
    return this.source.isTypeScript && this.#privacy !== 'hash' ? 'private ' : '';
  }

  /** A new private field that is not assigned again. */
  privateReadonly(name: string): string {
    return this.#modifier + (this.source.isTypeScript ? 'readonly ' : '') + this.#privateName(name);
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

  /** Public methods that no text outside mentions and that no method calls, with a field that they share with some methods. */
  uncalled(
    outside: readonly string[],
    methods: readonly Method[],
  ): { readonly method: Method; readonly field: string | undefined }[] {
    const isCalled = ({ name }: Method): boolean => {
      const word = new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`);
      return outside.some((text) => word.test(text)) || this.methods.some(({ calls }) => calls.has(name));
    };
    const fields = (which: 'reads' | 'writes') =>
      new Set(methods.flatMap((method) => [...this.touched(method, which)]));
    const [read, written] = [fields('reads'), fields('writes')];
    return this.methods.flatMap((method) => {
      if (!method.isPublic || isCalled(method)) return [];
      const field =
        [...this.touched(method, 'writes')].find((name) => read.has(name) || written.has(name)) ??
        [...this.touched(method, 'reads')].find((name) => written.has(name));
      return field === undefined && !methods.includes(method) ? [] : [{ method, field }];
    });
  }

  #methodOf(node: Method['node'], value: FunctionNode, name: string): Method {
    const [reads, writes, calls] = [new Set<string>(), new Set<string>(), new Set<string>()];
    walk(value.body as unknown as Node, (one, parents) => {
      if (!isOwnField(one)) return undefined;
      const field = fieldName(one);
      const parent = parents.at(-1);
      if (parent?.type === 'CallExpression' && parent.callee === (one as unknown)) calls.add(field);
      else {
        if (isWritten(one, parents)) writes.add(field);
        if (!isAssigned(one, parent) || parent.operator !== '=') reads.add(field);
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
      isField: node.type === 'PropertyDefinition',
      isPromise: value.async || /^Promise</.test(returns ?? ''),
      returns,
      reads,
      writes,
      calls,
    };
  }
}

const ORDERED = /^(\w+): (?:number|string)(?: = .*)?$/;

type FunctionNode = Of<'ArrowFunctionExpression'> | Of<'FunctionExpression'>;

/** The function of a method or of a field, if it has a body in braces. */
function functionOf({ value }: Method['node']): FunctionNode | undefined {
  const isFunctionNode = value?.type === 'ArrowFunctionExpression' || value?.type === 'FunctionExpression';
  return isFunctionNode && value.body?.type === 'BlockStatement' ? value : undefined;
}

const isAssigned = (node: Node, parent: Node | undefined): parent is Of<'AssignmentExpression'> =>
  parent?.type === 'AssignmentExpression' && parent.left === (node as unknown);

/** Does an expression change the field that it contains, or what the field holds? */
const isWritten = (node: Node, parents: readonly Node[]): boolean =>
  isAssigned(node, parents.at(-1)) ||
  parents.at(-1)?.type === 'UpdateExpression' ||
  isChangedThrough(node, parents);

/** The places where a method writes a field. */
export function writesIn(method: Method, field: string): Node[] {
  const found: Node[] = [];
  walk(bodyNode(method), (node, parents) => {
    if (isOwnField(node) && fieldName(node) === field && isWritten(node, parents)) found.push(node);
    return undefined;
  });
  return found;
}

/** Is a field changed by a method of its value, or by an assignment to an element or a member of it? */
function isChangedThrough(node: Node, parents: readonly Node[]): boolean {
  const [outer, parent] = parents.slice(-2);
  if (parent?.type !== 'MemberExpression' || parent.object !== (node as unknown)) return false;
  if (outer?.type === 'CallExpression') return CHANGING.has(nameOf(parent.property, parent.computed) ?? '');
  if (outer?.type === 'UpdateExpression') return true;
  return outer?.type === 'AssignmentExpression' && outer.left === (parent as unknown);
}

/** The name of a class, and of the class that it extends. */
export const nameOfClass = ({ node }: ClassSource): string => node.id?.name ?? '';
const superName = ({ node }: ClassSource): string | undefined =>
  node.superClass?.type === 'Identifier' ? node.superClass.name : undefined;

/** Is a class below another one? Classes are matched by their names. */
export function isSubclass(one: ClassSource, of: ClassSource, all: readonly ClassSource[]): boolean {
  const above = superName(one);
  if (above === undefined || one === of) return false;
  if (above === nameOfClass(of)) return true;
  const parent = all.find((other) => nameOfClass(other) === above);
  return parent !== undefined && parent !== one && isSubclass(parent, of, all);
}

/** `return …` or `throw …`, or a block that ends with one of them. */
export function isExit(node: Node): boolean {
  const last = node.type === 'BlockStatement' ? (node.body.at(-1) as Node | undefined) : node;
  return last?.type === 'ReturnStatement' || last?.type === 'ThrowStatement';
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
