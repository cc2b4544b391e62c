/**
 * One file while its accesses are written down: its edits, and where the walk stands.
 *
 * The files beside this one rewrite one kind of node each: children first, then the node itself. `visit` is theirs to
 * call for a child.
 */
import { Edits } from '../syntax/edits.js';
import { isTracked, type Scope } from '../syntax/scope.js';
import { Scopes } from '../syntax/scopes.js';
import type { Source } from '../syntax/source.js';
import { isType, type Node } from '../syntax/tree.js';
import { RECORDING as R } from '../tracing/locations.js';

/** Variables of all files, and chains, are told apart by numbers. */
let numbers = 0;
export const newNumber = (): number => ++numbers;

/** The names of variables in which an object and a key are kept. */
export type Temps = readonly [object: string, key: string];

export class Unit {
  readonly source: Source;
  readonly edits: Edits;
  scope: Scope;
  /** Of the function around, if it may wait: the names of variables that it needs. */
  temps: string[] | undefined;
  /** Private names of the classes around that are methods or accessors: code of the file. */
  methods: ReadonlySet<string> = new Set();
  /** The number of the chain around. */
  chain = 0;
  readonly #scopes: Scopes;
  readonly #variables = new Map<object, number>();
  readonly #rewrite: (unit: Unit, node: Node) => void;

  constructor(source: Source, rewrite: (unit: Unit, node: Node) => void) {
    this.source = source;
    this.edits = new Edits(source.text);
    this.#scopes = new Scopes(source.program);
    this.scope = this.#scopes.top;
    this.#rewrite = rewrite;
  }

  visit(node: Node): void {
    if (isType(node)) return;
    const outer = this.scope;
    this.scope = this.#scopes.of(node) ?? outer;
    this.#rewrite(this, node);
    this.scope = outer;
  }

  visitAll(nodes: readonly (Node | null)[]): void {
    for (const node of nodes) if (node) this.visit(node);
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

  /** What a node does is not known. */
  unknown(node: Node): void {
    this.edits.before(node, `(${R}.no(),`);
    this.edits.after(node, ')');
  }

  /** The number of a variable that changes and that functions share. */
  numberOf(name: string): number | undefined {
    const binding = this.scope.resolve(name);
    if (binding === undefined || !isTracked(binding)) return undefined;
    const number = this.#variables.get(binding) ?? newNumber();
    this.#variables.set(binding, number);
    return number;
  }

  newTemps(): Temps | undefined {
    if (this.temps === undefined) return undefined;
    const number = newNumber();
    const made: Temps = [`${R}o${number}`, `${R}k${number}`];
    this.temps.push(...made);
    return made;
  }
}
