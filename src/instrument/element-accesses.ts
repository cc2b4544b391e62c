/**
 * The rewriter for real threads: code that announces its plain accesses to elements of typed arrays, and nothing else. Such threads can
 * be suspended anywhere.
 *
 *     a[i]         becomes    e.at(a,i,site)
 *     a[i] = v                e.put(a,i,v,site)
 *     a[i] += v               e.change(a,i,site,x=>x+(v))
 *     a[i]++                  e.later(a,i,site,x=>++x)
 *     a.fill(v)               e.call(a,"fill",site,[v])    for methods that read or write elements
 *
 * All edits are in place, so lines keep their numbers. Not rewritten, and so not announced, are accesses after `?.`, in a destructuring
 * assignment, and where `v` awaits.
 */
import { Edits, headOf, type RewrittenFile, Source } from './syntax/source.js';
import {
  bare,
  childrenOf,
  hasOptionalBelow,
  isFunction,
  isType,
  type MemberNode,
  type Node,
  nameOf,
  type Of,
} from './syntax/tree.js';

/** The key, for `Symbol.for`, under which rewritten files find the functions that they call. */
export const ELEMENTS = 'straightedge.elements';

/** Positions of accesses: line and column, in order. */
export interface ElementSites {
  readonly file: string;
  readonly sites: readonly number[];
}

export function rewriteElements(file: string, text: string): RewrittenFile {
  return new Rewriter(new Source(file, text)).rewrite();
}

class Rewriter {
  readonly #source: Source;
  readonly #edits: Edits;
  readonly #prefix: string;
  readonly #sites: number[] = [];

  constructor(source: Source) {
    this.#source = source;
    this.#edits = new Edits(source.text);
    let prefix = '$e';
    while (source.text.includes(prefix)) prefix += '_';
    this.#prefix = prefix;
  }

  rewrite(): RewrittenFile {
    const { file } = this.#source;
    this.#visit(this.#source.program);
    const info = JSON.stringify({ file, sites: this.#sites } satisfies ElementSites);
    const e = this.#prefix;
    this.#edits.at(
      headOf(this.#source),
      `;const ${e}=globalThis[Symbol.for(${JSON.stringify(ELEMENTS)})],${e}s=${e}.file(${info});`,
    );
    return this.#edits.result(file);
  }

  #visit(node: Node): void {
    if (isType(node)) return;
    switch (node.type) {
      case 'MemberExpression':
        this.#visitChildren(node);
        if (isElement(node)) this.#write(node, node, 'at', '', []);
        return;
      case 'AssignmentExpression':
        this.#assignment(node);
        return;
      case 'UpdateExpression':
        this.#update(node);
        return;
      case 'CallExpression':
      case 'NewExpression':
        this.#beside(node.callee);
        for (const argument of node.arguments) this.#visit(argument);
        if (node.type === 'CallExpression') this.#call(node);
        return;
      case 'TaggedTemplateExpression':
        this.#beside(node.tag);
        this.#visit(node.quasi);
        return;
      case 'UnaryExpression':
        if (node.operator === 'delete') this.#beside(node.argument);
        else this.#visit(node.argument);
        return;
      case 'ForInStatement':
      case 'ForOfStatement':
        if (node.left.type === 'VariableDeclaration') this.#visit(node.left);
        this.#visit(node.right);
        this.#visit(node.body);
        return;
      default:
        this.#visitChildren(node);
    }
  }

  #visitChildren(node: Node): void {
    for (const child of childrenOf(node)) this.#visit(child);
  }

  /** Visits object and key of a member, but not the member itself: it is not only read. */
  #beside(node: Node): void {
    if (bare(node).type === 'MemberExpression') this.#visitChildren(bare(node));
    else this.#visit(node);
  }

  #assignment(node: Of<'AssignmentExpression'>): void {
    const { left, right } = node;
    const operator = node.operator.slice(0, -1);
    if (bare(left).type === 'MemberExpression') this.#visitChildren(bare(left));
    this.#visit(right);
    if (left.type !== 'MemberExpression' || !isElement(left)) return;
    if (operator === '') this.#write(node, left, 'put', '', [right, ',']);
    else if (!['&&', '||', '??'].includes(operator) && !waits(right)) {
      const x = `${this.#prefix}x`;
      this.#write(node, left, 'change', `,${x}=>${x}${operator}(`, [], [right, ')']);
    }
  }

  #update(node: Of<'UpdateExpression'>): void {
    this.#beside(node.argument);
    const { argument } = node;
    if (argument.type !== 'MemberExpression' || !isElement(argument)) return;
    const x = `${this.#prefix}x`;
    this.#write(node, argument, node.prefix ? 'change' : 'later', `,${x}=>${node.operator}${x}`, []);
  }

  #call(node: Of<'CallExpression'>): void {
    const { callee, arguments: args } = node;
    if (callee.type !== 'MemberExpression' || callee.object.type === 'Super') return;
    const name = nameOf(callee.property, callee.computed);
    if (name === undefined || !METHODS.has(name) || node.optional || hasOptionalBelow(callee)) return;
    const site = this.#siteOf(callee);
    const given = args.flatMap((arg) => [arg, ',']);
    this.#edits.write(node, [`${this.#prefix}.call(`, callee.object, `,"${name}",${site},[`, ...given, '])']);
  }

  #siteOf({ start }: Node): string {
    const { line, column } = this.#source.placeOf(start);
    return `${this.#prefix}s+${this.#sites.push(line, column) / 2 - 1}`;
  }

  /** A call with the object, the key, what comes before the site, the site, and what comes after it. */
  #write(
    node: Node,
    member: MemberNode,
    called: string,
    after: string,
    before: readonly (Node | string)[],
    last: readonly (Node | string)[] = [],
  ): void {
    const { object, property } = member;
    const site = this.#siteOf(member);
    const e = `${this.#prefix}.${called}(`;
    this.#edits.write(node, [e, object, ',', property, ',', ...before, site, after, ...last, ')']);
  }
}

/** Methods of typed arrays that touch elements. */
const METHODS: ReadonlySet<string> = new Set(
  Object.getOwnPropertyNames(Object.getPrototypeOf(Int32Array.prototype) as object).filter(
    (name) => !/^(constructor|subarray|entries|keys|values|length|byte.*|buffer)$/.test(name),
  ),
);

/** May it be an element: a computed key, outside of an optional chain? */
function isElement(node: MemberNode): boolean {
  const isNamed = node.property.type === 'Literal' && typeof node.property.value !== 'number';
  return node.computed && !isNamed && node.object.type !== 'Super' && !hasOptionalBelow(node);
}

/** Does it `await` or `yield`? Such code cannot be moved into another function. */
function waits(node: Node): boolean {
  if (node.type === 'AwaitExpression' || node.type === 'YieldExpression') return true;
  return !isFunction(node) && childrenOf(node).some(waits);
}
