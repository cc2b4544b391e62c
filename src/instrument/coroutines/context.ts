/**
 * One file while it is rewritten: its edits, its sites, and where the walk stands.
 *
 * Code is rewritten in one of three modes, by how it will run:
 *
 *   plain  when the file is loaded, before anything is explored: stays as it is
 *   twin   in a coroutine: announces each shared access, and lets others run there
 *   sync   inside a constructor or an initializer, which can not be left half-way:
 *          must not touch what is shared, which is checked when it runs
 *
 * The files beside this one rewrite one kind of node each: children first, then the
 * node itself. `visit` is theirs to call for a child.
 */
import { Edits, type Span } from '../syntax/edits.js';
import type { Problem } from '../syntax/problem.js';
import { type Binding, isTracked, type Scope } from '../syntax/scope.js';
import type { Scopes } from '../syntax/scopes.js';
import type { Source } from '../syntax/source.js';
import { type Node, namesIn } from '../syntax/tree.js';

export type Mode = 'plain' | 'sync' | 'twin';

/** A function that is being rewritten, or the file. */
export interface Frame {
  readonly mode: Mode;
  /** Names that its code needs, to be declared at its beginning. */
  readonly temps: string[];
  readonly isArrow: boolean;
  readonly outer: Frame | undefined;
  /** Does an arrow function in it use `super`? */
  usesSuper: boolean;
  /** May it use `super` at all, and is there a place to prepare it? */
  readonly hasSuper: boolean;
}

/** Where an access stands, and the name it goes by; `name` is empty where it is computed. */
export interface Site {
  readonly line: number;
  readonly column: number;
  readonly name: string;
}

/** What a `#name` stands for in the class that declares it. */
export type PrivateKind = 'field' | 'method' | 'accessor';

export class Unit {
  readonly source: Source;
  readonly scopes: Scopes;
  readonly edits: Edits;
  readonly problems: Problem[] = [];
  readonly sites: Site[] = [];
  /** Functions of the file that have a twin of this name beside them. */
  readonly twins: Map<Node, string> = new Map();
  /** Innermost class last. */
  readonly privates: Map<string, PrivateKind>[] = [];
  /** What all names that we add begin with: nothing in the file does. */
  readonly prefix: string;
  /** Members that are more than read: assigned, deleted, or called by a computed name. */
  readonly targets: Set<Node> = new Set();
  readonly visit: (node: Node) => void;
  frame: Frame;
  scope: Scope;
  readonly #given: ReadonlyMap<Node, string | undefined>;
  readonly #sharedScopes: Map<Scope, string> = new Map();
  #names = 0;

  constructor(source: Source, scopes: Scopes, visit: (unit: Unit, node: Node) => void) {
    this.source = source;
    this.scopes = scopes;
    this.edits = new Edits(source.text);
    this.#given = namesIn(source.program);
    this.visit = (node) => visit(this, node);
    let prefix = '$_';
    while (source.text.includes(prefix)) prefix += '_';
    this.prefix = prefix;
    this.frame = {
      mode: 'plain',
      temps: [],
      isArrow: false,
      outer: undefined,
      usesSuper: false,
      hasSuper: false,
    };
    this.scope = scopes.top;
  }

  get mode(): Mode {
    return this.frame.mode;
  }

  /** A part of the run-time half. */
  rt(name: string): string {
    return `${this.prefix}rt.${name}`;
  }

  name(stem = ''): string {
    return `${this.prefix}${stem}${++this.#names}`;
  }

  temp(): string {
    const name = this.name();
    this.frame.temps.push(name);
    return name;
  }

  /** What a coroutine is told about its next step, which is used at once: one name serves all. */
  get told(): string {
    const name = `${this.prefix}t`;
    if (!this.frame.temps.includes(name)) this.frame.temps.push(name);
    return name;
  }

  /** The name that a function or a class without one gets from where it stands; undefined where only running it tells. */
  nameAt(node: Node): string | undefined {
    return this.#given.has(node) ? this.#given.get(node) : '';
  }

  /** The number of a place, as an expression. */
  site(node: Span, name = ''): string {
    const { line, column } = this.source.placeOf(node.start);
    return `${this.prefix}s+${this.sites.push({ line, column, name }) - 1}`;
  }

  report(node: Span, message: string): void {
    this.problems.push({ ...this.source.placeOf(node.start), message });
  }

  /** What stands for the tracked variables of a scope. */
  sharedScopeOf(scope: Scope): string {
    const known = this.#sharedScopes.get(scope);
    if (known !== undefined) return known;
    const name = this.name('S');
    this.#sharedScopes.set(scope, name);
    return name;
  }

  /** Rewrites what `inside` visits as the body of a function. */
  within<T>(
    mode: Mode,
    kind: { readonly isArrow: boolean; readonly hasSuper: boolean },
    inside: () => T,
  ): [T, Frame] {
    const outer = this.frame;
    const frame: Frame = { mode, temps: [], outer, usesSuper: false, ...kind };
    this.frame = frame;
    const result = inside();
    this.frame = outer;
    return [result, frame];
  }

  /** Declares the names that a function's code needs around it: there is no place for them in it. */
  lend({ temps }: Frame): void {
    for (const name of temps) if (!this.frame.temps.includes(name)) this.frame.temps.push(name);
  }

  /** Visits what a scope contains. */
  inScope(node: Node, inside: () => void): void {
    const outer = this.scope;
    this.scope = this.scopes.of(node) ?? outer;
    inside();
    this.scope = outer;
  }

  visitList(statements: readonly Node[]): void {
    for (const statement of statements) {
      this.visit(statement);
      // what is written anew begins with a parenthesis, which must not continue the line before
      const isDirective = 'directive' in statement && statement.directive;
      if (statement.type === 'ExpressionStatement' && this.mode !== 'plain' && !isDirective)
        this.edits.before(statement, ';');
    }
  }

  /** What stands at the beginning of a function: the names it needs. */
  prologue({ temps, usesSuper }: Frame): string {
    const supers = usesSuper ? `const ${this.prefix}super=k=>super[k];` : '';
    return (temps.length > 0 ? `let ${temps.join(',')};` : '') + supers;
  }

  privateKind(name: string): PrivateKind {
    for (let i = this.privates.length - 1; i >= 0; i--) {
      const kind = this.privates[i].get(name);
      if (kind !== undefined) return kind;
    }
    return 'field';
  }

  /**
   * How what a function holds is looked at when it is shared: its outer variables, the shared scopes of
   * those that are tracked, and `this`. `0` where there is nothing.
   */
  held(captures: Iterable<Binding>, extra: readonly string[] = []): string {
    const names = new Set(extra);
    for (const binding of captures) {
      names.add(binding.name);
      if (isTracked(binding)) names.add(this.sharedScopeOf(binding.scope));
    }
    return names.size === 0 ? '0' : this.reader([...names]);
  }

  /** A function from a number to the value of that variable. */
  reader(names: readonly string[]): string {
    return `i=>${names.map((name, i) => `i===${i}?${name}:`).join('')}${this.rt('no')}`;
  }
}
