/**
 * One file while it is rewritten for tracing: the numbers of its variables, and the function, class and chain that the walk is in.
 *
 * The files of this folder rewrite one kind of node each. The walk is in syntax/walk.ts.
 */
import { isTracked, type Scope } from '../syntax/scope.js';
import type { Source } from '../syntax/source.js';
import { isFunction, type Node, type Of } from '../syntax/tree.js';
import { RewriteContext, type Visitor } from '../syntax/walk.js';
import { TRACER as R } from '../tracing/locations.js';

/** Variables and chains of all files have distinct numbers. */
let numbers = 0;
export const newNumber = (): number => ++numbers;

/** The names of variables in which an object and a key are kept. */
export type Temps = readonly [object: string, key: string];

/** An `await` at which no value is hidden: where variables are used again, and variables whose values the engine keeps. */
export interface ListedAwait {
  readonly from: number;
  readonly kept: readonly string[];
}

/** What is known of the functions and awaits of a file before it is rewritten (live-variables.ts). */
export interface Facts {
  readonly statements: ReadonlyMap<Node, Node>;
  readonly awaits: ReadonlyMap<Node, ListedAwait>;
  isValue(node: Node): boolean;
  nameOf(node: Node): string | undefined;
}

export class TracingContext extends RewriteContext {
  /** Of the function around, if it can be suspended: the names of variables that it needs. */
  temps: string[] | undefined;
  /** Private names of the classes around that are methods or accessors: their code is in this file. */
  methods: ReadonlySet<string> = new Set();
  /** Does the function around read or write a field of `super`? */
  hasSuperFields = false;
  /** The number of the chain around. */
  chain = 0;
  readonly facts: Facts;
  /** Has the function around an `await` whose variables are listed? */
  hasListedAwait = false;
  /** Blocks with variables that functions share, to the names of the objects that stand for the blocks. */
  readonly #blocks = new Map<Scope, string>();
  readonly #variables = new Map<object, number>();

  constructor(source: Source, visitor: Visitor<TracingContext>, facts: Facts) {
    super(source, visitor);
    this.facts = facts;
  }

  /** The name of an object that stands for the variables of a block; undefined where none can be declared. */
  blockName(scope: Scope): string | undefined {
    const known = this.#blocks.get(scope);
    if (known !== undefined) return known;
    const { node } = scope;
    const block = isFunction(node) ? node.body : node;
    if (block?.type !== 'BlockStatement') return undefined;
    const name = `${R}b${newNumber()}`;
    this.#blocks.set(scope, name);
    return name;
  }

  /** Declares the objects that stand for blocks. */
  declareBlocks(): void {
    for (const [{ node }, name] of this.#blocks) {
      const block = (isFunction(node) ? node.body : node) as Of<'BlockStatement'>;
      this.edits.at(startOf(block), `const ${name}={};`);
    }
  }

  /** `R.name(node, …more)` */
  wrap(node: Node, name: string, more = ''): void {
    this.edits.before(node, `${R}.${name}(`);
    this.edits.after(node, `${more && `,${more}`})`);
  }

  visitWrapped(node: Node, name: string): void {
    this.visit(node);
    this.wrap(node, name);
  }

  /** Reports that the effects of a node are unknown. */
  unknown(node: Node): void {
    this.edits.before(node, `(${R}.no(),`);
    this.edits.after(node, ')');
  }

  /** The number of a variable that is assigned and captured; undefined for all others. */
  numberOf(name: string): number | undefined {
    const binding = this.scope.resolve(name);
    if (binding === undefined || !isTracked(binding)) return undefined;
    const number = this.#variables.get(binding) ?? newNumber();
    this.#variables.set(binding, number);
    return number;
  }

  /** Undefined where the function around cannot be suspended, so that nothing has to be kept. */
  newTemps(): Temps | undefined {
    if (this.temps === undefined) return undefined;
    const number = newNumber();
    const made: Temps = [`${R}o${number}`, `${R}k${number}`];
    this.temps.push(...made);
    return made;
  }
}

/** Where statements can be inserted at the start of a block: after its directives. */
export function startOf({ body, start }: Of<'BlockStatement'>): number {
  return body.findLast((statement) => 'directive' in statement && statement.directive)?.end ?? start + 1;
}
